//! What was not read, told once each.

use crate::plan::{FileFacts, Plan};
use report::Problem;
use rustc_hash::FxHashSet;

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
    Problems {
        told: unique(told),
        hinder,
    }
}

/// Each problem where it is told first.
fn unique(told: Vec<Problem>) -> Vec<Problem> {
    let mut known: FxHashSet<_> = FxHashSet::default();
    let mut is_new: Vec<bool> = Vec::with_capacity(told.len());
    for Problem {
        path,
        line,
        kind,
        message,
    } in &told
    {
        is_new.push(known.insert((path, line, kind, message)));
    }
    let new = told.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
    new.map(|(problem, _)| problem).collect()
}

/// A problem that names no file may concern any.
fn concerns_python(path: Option<&str>) -> bool {
    path.is_none_or(|path| path.is_empty() || crate::plan::is_python_path(path))
}
