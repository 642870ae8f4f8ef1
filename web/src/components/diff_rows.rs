//! Rows of a diff. The text comes first and is all that is copied; numbers and signs are drawn by the style sheet.

use super::visible::visible;
use report::{Finding, Row, RowKind, Severity, Side, SpanClass, Verdict};
use std::rc::Rc;
use yew::prelude::*;

/// Rows `from..to` of a chunk.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) chunk: Rc<Vec<Row>>,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) marks: Vec<Mark>,
}

/// Where a finding stands: lines of one side, and on the first of them columns from 1 in UTF-16 units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    side: Side,
    lines: (u32, u32),
    columns: (u32, u32),
    severity: Severity,
    is_sure: bool,
}

impl Mark {
    pub(crate) fn of(finding: &Finding) -> Self {
        let is_one_line = finding.line == finding.end_line;
        Mark {
            side: finding.side,
            lines: (finding.line, finding.end_line),
            columns: (
                finding.column,
                if is_one_line {
                    finding.end_column
                } else {
                    u32::MAX
                },
            ),
            severity: finding.severity,
            is_sure: finding.verdict == Verdict::Violation,
        }
    }

    fn covers(&self, row: &Row) -> bool {
        let line = match self.side {
            Side::Old if row.kind == RowKind::Deleted => row.old,
            Side::Old => None,
            Side::New => row.new,
        };
        line.is_some_and(|line| self.lines.0 <= line && line <= self.lines.1)
    }

    fn starts_at(&self, row: &Row) -> bool {
        self.covers(row) && [row.old, row.new].contains(&Some(self.lines.0))
    }

    fn class(&self) -> Classes {
        let sure = if self.is_sure { "sure" } else { "unsure" };
        classes!("mark", self.severity.word().to_ascii_lowercase(), sure)
    }
}

#[component]
pub(crate) fn DiffRows(props: &Props) -> Html {
    let (from, to) = (props.from as usize, props.to as usize);
    let rows = props.chunk.iter().take(to).skip(from);
    rows.map(|row| draw(row, &props.marks)).collect()
}

fn draw(row: &Row, marks: &[Mark]) -> Html {
    if row.kind == RowKind::Hunk {
        return html! { <div class="row hunk"><code>{ visible(&row.text) }</code></div> };
    }
    let covering = marks.iter().find(|mark| mark.covers(row));
    let mark = marks.iter().find(|mark| mark.starts_at(row));
    let class = classes!(
        "row",
        kind_class(row.kind),
        covering.map(|mark| mark.class())
    );
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let text = text(row, mark);
    let code = match row.kind {
        RowKind::Added => html! { <ins>{ text }</ins> },
        RowKind::Deleted => html! { <del>{ text }</del> },
        RowKind::Context | RowKind::Hunk => text,
    };
    html! {
        <div {class} data-old={number(row.old)} data-new={number(row.new)}><code>{ code }</code></div>
    }
}

fn kind_class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Hunk => "hunk",
        RowKind::Context => "context",
        RowKind::Added => "added",
        RowKind::Deleted => "deleted",
    }
}

/// The text in pieces of one colour, the mark's columns underlined.
fn text(row: &Row, mark: Option<&Mark>) -> Html {
    let (first, end) = mark.map_or((0, 0), |mark| {
        (mark.columns.0 - 1, mark.columns.1.saturating_sub(1))
    });
    let mut cuts: Vec<u32> = row
        .spans
        .iter()
        .flat_map(|span| [span.start, span.end])
        .chain([first, end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |(start, piece): (u32, &str)| {
        let span = row
            .spans
            .iter()
            .find(|span| span.start <= start && start < span.end);
        let is_marked = first <= start && start < end;
        let class = classes!(
            span.map(|span| span_class(span.class)),
            is_marked.then_some("at")
        );
        let piece = visible(piece);
        if class.is_empty() {
            piece
        } else {
            html! { <span {class}>{ piece }</span> }
        }
    };
    let drawn: Vec<Html> = pieces(&row.text, &cuts).into_iter().map(piece).collect();
    // An empty row keeps its height.
    if drawn.is_empty() {
        html! { <br /> }
    } else {
        drawn.into_iter().collect()
    }
}

fn span_class(class: SpanClass) -> &'static str {
    match class {
        SpanClass::Keyword => "kw",
        SpanClass::String => "str",
        SpanClass::Comment => "com",
        SpanClass::Number => "num",
        SpanClass::Definition => "def",
        SpanClass::Call => "call",
        SpanClass::Decorator => "dec",
    }
}

/// Cuts a text at ascending UTF-16 offsets; each piece with its own offset. Offsets inside a character, or
/// behind the end, cut nothing.
fn pieces<'a>(text: &'a str, cuts: &[u32]) -> Vec<(u32, &'a str)> {
    let mut pieces = Vec::new();
    let (mut rest, mut start) = (text, 0);
    for &cut in cuts {
        let length = byte_length(rest, cut.saturating_sub(start));
        let Some((piece, after)) = length.and_then(|length| rest.split_at_checked(length)) else {
            continue;
        };
        if !piece.is_empty() {
            pieces.push((start, piece));
            (rest, start) = (after, cut);
        }
    }
    if !rest.is_empty() {
        pieces.push((start, rest));
    }
    pieces
}

/// UTF-8 bytes of the first `units` UTF-16 units, where a character ends there.
fn byte_length(text: &str, units: u32) -> Option<usize> {
    let mut seen = 0;
    for (index, character) in text.char_indices() {
        if seen == units {
            return Some(index);
        }
        seen += character.len_utf16() as u32;
    }
    (seen == units).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, cuts: &[u32], expected: &[(u32, &str)]) {
        assert_eq!(pieces(text, cuts), expected);
    }

    #[test]
    fn cuts_count_utf16_units() {
        check("😀é = x", &[2, 3], &[(0, "😀"), (2, "é"), (3, " = x")]);
    }

    #[test]
    fn cuts_inside_a_character_and_behind_the_end_do_nothing() {
        check("😀x", &[1, 3, 9], &[(0, "😀x")]);
    }

    #[test]
    fn a_text_without_cuts_stays_whole() {
        check("x = 1", &[0, 0], &[(0, "x = 1")]);
        check("", &[0], &[]);
    }
}
