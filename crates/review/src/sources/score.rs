//! How well a hypothesis explains a fragment. The unit is a thousandth of an erroneous line; less is better.
//!
//! Errors alone mislead: a string swallows any text without one. So text that reads as code earns a little, and
//! signs that a string begins or ends where none can are held against a hypothesis.

use super::outline::{Outline, Statement, Word};
use super::prose::is_no_code;
use super::scaffold::Built;
use std::ops::Range;
use syntax::{Kind, LineIndex, Tree};

/// An erroneous line, or one thing that cannot be.
const LINE: i64 = 1000;

/// A single error, so that of two answers with as many bad lines the one with fewer errors wins.
const ERROR: i64 = 10;

/// A line of code without an error. It keeps "all of it is a string" from winning.
const CODE: i64 = 30;

/// Lines that earn as much. A long example in a docstring must not outweigh the sign that it is one.
const EARNING: i64 = 30;

/// What lines behind those earn together at most.
const REST: i64 = 60;

/// What the lexer alone holds against a hypothesis.
pub(super) fn penalty(lines: &[&str], built: &Built) -> i64 {
    let opened = built.lexed.opened.iter().filter(|opened| {
        let text = lines.get(opened.line).copied().unwrap_or("");
        let before = text.get(..opened.column).unwrap_or("");
        follows_text(before)
            || before.trim().is_empty()
                && opened.depth == 0
                && !opened.continues
                && stands_alone(opened.line, &built.outline)
    });
    let closed = built.lexed.closed.iter().filter(|closed| {
        let text = lines.get(closed.line).copied().unwrap_or("");
        let after = text.get(closed.after..).unwrap_or("").trim_start();
        after.starts_with(|c: char| c.is_alphanumeric() || "_\"'`".contains(c))
    });
    let trailing = built.outline.statements.iter();
    let trailing = trailing.filter(|statement| ends_in_comma(statement, built));
    let count = opened.count() + closed.count() + trailing.count();
    LINE * (count as i64 + i64::from(built.lexed.mismatches))
}

/// The least score that the hypothesis can have: that of a parse without errors.
pub(super) fn bound(lines: &[&str], built: &Built, cost: i64) -> i64 {
    cost + penalty(lines, built) - earned(code_lines(built))
}

/// Always less than one thing that cannot be.
fn earned(lines: i64) -> i64 {
    let rest = (lines - EARNING).clamp(0, REST);
    CODE * lines.min(EARNING) + rest
}

/// The least score that it can have, lines considered that are an error in any parse. A bound that is met earlier.
pub(super) fn least(lines: &[&str], built: &Built, bound: i64) -> i64 {
    let shown = lines.iter().zip(&built.lexed.lines);
    let wrong = shown.filter(|(text, line)| is_no_code(text, line)).count() as i64;
    bound + wrong * (LINE + CODE) + ERROR * wrong.min(1)
}

/// What errors add to the bound. `own` are the rows of the parsed text that the fragment's lines stand on.
pub(super) fn errors(text: &str, tree: &Tree, own: &Range<usize>, built: &Built) -> i64 {
    let index = LineIndex::new(text);
    let mut rows = 0;
    let mut count = 0;
    let mut code_rows = 0;
    // Nodes ascend, so rows behind `next` are still uncounted.
    let mut next = own.start;
    for node in tree.nodes() {
        if tree.kind(node) != Kind::Error && !tree.is_missing(node) {
            continue;
        }
        count += 1;
        let span = tree.span(node);
        let first = (index.line(span.start) as usize).max(next);
        let end = index.line(span.end.saturating_sub(1).max(span.start)) as usize + 1;
        for row in first..end.min(own.end) {
            rows += 1;
            let line = built.lexed.lines.get(row - own.start);
            code_rows += i64::from(line.is_some_and(|line| line.code && !line.in_string));
        }
        next = next.max(end.min(own.end));
    }
    LINE * rows + ERROR * count + CODE * code_rows
}

fn code_lines(built: &Built) -> i64 {
    let lines = built.lexed.lines.iter();
    lines.filter(|line| line.code && !line.in_string).count() as i64
}

/// A string cannot open right behind a word or a closing sign; prose before a closing delimiter looks like that.
fn follows_text(before: &str) -> bool {
    let letters = before.trim_end_matches(|c| "rRbBfFuU".contains(c));
    // At most two letters are a string's prefix.
    let before = match before.len() - letters.len() {
        0..=2 => letters,
        _ => before,
    };
    before.ends_with(|c: char| c.is_alphanumeric() || "_.!?])'\"`".contains(c))
}

/// A string that is a statement documents the header above it; elsewhere its delimiter rather closes a string.
fn stands_alone(line: usize, outline: &Outline) -> bool {
    if outline
        .remainder
        .is_some_and(|remainder| line <= remainder.line)
    {
        return false;
    }
    let statements = &outline.statements;
    let Ok(at) = statements.binary_search_by_key(&line, |statement| statement.line) else {
        return false;
    };
    match at.checked_sub(1).and_then(|before| statements.get(before)) {
        Some(before) => !before.is_header,
        None => outline
            .remainder
            .is_some_and(|remainder| !remainder.is_header),
    }
}

/// `a=1,` without a bracket in sight is an argument, not an assignment.
fn ends_in_comma(statement: &Statement, built: &Built) -> bool {
    let can = matches!(
        statement.word,
        Word::Keyword | Word::Header | Word::Except | Word::Try
    );
    let last = built.lexed.lines.get(statement.last_line);
    !can && last.is_some_and(|last| last.last == Some(b',') && !last.is_open())
}
