//! Fragments of a file put into one document.

use super::fragment::Fragment;
use super::problem::SourceProblem;
use super::scaffold::{Built, Line};
use super::search::{Trials, guess, search};
use super::{DocLine, Document};
use report::Side;
use std::ops::Range;
use syntax::{Kind, LineIndex, NodeId, Tree};

/// Guesses the scaffold of each fragment, and searches it where the parse of the document has an error.
pub(super) fn recover(
    fragments: &[Fragment<'_>],
    side: Side,
    parse: &mut dyn FnMut(&str) -> Tree,
    problems: &mut Vec<SourceProblem>,
) -> (Document, Tree) {
    let guessed = |fragment: &Fragment<'_>| guess(&fragment.texts(), fragment.heading.as_ref());
    let mut built: Vec<Built> = fragments.iter().map(guessed).collect();
    let (document, rows) = stitch(fragments, &built, side);
    let tree = parse(&document.text);
    let mut trials = Trials::new(fragments.len(), document.text.len());
    let mut is_changed = false;
    for at in with_errors(&document, &tree, &rows) {
        let (Some(fragment), Some(built)) = (fragments.get(at), built.get_mut(at)) else {
            continue;
        };
        let was_spent = trials.spent;
        let found = search(
            &fragment.texts(),
            fragment.heading.as_ref(),
            &mut trials,
            parse,
        );
        if trials.spent && !was_spent {
            problems.push(SourceProblem::spent(fragment.header_line));
        }
        if let Some(found) = found {
            is_changed |= found.above != built.above || found.below != built.below;
            *built = found;
        }
    }
    if !is_changed {
        return (document, tree);
    }
    let (document, _) = stitch(fragments, &built, side);
    let tree = parse(&document.text);
    (document, tree)
}

/// The document, and the rows of each fragment in it. Each fragment is closed and starts at column 0, so the next one
/// begins anew.
fn stitch(
    fragments: &[Fragment<'_>],
    built: &[Built],
    side: Side,
) -> (Document, Vec<Range<usize>>) {
    let mut document = Document::empty(side, false);
    let mut rows = Vec::with_capacity(fragments.len());
    for (fragment, built) in fragments.iter().zip(built) {
        let first = document.lines.len();
        document.push_scaffold(&built.above);
        for line in &fragment.lines {
            document.push_line(line);
        }
        document.push_scaffold(&built.below);
        rows.push(first..document.lines.len());
    }
    (document, rows)
}

impl Document {
    fn push_scaffold(&mut self, lines: &[Line]) {
        for (text, scaffold) in lines {
            self.push(text, DocLine::Scaffold(*scaffold));
        }
    }
}

/// The fragments that an error touches, ascending.
fn with_errors(document: &Document, tree: &Tree, rows: &[Range<usize>]) -> Vec<usize> {
    let is_wrong = |node: &NodeId| tree.kind(*node) == Kind::Error || tree.is_missing(*node);
    let wrong: Vec<NodeId> = tree.nodes().filter(is_wrong).collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(&document.text);
    let mut found = Vec::new();
    let mut next = 0;
    for node in wrong {
        let span = tree.span(node);
        let first = index.line(span.start) as usize;
        let last = index.line(span.end.saturating_sub(1).max(span.start)) as usize;
        let start = rows.partition_point(|rows| rows.end <= first).max(next);
        let end = rows.partition_point(|rows| rows.start <= last).max(start);
        found.extend(start..end);
        next = end;
    }
    found
}
