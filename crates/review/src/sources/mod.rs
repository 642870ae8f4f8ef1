//! From hunks to parseable Python: one document for each file and side, with a map back to the diff.

use report::Side;

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

mod plain;

/// A document with its tree and what was wrong with the text.
pub(crate) struct Sourced {
    pub(crate) document: Document,
    pub(crate) tree: syntax::Tree,
    pub(crate) problems: Vec<SourceProblem>,
}

/// Text that could not be made parseable, or only in part.
pub(crate) struct SourceProblem {
    /// Kebab-case.
    pub(crate) kind: &'static str,
    /// The line in the pasted text, from 1.
    pub(crate) line: Option<u32>,
    pub(crate) message: String,
}

/// One side of a file, made parseable.
pub(crate) fn document(
    file: &diff::File,
    patch: &diff::Patch,
    side: Side,
    _whole: Option<&str>,
    parse: &mut dyn FnMut(&str) -> syntax::Tree,
) -> Sourced {
    let document = plain::stitch(file, patch, side);
    let tree = parse(&document.text);
    Sourced {
        document,
        tree,
        problems: Vec::new(),
    }
}
