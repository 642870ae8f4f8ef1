//! The first two steps of a review: what there is to read, and reading one file of it.

use crate::facts::Facts;
use crate::input::{Dismissal, Input};
use crate::sources;
use diff::{Patch, Status};
use report::{Problem, Side};
use std::collections::BTreeMap;
use syntax::Tree;
use topic::Profile;

/// What a review will read, in the order of the diff. It owns all that it needs.
#[derive(Debug)]
pub struct Plan {
    pub(crate) patch: Patch,
    /// Indices into the patch of the files that the topic reads.
    python: Vec<usize>,
    pub(crate) files: Option<BTreeMap<String, String>>,
    pub(crate) profile: Profile,
    pub(crate) dismissals: Vec<Dismissal>,
    pub(crate) source: report::Source,
    /// Whether the text held nothing but white space.
    pub(crate) is_blank: bool,
}

/// One Python file of the diff, understood on both sides.
#[derive(Debug)]
pub struct FileFacts {
    /// Index into the patch.
    pub(crate) file: usize,
    pub(crate) old: Option<Facts>,
    pub(crate) new: Option<Facts>,
    pub(crate) problems: Vec<Problem>,
}

/// Reads the diff and says which of its files the review will read.
pub fn plan(input: &Input<'_>) -> Plan {
    let mut patch = diff::parse(input.text);
    patch.problems.splice(0..0, input.decoding.iter().cloned());
    let python = (0..patch.files.len())
        .filter(|&at| patch.files.get(at).is_some_and(is_read))
        .collect();
    Plan {
        patch,
        python,
        files: input.files.cloned(),
        profile: input.profile.clone(),
        dismissals: input.dismissals.to_vec(),
        source: input.source.clone(),
        is_blank: input.text.trim().is_empty(),
    }
}

impl Plan {
    /// Python files to analyse.
    pub fn len(&self) -> usize {
        self.python.len()
    }

    pub fn is_empty(&self) -> bool {
        self.python.is_empty()
    }

    /// The path of the n-th Python file.
    pub fn path(&self, n: usize) -> &str {
        self.python
            .get(n)
            .and_then(|&at| self.patch.files.get(at))
            .map_or("", |file| file.path())
    }
}

/// Whether the topic reads a file: Python by its name, or hunks without any name.
pub(crate) fn is_read(file: &diff::File) -> bool {
    let path = file.path();
    let is_python = [".py", ".pyi", ".pyw"]
        .iter()
        .any(|ending| path.ends_with(ending));
    !file.binary && (is_python || (path.is_empty() && !file.hunks.is_empty()))
}

/// Understands the n-th Python file of the plan. `parse` turns a text into a tree, an empty one where it fails.
pub fn file_facts(plan: &Plan, n: usize, parse: &mut dyn FnMut(&str) -> Tree) -> FileFacts {
    let at = plan.python.get(n).copied().unwrap_or(usize::MAX);
    let mut facts = FileFacts {
        file: at,
        old: None,
        new: None,
        problems: Vec::new(),
    };
    let Some(file) = plan.patch.files.get(at) else {
        return facts;
    };
    let whole = plan
        .files
        .as_ref()
        .and_then(|files| files.get(file.path()))
        .map(String::as_str);
    if file.status != Status::Added {
        facts.old = side_facts(plan, file, Side::Old, whole, parse, &mut facts.problems);
    }
    if file.status != Status::Deleted {
        facts.new = side_facts(plan, file, Side::New, whole, parse, &mut facts.problems);
    }
    facts
}

fn side_facts(
    plan: &Plan,
    file: &diff::File,
    side: Side,
    whole: Option<&str>,
    parse: &mut dyn FnMut(&str) -> Tree,
    problems: &mut Vec<Problem>,
) -> Option<Facts> {
    let sourced = sources::document(file, &plan.patch, side, whole, parse);
    let path = match side {
        Side::Old => file.old_path.as_deref().unwrap_or(file.path()),
        Side::New => file.path(),
    };
    let facts = Facts::new(path, sourced.document, &sourced.tree);
    let told = sourced.problems.into_iter().map(|problem| Problem {
        path: Some(file.path().to_string()),
        line: Some(problem.line),
        kind: problem.kind.name().to_string(),
        message: problem.message,
    });
    for problem in told.chain(facts.truncated.then(|| too_deep(file.path()))) {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    Some(facts)
}

fn too_deep(path: &str) -> Problem {
    Problem {
        path: Some(path.to_string()),
        line: None,
        kind: "too-deep".to_string(),
        message: "The code nests deeper than the review follows; what lies below was not read."
            .to_string(),
    }
}
