//! From hunks to parseable Python: one document for each file and side, with a map back to the diff.
//!
//! A hunk is a fragment: it can start in a string, in an argument list or in a method of a class that is not shown.
//! `fragment` takes one side of the hunks; `lex` and `outline` find its statements; `prefix` says in what state it
//! may start; `scaffold` and `tail` add the lines that make it whole; `score` and `search` choose; `stitch` puts the
//! fragments of a file into one text. `whole` is for files whose text is given.

mod fragment;
mod heading;
mod hidden;
mod levels;
mod lex;
mod outline;
mod prefix;
mod problem;
mod prose;
mod scaffold;
mod score;
mod search;
mod stitch;
mod tail;
#[cfg(test)]
mod tests;
mod whole;

pub(crate) use problem::SourceProblem;

use diff::{File, Patch, Status};
use fragment::{Fragment, fragments};
use report::Side;
use syntax::Tree;

/// One side of one file, parsed.
#[derive(Debug)]
pub(crate) struct Sourced {
    pub(crate) document: Document,
    /// The tree of the document's text.
    pub(crate) tree: Tree,
    pub(crate) problems: Vec<SourceProblem>,
}

/// Makes and parses the document of one side. `whole` is the text of the new file, where it is known.
pub(crate) fn document(
    file: &File,
    patch: &Patch,
    side: Side,
    whole: Option<&str>,
    parse: &mut dyn FnMut(&str) -> Tree,
) -> Sourced {
    let mut problems = Vec::new();
    let given = whole.map(|text| whole::document(file, patch, side, text));
    if matches!(given, Some(None)) {
        problems.push(SourceProblem::mismatch(file));
    }
    let (document, tree) = match given.flatten() {
        Some(document) => parsed(document, parse),
        None => from_hunks(file, patch, side, parse, &mut problems),
    };
    problems.extend(problem::unread(file, &document, &tree));
    Sourced {
        document,
        tree,
        problems,
    }
}

fn from_hunks(
    file: &File,
    patch: &Patch,
    side: Side,
    parse: &mut dyn FnMut(&str) -> Tree,
    problems: &mut Vec<SourceProblem>,
) -> (Document, Tree) {
    let fragments = fragments(file, patch, side);
    if !shows_all(file, &fragments) {
        return stitch::recover(&fragments, side, parse, problems);
    }
    let mut document = Document::empty(side, true);
    for line in fragments.iter().flat_map(|fragment| &fragment.lines) {
        document.push_line(line);
    }
    parsed(document, parse)
}

fn parsed(document: Document, parse: &mut dyn FnMut(&str) -> Tree) -> (Document, Tree) {
    let tree = parse(&document.text);
    (document, tree)
}

/// Whether the diff shows the whole side: of a new file the new one, of a deleted file the old one, and the side that
/// does not exist.
fn shows_all(file: &File, fragments: &[Fragment<'_>]) -> bool {
    let starts_at_top =
        |fragment: &Fragment<'_>| fragment.lines.first().is_some_and(|line| line.number == 1);
    let is_one_sided = matches!(file.status, Status::Added | Status::Deleted);
    is_one_sided
        && file.hunks.iter().all(|hunk| hunk.complete)
        && match fragments {
            [] => true,
            [only] => starts_at_top(only),
            _ => false,
        }
}

/// The text of one side of one file as far as the diff shows it, made parseable.
///
/// Each hunk stands as a closed fragment that starts at column 0, in the order of the diff.
/// Lines that we add ("scaffold") stand alone, so that columns never move.
/// With whole-file context the document is the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) side: Side,
    pub(crate) text: String,
    /// One entry for each line of `text`.
    pub(crate) lines: Vec<DocLine>,
    /// Whether the text is the whole side of the file: a new or deleted file, or whole-file context.
    pub(crate) whole: bool,
}

impl Document {
    fn empty(side: Side, whole: bool) -> Document {
        Document {
            side,
            text: String::new(),
            lines: Vec::new(),
            whole,
        }
    }

    fn push(&mut self, text: &str, from: DocLine) {
        self.text.push_str(text);
        self.text.push('\n');
        self.lines.push(from);
    }
}

/// Where a document's line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocLine {
    /// A line of the diff.
    Diff {
        /// Line number on the document's side, from 1.
        number: u32,
        /// Added on the new side, or deleted on the old side.
        changed: bool,
        /// Index of the hunk in the file; of whole-file context the nearest hunk before, or 0.
        hunk: u32,
    },
    /// A line that we put there.
    Scaffold(Scaffold),
}

/// What a scaffold line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scaffold {
    /// The `class` or `def` that the section heading names: an enclosing scope whose name is known.
    Heading,
    /// A block or scope that encloses the hunk and whose nature is not known (`if 1:`, `try:`, `def _(...)`).
    Unknown,
    /// Text that closes what the hunk leaves open: brackets, strings, bare headers.
    Tail,
}
