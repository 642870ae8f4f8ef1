//! What of a file could not be read as Python.

use super::{DocLine, Document};
use diff::File;
use report::Side;
use syntax::{Kind, LineIndex, NodeId, Tree};

/// Something that was not read, or read only in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceProblem {
    pub(crate) kind: SourceProblemKind,
    /// The line of the pasted text that it concerns, from 1.
    pub(crate) line: u32,
    /// One sentence for a reviewer.
    pub(crate) message: String,
}

/// The kinds of problems that a file can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceProblemKind {
    /// The given text of the whole file is not the one that the diff leads to.
    WholeFileMismatch,
    /// The limit of trials was reached before the hunks were understood.
    TrialsSpent,
    /// Changed lines are no valid Python.
    Unparsed,
    /// The parser gave up on the file.
    ParserFailed,
}

impl SourceProblemKind {
    /// The name in reports, in kebab case.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WholeFileMismatch => "whole-file-mismatch",
            Self::TrialsSpent => "trials-spent",
            Self::Unparsed => "unparsed",
            Self::ParserFailed => "parser-failed",
        }
    }
}

impl SourceProblem {
    pub(super) fn mismatch(file: &File) -> SourceProblem {
        SourceProblem {
            kind: SourceProblemKind::WholeFileMismatch,
            line: file.line,
            message: "The text given for the whole file does not fit the diff's hunks, so only the diff was read."
                .to_string(),
        }
    }

    pub(super) fn spent(line: u32) -> SourceProblem {
        SourceProblem {
            kind: SourceProblemKind::TrialsSpent,
            line,
            message:
                "From this hunk on the file needed more attempts at reading it than are made; \
                      hunks may be misread. The whole file as context avoids that."
                    .to_string(),
        }
    }
}

/// The changed lines that the parser could not read, one problem a hunk.
pub(super) fn unread(file: &File, document: &Document, tree: &Tree) -> Vec<SourceProblem> {
    if tree.is_empty() && !document.text.is_empty() {
        return vec![SourceProblem {
            kind: SourceProblemKind::ParserFailed,
            line: file.line,
            message: "The parser gave up on this file, so none of its Python was checked."
                .to_string(),
        }];
    }
    let mut by_hunk: Vec<(u32, u32, u32)> = Vec::new();
    for (number, hunk) in unread_lines(document, tree) {
        match by_hunk.last_mut() {
            Some(last) if last.0 == hunk => last.2 = number,
            _ => by_hunk.push((hunk, number, number)),
        }
    }
    by_hunk
        .into_iter()
        .map(|(hunk, first, last)| unparsed(file, document.side, hunk, first, last))
        .collect()
}

/// Number and hunk of each changed line with an error on it.
fn unread_lines(document: &Document, tree: &Tree) -> Vec<(u32, u32)> {
    let is_error = |node: &NodeId| tree.kind(*node) == Kind::Error;
    let errors: Vec<NodeId> = tree.nodes().filter(is_error).collect();
    if errors.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(&document.text);
    let row = |offset: u32| index.line(offset) as usize;
    let mut found = Vec::new();
    let mut next = 0;
    for node in errors {
        let span = tree.span(node);
        let end = row(span.end.saturating_sub(1).max(span.start)) + 1;
        let rows = document.lines.get(row(span.start).max(next)..end);
        found.extend(rows.unwrap_or(&[]).iter().filter_map(|line| match line {
            DocLine::Diff {
                number,
                changed: true,
                hunk,
            } => Some((*number, *hunk)),
            _ => None,
        }));
        next = next.max(end);
    }
    found
}

fn unparsed(file: &File, side: Side, hunk: u32, first: u32, last: u32) -> SourceProblem {
    let header = file.hunks.get(hunk as usize);
    let of = match side {
        Side::Old => " of the old side",
        Side::New => "",
    };
    let lines = if first == last {
        format!("Line {first}{of} is")
    } else {
        format!("Lines between {first} and {last}{of} are")
    };
    SourceProblem {
        kind: SourceProblemKind::Unparsed,
        line: header.map_or(file.line, |hunk| hunk.header_line),
        message: format!(
            "{lines} no Python that the parser knows, so what stands there was read only in part."
        ),
    }
}
