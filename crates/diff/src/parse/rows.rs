//! The text as rows, and the margin that a quoted, indented or drawn paste puts before each of them.

use crate::patch::Span;

/// All rows of a text, seen through a margin.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    text: &'a str,
    spans: &'a [Span],
    /// What stands before each row: `> ` in a mail, `| ` in a drawn log, spaces in Markdown; else empty.
    pub(super) margin: &'a str,
}

/// One row without its line feed.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) text: &'a str,
    start: u32,
}

/// Where the rows of a text lie. Only line feeds end a row: a lone carriage return can be a file's content.
pub(super) fn row_spans(text: &str) -> Vec<Span> {
    let mut start = 0;
    let span = |row: &str| {
        let end = start + offset(row.len());
        let span = Span { start, end };
        start = end + 1;
        span
    };
    text.strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .map(span)
        .collect()
}

impl<'a> Rows<'a> {
    pub(super) fn new(text: &'a str, spans: &'a [Span]) -> Self {
        Self {
            text,
            spans,
            margin: "",
        }
    }

    pub(super) fn with_margin(self, margin: &'a str) -> Self {
        Self { margin, ..self }
    }

    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }

    /// The row with what stands before it.
    pub(super) fn raw(&self, at: usize) -> Option<Row<'a>> {
        let span = self.spans.get(at)?;
        let text = self.text.get(span.start as usize..span.end as usize)?;
        Some(Row {
            text,
            start: span.start,
        })
    }

    /// The row behind the margin; `None` past the end and for a row that lacks the margin.
    pub(super) fn get(&self, at: usize) -> Option<Row<'a>> {
        let row = self.raw(at)?;
        if row.text.starts_with(self.margin) {
            return Some(row.skip(self.margin.len()));
        }
        // Many programs take trailing spaces off, the margin's too.
        (row.text.trim_end() == self.margin.trim_end()).then(|| row.skip(row.text.len()))
    }
}

impl<'a> Row<'a> {
    /// The row without its first `bytes` bytes, or an empty one.
    pub(super) fn skip(self, bytes: usize) -> Self {
        let (skipped, text) = self.text.split_at_checked(bytes).unwrap_or((self.text, ""));
        Self {
            text,
            start: self.start + offset(skipped.len()),
        }
    }

    /// The row without a carriage return at its end.
    pub(super) fn without_return(self) -> Self {
        Self {
            text: self.line(),
            ..self
        }
    }

    /// The text of a row that is no file's content, where a carriage return means nothing.
    pub(super) fn line(self) -> &'a str {
        self.text.strip_suffix('\r').unwrap_or(self.text)
    }

    pub(super) fn span(self) -> Span {
        Span {
            start: self.start,
            end: self.start + offset(self.text.len()),
        }
    }
}

/// A byte offset; texts were cut to what fits.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
