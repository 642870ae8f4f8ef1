//! The first two steps of a review: what there is to read, and reading one file of it.

use crate::conclude::Looks;
use crate::facts::Facts;
use crate::input::{Dismissal, Input};
use crate::{limits, no_diff, sources};
use diff::{File, Patch, Status};
use report::{Problem, Side};
use std::collections::BTreeMap;
use std::sync::Arc;
use syntax::Tree;
use topic::Profile;

/// What a review will read, in the order of the diff. It owns all that it needs.
#[derive(Debug)]
pub struct Plan {
    pub(crate) patch: Patch,
    /// Indices into the patch of the files that the review reads.
    pub(crate) python: Vec<usize>,
    /// Python that it reads, in bytes of hunks or, where they are known, of whole files.
    pub(crate) bytes: usize,
    pub(crate) files: Option<BTreeMap<String, String>>,
    pub(crate) profile: Profile,
    pub(crate) dismissals: Vec<Dismissal>,
    pub(crate) source: report::Source,
    /// Why there is nothing to review, and what is beyond a limit.
    pub(crate) problems: Vec<Problem>,
}

/// One Python file of the diff, understood on both sides.
#[derive(Debug)]
pub struct FileFacts {
    /// Index into the patch.
    pub(crate) file: usize,
    pub(crate) old: Option<Arc<Facts>>,
    pub(crate) new: Option<Arc<Facts>>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) looks: Looks,
}

/// Reads the diff and says which of its files the review will read.
pub fn plan(input: &Input<'_>) -> Plan {
    let (text, beyond) = limits::within(input.text);
    let mut patch = diff::parse(text);
    let mut problems: Vec<Problem> = no_diff::why(text, &patch)
        .into_iter()
        .chain(beyond)
        .collect();
    patch.problems.splice(0..0, input.decoding.iter().cloned());
    problems.extend(limits::cut(&mut patch));
    let (python, bytes) = limits::read(&patch, input.files, &mut problems);
    Plan {
        patch,
        python,
        bytes,
        files: input.files.cloned(),
        profile: input.profile.clone(),
        dismissals: input.dismissals.to_vec(),
        source: input.source.clone(),
        problems,
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

    /// The index in the view of the n-th Python file.
    pub fn index(&self, n: usize) -> Option<u32> {
        self.python.get(n).map(|&at| at as u32)
    }

    /// The path of the n-th Python file.
    pub fn path(&self, n: usize) -> &str {
        let at = self.python.get(n);
        at.and_then(|&at| self.patch.files.get(at))
            .map_or("", File::path)
    }
}

impl FileFacts {
    /// Makes room, for a host that keeps the facts of many files: what is forgotten is found again when asked for.
    pub fn rest(&mut self) {
        for side in [&mut self.old, &mut self.new].into_iter().flatten() {
            if let Some(facts) = Arc::get_mut(side) {
                facts.rest();
            }
        }
    }

    pub(crate) fn side(&self, side: Side) -> Option<&Arc<Facts>> {
        match side {
            Side::Old => self.old.as_ref(),
            Side::New => self.new.as_ref(),
        }
    }
}

/// Whether the topic reads a file: Python by its name, or hunks without any name.
pub(crate) fn is_read(file: &File) -> bool {
    let path = file.path();
    !file.binary && (is_python_path(path) || (path.is_empty() && !file.hunks.is_empty()))
}

/// Whether a path names Python source.
pub fn is_python_path(path: &str) -> bool {
    [".py", ".pyi", ".pyw"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// Understands the n-th Python file of the plan. `parse` turns a text into a tree, an empty one where it fails.
pub fn file_facts(plan: &Plan, n: usize, parse: &mut dyn FnMut(&str) -> Tree) -> FileFacts {
    let at = plan.python.get(n).copied().unwrap_or(usize::MAX);
    let mut facts = FileFacts {
        file: at,
        old: None,
        new: None,
        problems: Vec::new(),
        looks: Looks::default(),
    };
    let Some(file) = plan.patch.files.get(at) else {
        return facts;
    };
    if file.status != Status::Added {
        let side = side_facts(plan, file, Side::Old, parse, &mut facts.problems);
        facts.old = Some(Arc::new(side));
    }
    if file.status != Status::Deleted {
        let side = side_facts(plan, file, Side::New, parse, &mut facts.problems);
        facts.new = Some(Arc::new(side));
    }
    facts
}

fn side_facts(
    plan: &Plan,
    file: &File,
    side: Side,
    parse: &mut dyn FnMut(&str) -> Tree,
    problems: &mut Vec<Problem>,
) -> Facts {
    let whole = plan.files.as_ref().and_then(|files| files.get(file.path()));
    let sourced = sources::document(file, &plan.patch, side, whole.map(String::as_str), parse);
    let path = match side {
        Side::Old => file.old_path.as_deref().unwrap_or(file.path()),
        Side::New => file.path(),
    };
    let facts = Facts::new(path, sourced.document, &sourced.tree);
    let told = sourced.problems.into_iter().map(|problem| Problem {
        path: Some(file.path().to_owned()),
        line: Some(problem.line),
        kind: problem.kind.name().to_owned(),
        message: problem.message,
    });
    problems.extend(told.chain(facts.truncated.then(|| too_deep(file))));
    facts
}

fn too_deep(file: &File) -> Problem {
    Problem {
        path: Some(file.path().to_owned()),
        line: Some(file.line),
        kind: "too-deep".to_owned(),
        message: "The code nests deeper than the review follows; what lies below was not read."
            .to_owned(),
    }
}
