//! The lines that we put above and below a fragment so that it parses: the blocks it stands in, the beginning of a
//! statement that it starts inside of, and (in `tail`) what closes it.
//!
//! Every scaffold line is a line of its own, so the columns of the diff's lines never move.

use super::Scaffold;
use super::heading::Heading;
use super::lex::{Lexed, Start, lex};
use super::outline::{LEVEL, Outline, Statement, Word, outline};
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

/// Builds the scaffold of a fragment.
pub(super) fn build(lines: &[&str], heading: Option<&Heading>, hypothesis: &Hypothesis) -> Built {
    let start = Start {
        quote: hypothesis.quote,
        brackets: hypothesis.brackets.clone(),
    };
    let lexed = lex(lines, start);
    let outline = outline(lines, &lexed, hypothesis.brackets.len());
    Built {
        above: above(&outline, heading, hypothesis, lines),
        below: tail::below(lines, &lexed, &outline, hypothesis),
        lexed,
        outline,
    }
}

/// A block around the fragment's first statement.
#[derive(Debug)]
struct Level<'h> {
    indent: usize,
    /// The clauses that follow at this level: they say what kind of block it can be.
    clauses: Vec<Word>,
    heading: Option<&'h Heading>,
    /// A method stands right below.
    is_class: bool,
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
            None if level.is_class => out.push(unknown(level.indent, "class _:")),
            None => open_block(level.indent, &level.clauses, &mut out),
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

/// The indentation of the first statement, shown or begun before.
fn first_indent(outline: &Outline) -> Option<usize> {
    let remainder = outline.remainder.map(|remainder| remainder.indent);
    remainder.or(outline.statements.first().map(|first| first.indent))
}

/// The blocks that enclose the first statement, outermost first: one for each indentation that the statements below
/// fall back to, the module, and the heading.
///
/// Only statements count. A closing bracket or an argument can stand left of the statement it belongs to.
fn levels<'h>(
    outline: &Outline,
    first: usize,
    heading: Option<&'h Heading>,
    lines: &[&str],
) -> Vec<Level<'h>> {
    let mut levels: Vec<Level<'h>> = shown_levels(&outline.statements, first);
    let heading = heading.filter(|heading| heading.indent < first);
    if let Some(heading) = heading {
        match levels.iter_mut().find(|l| l.indent == heading.indent) {
            // A clause at its column says that something else stood there.
            Some(level) if !level.clauses.is_empty() => {}
            Some(level) => level.heading = Some(heading),
            None => levels.push(Level {
                heading: Some(heading),
                ..Level::unknown(heading.indent)
            }),
        }
    }
    if first > 0 && levels.iter().all(|level| level.indent > 0) {
        levels.push(Level::unknown(0));
    }
    levels.sort_by_key(|level| level.indent);
    levels.extend(hidden_levels(&levels, first));
    levels.sort_by_key(|level| level.indent);
    mark_class(&mut levels, outline, first, lines);
    levels
}

impl Level<'_> {
    fn unknown(indent: usize) -> Self {
        Level {
            indent,
            clauses: Vec::new(),
            heading: None,
            is_class: false,
        }
    }
}

/// The running minima of the statements' indentation.
fn shown_levels<'h>(statements: &[Statement], first: usize) -> Vec<Level<'h>> {
    let mut levels = Vec::new();
    let mut least = first;
    for (at, statement) in statements.iter().enumerate() {
        if statement.indent < least {
            least = statement.indent;
            let rest = statements.get(at..).unwrap_or(&[]);
            levels.push(Level {
                clauses: clauses(rest, least),
                ..Level::unknown(least)
            });
        }
    }
    levels
}

/// The clauses that begin at an indentation, up to the first statement there or further left.
fn clauses(statements: &[Statement], indent: usize) -> Vec<Word> {
    statements
        .iter()
        .take_while(|statement| statement.indent >= indent)
        .filter(|statement| statement.indent == indent)
        .map(|statement| statement.word)
        .take_while(|word| word.is_clause())
        .collect()
}

/// Blocks that are not shown but must be there, since the lines stand deeper than the next known block allows: below a
/// class a method of unknown name, and below any block at least one more. Without them a statement would seem to stand
/// right in its function, where in truth a `with` or `try` may be around it.
fn hidden_levels<'h>(levels: &[Level<'_>], first: usize) -> Vec<Level<'h>> {
    let inner = levels.iter().skip(1).map(|level| level.indent);
    let pairs = levels.iter().zip(inner.chain(std::iter::once(first)));
    let mut hidden = Vec::new();
    for (level, inner) in pairs {
        let is_class = level.heading.is_some_and(|heading| heading.is_class);
        let steps = if is_class { 1..=2 } else { 1..=1 };
        let between = steps.map(|step| level.indent + step * LEVEL);
        hidden.extend(between.filter(|&indent| indent < inner).map(Level::unknown));
    }
    hidden
}

/// The outermost unknown level is a class if a method stands right below it.
fn mark_class(levels: &mut [Level<'_>], outline: &Outline, first: usize, lines: &[&str]) {
    let below = levels.get(1).map_or(first, |level| level.indent);
    let named = levels.get(1).and_then(|level| level.heading);
    let Some(outer) = levels.first_mut() else {
        return;
    };
    if outer.indent > 0 || outer.heading.is_some() || !outer.clauses.is_empty() {
        return;
    }
    let shown = outline
        .statements
        .iter()
        .take_while(|statement| statement.indent > outer.indent)
        .filter(|statement| statement.indent == below && statement.word == Word::Header)
        .any(|statement| is_method(lines.get(statement.line).copied().unwrap_or("")));
    outer.is_class = shown || named.is_some_and(|heading| is_method(&heading.text));
}

fn is_method(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line).trim_start();
    let parameters = line
        .strip_prefix("def ")
        .and_then(|rest| rest.split_once('('));
    parameters.is_some_and(|(_, parameters)| {
        let parameters = parameters.trim_start();
        let end = parameters.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        matches!(
            parameters.get(..end.unwrap_or(parameters.len())),
            Some("self" | "cls")
        )
    })
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
