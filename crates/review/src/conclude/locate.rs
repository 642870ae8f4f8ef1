//! From spans of a document to lines and columns of a side.

use crate::facts::{Facts, Span};
use crate::sources::DocLine;

/// Lines count from 1 on the document's side, columns from 1 in UTF-16 units; the end column is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) line: u32,
    pub(super) end_line: u32,
    pub(super) column: u32,
    pub(super) end_column: u32,
}

/// Where a span stands in the file; `None` where the diff shows none of its lines.
pub(super) fn locate(facts: &Facts, span: Span) -> Option<Location> {
    let (first, last) = (
        line_of(facts, span.start),
        line_of(facts, last_offset(span)),
    );
    let mut shown = (first..=last).filter_map(|at| Some((at, number(facts, at)?)));
    let (start_at, line) = shown.next()?;
    let (end_at, end_line) = shown.last().unwrap_or((start_at, line));
    let start = if start_at == first {
        span.start
    } else {
        indented(facts, start_at)
    };
    let end = if end_at == last {
        span.end
    } else {
        line_end(facts, end_at)
    };
    let column = |offset| facts.lines.column(offset, &facts.document.text);
    Some(Location {
        line,
        end_line,
        column: column(start),
        end_column: column(end),
    })
}

/// Where an anchor stands: its span, cut to the head that it belongs to.
pub(super) fn locate_in(facts: &Facts, head: Span, span: Span) -> Option<Location> {
    let cut = Span {
        start: span.start.max(head.start),
        end: span.end.min(head.end),
    };
    let span = if cut.start < cut.end { cut } else { head };
    locate(facts, span).or_else(|| locate(facts, head))
}

fn last_offset(span: Span) -> u32 {
    span.end.saturating_sub(1).max(span.start)
}

fn line_of(facts: &Facts, offset: u32) -> u32 {
    facts.lines.line(offset)
}

/// The number on its side of a line of the document.
fn number(facts: &Facts, at: u32) -> Option<u32> {
    match facts.document.lines.get(at as usize) {
        Some(DocLine::Diff { number, .. }) => Some(*number),
        _ => None,
    }
}

/// The first offset of a line that is no white space.
fn indented(facts: &Facts, at: u32) -> u32 {
    let start = facts.lines.start(at);
    let line = Span {
        start,
        end: line_end(facts, at),
    };
    let text = facts.text(line);
    start + (text.len() - text.trim_start().len()) as u32
}

fn line_end(facts: &Facts, at: u32) -> u32 {
    let text = &facts.document.text;
    let start = facts.lines.start(at) as usize;
    let line = text.get(start..).and_then(|rest| rest.lines().next());
    (start + line.map_or(0, str::len)) as u32
}
