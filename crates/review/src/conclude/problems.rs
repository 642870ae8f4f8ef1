//! What was not read, told once each.

use crate::plan::{FileFacts, Plan};
use report::Problem;

pub(super) struct Problems {
    pub(super) told: Vec<Problem>,
    /// Python of the diff was not read, so that no checklist line may say clear.
    pub(super) hinder: bool,
}

/// The kinds of problems after which everything was read all the same.
const HARMLESS: &[&str] = &["whole-file-mismatch", report::NO_PYTHON];

pub(super) fn problems(plan: &Plan, files: &[FileFacts]) -> Problems {
    let mut told: Vec<Problem> = Vec::new();
    let mut hinder = false;
    for problem in &plan.patch.problems {
        hinder |= problem.kind.loses_lines() && concerns_python(problem.path.as_deref());
        told.push(Problem {
            path: problem.path.clone(),
            line: problem.line,
            kind: problem.kind.name().to_owned(),
            message: problem.message.clone(),
        });
    }
    let own = plan.problems.iter();
    for problem in own.chain(files.iter().flat_map(|file| &file.problems)) {
        hinder |= !HARMLESS.contains(&problem.kind.as_str());
        told.push(problem.clone());
    }
    let mut unique: Vec<Problem> = Vec::with_capacity(told.len());
    for problem in told {
        if !unique.contains(&problem) {
            unique.push(problem);
        }
    }
    Problems {
        told: unique,
        hinder,
    }
}

/// A problem that names no file may concern any.
fn concerns_python(path: Option<&str>) -> bool {
    path.is_none_or(|path| path.is_empty() || crate::plan::is_python_path(path))
}
