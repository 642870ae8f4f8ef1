//! The lines that we put above and below a fragment so that it parses: the blocks it stands in, the beginning of a
//! statement that it starts inside of, and (in `tail`) what closes it.
//!
//! Every scaffold line is a line of its own, so the columns of the diff's lines never move.

use super::Scaffold;
use super::heading::Heading;
use super::levels::{Frame, clauses, first_indent, levels};
use super::lex::Lexed;
use super::outline::{Outline, Word, outline};
use super::prefix::Hypothesis;
use super::tail;

/// A line of our own.
pub(super) type Line = (String, Scaffold);

/// A fragment with its scaffold under one hypothesis.
#[derive(Clone, Debug, Default)]
pub(super) struct Built {
    pub(super) above: Vec<Line>,
    pub(super) below: Vec<Line>,
    pub(super) lexed: Lexed,
    pub(super) outline: Outline,
}

/// Builds the scaffold of a fragment. `lexed` are its lines as the hypothesis has them.
pub(super) fn build(
    lines: &[&str],
    heading: Option<&Heading>,
    hypothesis: &Hypothesis,
    lexed: Lexed,
) -> Built {
    let outline = outline(lines, &lexed, hypothesis.brackets.len());
    Built {
        above: above(&outline, heading, hypothesis, lines),
        below: tail::below(lines, &lexed, &outline, hypothesis),
        lexed,
        outline,
    }
}

fn above(
    outline: &Outline,
    heading: Option<&Heading>,
    hypothesis: &Hypothesis,
    lines: &[&str],
) -> Vec<Line> {
    let mut out = Vec::new();
    let Some(first) = first_indent(outline) else {
        return out;
    };
    for level in levels(outline, first, heading, lines) {
        match level.heading {
            Some(heading) => out.push((at(level.indent, &heading.text), Scaffold::Heading)),
            None => open_level(level.indent, level.frame, &level.clauses, &mut out),
        }
    }
    match outline.remainder {
        Some(_) => {
            if hypothesis.prefix.starts_with("except") {
                open_block(first, &[Word::Except], &mut out);
                out.push(unknown(first + 1, "pass"));
            }
            out.push(prefix(first, heading, hypothesis));
        }
        None => open_first_clause(outline, first, &mut out),
    }
    out
}

fn open_level(indent: usize, frame: Frame, clauses: &[Word], out: &mut Vec<Line>) {
    match frame {
        Frame::Class => out.push(unknown(indent, "class _:")),
        Frame::Method { is_async: false } => out.push(unknown(indent, "def _(self):")),
        Frame::Method { is_async: true } => out.push(unknown(indent, "async def _(self):")),
        Frame::Function { is_async: false } => out.push(unknown(indent, "def _():")),
        Frame::Function { is_async: true } => out.push(unknown(indent, "async def _():")),
        Frame::Block => open_block(indent, clauses, out),
    }
}

/// Opens a block that takes the clauses which follow at its level: `if` cannot be followed by `except`.
fn open_block(indent: usize, clauses: &[Word], out: &mut Vec<Line>) {
    match clauses.first() {
        Some(Word::Case) => {
            out.push(unknown(indent.saturating_sub(1), "match _:"));
            out.push(unknown(indent, "case _:"));
        }
        Some(Word::Except | Word::Finally) => out.push(unknown(indent, "try:")),
        Some(_) if clauses.iter().any(|word| word.handles()) => {
            out.push(unknown(indent, "try:"));
            out.push(unknown(indent + 1, "pass"));
            out.push(unknown(indent, "except _:"));
        }
        _ => out.push(unknown(indent, "if 1:")),
    }
}

/// A fragment that starts with `else:` and its like gets the block that this belongs to.
fn open_first_clause(outline: &Outline, first: usize, out: &mut Vec<Line>) {
    let clauses = clauses(&outline.statements, first);
    match clauses.first() {
        None => {}
        Some(Word::Case) => out.push(unknown(first.saturating_sub(1), "match _:")),
        Some(_) => {
            open_block(first, &clauses, out);
            out.push(unknown(first + 1, "pass"));
        }
    }
}

/// The beginning of the statement that the fragment starts inside of.
fn prefix(indent: usize, heading: Option<&Heading>, hypothesis: &Hypothesis) -> Line {
    let quote = hypothesis.quote.map_or("", |quote| quote.text());
    // A heading that is open where a parameter list ends names the function.
    let named = heading
        .filter(|heading| !heading.is_class && heading.indent == indent)
        .and_then(|heading| heading.open.as_deref())
        .zip(hypothesis.prefix.strip_prefix("def _("));
    match named {
        Some((open, rest)) => (
            at(indent, &format!("{open}{rest}{quote}")),
            Scaffold::Heading,
        ),
        None => unknown(indent, format!("{}{quote}", hypothesis.prefix).trim_end()),
    }
}

fn unknown(indent: usize, text: &str) -> Line {
    (at(indent, text), Scaffold::Unknown)
}

pub(super) fn at(indent: usize, text: &str) -> String {
    format!("{:indent$}{text}", "")
}
