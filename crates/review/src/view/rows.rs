//! Rows of the diff by the window, and their code as plain text.

use super::{colour, words};
use crate::plan::{Plan, is_read};
use diff::{Hunk, Line, LineKind};
use report::{Row, RowKind, Span};
use std::ops::Range;

/// Bytes of a line that are drawn. Longer ones are data, and would hold up whoever draws them.
const LONGEST: usize = 4_000;

/// Rows `from..to` of a file; row 0 is the first hunk's header. What does not exist is left out.
pub fn rows(plan: &Plan, file: usize, from: usize, to: usize) -> Vec<Row> {
    let Some(file) = plan.patch.files.get(file) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut first = 0;
    for hunk in &file.hunks {
        let end = first + 1 + hunk.lines.len();
        if first >= to {
            break;
        }
        if end > from {
            let window = from.max(first) - first..to.min(end) - first;
            rows.extend(window_of(plan, hunk, is_read(file), window));
        }
        first = end;
    }
    rows
}

/// The code of rows `from..to`: the new side, or where none of the rows has one, the old.
pub fn text(plan: &Plan, file: usize, from: usize, to: usize) -> String {
    let Some(file) = plan.patch.files.get(file) else {
        return String::new();
    };
    let rows = file.hunks.iter().flat_map(|hunk| {
        let lines = hunk.lines.iter().map(Some);
        std::iter::once(None).chain(lines)
    });
    let lines: Vec<&Line> = rows.take(to).skip(from).flatten().collect();
    let is_new = |line: &&&Line| line.kind != LineKind::Deleted;
    let new: Vec<&str> = lines
        .iter()
        .filter(is_new)
        .map(|line| code(plan, line))
        .collect();
    if !new.is_empty() {
        return new.join("\n");
    }
    let old: Vec<&str> = lines.iter().map(|line| code(plan, line)).collect();
    old.join("\n")
}

/// Some rows of a hunk, its header being row 0.
fn window_of(plan: &Plan, hunk: &Hunk, is_python: bool, window: Range<usize>) -> Vec<Row> {
    let mut rows = Vec::with_capacity(window.len());
    if window.contains(&0) {
        rows.push(header(hunk));
    }
    let mut colours = is_python.then(|| Colours::new(plan, hunk));
    for (at, line) in (1..).zip(&hunk.lines).take(window.end.saturating_sub(1)) {
        let (text, cut) = drawn(code(plan, line));
        // Lines before the window are read for the strings that they leave open.
        let spans = colours
            .as_mut()
            .map(|colours| colours.line(line.kind, text));
        if at >= window.start {
            rows.push(Row {
                spans: spans.unwrap_or_default(),
                cut,
                ..row(line, text)
            });
        }
    }
    words::mark(plan, hunk, window.start, &mut rows);
    rows
}

/// A line's text without the carriage return that some files end it with.
pub(super) fn code<'p>(plan: &'p Plan, line: &Line) -> &'p str {
    plan.patch.text(line).trim_end_matches('\r')
}

/// As much of a line as is drawn, and where that is not all of it, its length in UTF-16 units.
pub(super) fn drawn(text: &str) -> (&str, Option<u32>) {
    if text.len() <= LONGEST {
        return (text, None);
    }
    let end = text.floor_char_boundary(LONGEST);
    let units = text.encode_utf16().count() as u32;
    (text.get(..end).unwrap_or(""), Some(units))
}

/// What is open on either side while a hunk is painted.
struct Colours {
    old: colour::Open,
    new: colour::Open,
}

impl Colours {
    fn new(plan: &Plan, hunk: &Hunk) -> Colours {
        let before = |other: LineKind| {
            let lines = hunk.lines.iter().filter(move |line| line.kind != other);
            colour::before(lines.map(|line| plan.patch.text(line)))
        };
        Colours {
            old: before(LineKind::Added),
            new: before(LineKind::Deleted),
        }
    }

    fn line(&mut self, kind: LineKind, text: &str) -> Vec<Span> {
        let open = match kind {
            LineKind::Deleted => self.old,
            LineKind::Context | LineKind::Added => self.new,
        };
        let (spans, behind) = colour::line(text, open);
        match kind {
            LineKind::Added => self.new = behind,
            LineKind::Deleted => self.old = behind,
            LineKind::Context => {
                let same = self.old == self.new;
                self.old = if same {
                    behind
                } else {
                    colour::line(text, self.old).1
                };
                self.new = behind;
            }
        }
        spans
    }
}

fn header(hunk: &Hunk) -> Row {
    let text = format!(
        "@@ -{},{} +{},{} @@ {}",
        hunk.old_start, hunk.old_len, hunk.new_start, hunk.new_len, hunk.section
    );
    Row {
        kind: RowKind::Hunk,
        old: None,
        new: None,
        text: text.trim_end().to_string(),
        spans: Vec::new(),
        words: Vec::new(),
        cut: None,
    }
}

fn row(line: &Line, text: &str) -> Row {
    Row {
        kind: match line.kind {
            LineKind::Context => RowKind::Context,
            LineKind::Added => RowKind::Added,
            LineKind::Deleted => RowKind::Deleted,
        },
        old: line.old,
        new: line.new,
        text: text.to_owned(),
        spans: Vec::new(),
        words: Vec::new(),
        cut: None,
    }
}
