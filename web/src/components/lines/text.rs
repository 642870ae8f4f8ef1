//! The text of a row in pieces of one colour.

use super::{Hit, Mark};
use crate::components::visible::{Odd, named, odd};
use report::{Row, Span, SpanClass};
use yew::prelude::*;

/// The text, with the mark's columns underlined, changed words and hits marked, and odd characters named.
pub(super) fn text(row: &Row, mark: Option<&Mark>, hits: &[Hit]) -> Html {
    let marked = mark.map_or((0, 0), Mark::units);
    let odds = odds(row);
    let mut cuts: Vec<u32> = row
        .spans
        .iter()
        .flat_map(|span| [span.start, span.end])
        .collect();
    cuts.extend([marked.0, marked.1]);
    cuts.extend(row.words.iter().flatten());
    cuts.extend(hits.iter().flat_map(|hit| [hit.start, hit.end]));
    cuts.extend(
        odds.iter()
            .flat_map(|(start, odd)| [*start, start + odd.char.len_utf16() as u32]),
    );
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |(start, piece): (u32, &str)| {
        let span = row
            .spans
            .iter()
            .find(|span| span.start <= start && start < span.end);
        let is_changed = row
            .words
            .iter()
            .any(|[from, end]| *from <= start && start < *end);
        let class = classes!(
            span.map(|span| span_class(span.class)),
            (marked.0 <= start && start < marked.1).then_some("at"),
            is_changed.then_some("word"),
        );
        let odd = odds.iter().find(|(at, _)| *at == start);
        let piece = match odd {
            Some((_, odd)) => named(odd, piece),
            None => html! { <>{ piece.to_owned() }</> },
        };
        let piece = match class.is_empty() {
            true => piece,
            false => html! { <span {class}>{ piece }</span> },
        };
        match hits.iter().find(|hit| hit.covers(start)) {
            Some(hit) => html! { <mark class={hit.class()}>{ piece }</mark> },
            None => piece,
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

/// Odd characters, each with the UTF-16 units before it.
fn odds(row: &Row) -> Vec<(u32, Odd)> {
    let units = |byte: usize| {
        let before = row.text.get(..byte).unwrap_or_default();
        before.encode_utf16().count() as u32
    };
    let is_prose = |span: &Span| matches!(span.class, SpanClass::String | SpanClass::Comment);
    let is_code = |byte: usize| {
        let at = units(byte);
        let covers = |span: &&Span| span.start <= at && at < span.end;
        !row.spans.iter().filter(covers).any(is_prose)
    };
    odd(&row.text, is_code)
        .into_iter()
        .map(|odd| (units(odd.start), odd))
        .collect()
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
