//! What closes a fragment that ends inside of a string, a bracket, a header or a `try`.

use super::Scaffold;
use super::lex::{Lexed, closer};
use super::outline::{Outline, Statement, Word};
use super::prefix::Hypothesis;
use super::scaffold::{Line, at};

/// Words behind which an operand must follow.
const OPERATORS: &[&str] = &[
    "and", "or", "not", "in", "is", "if", "else", "lambda", "for", "await", "return", "yield",
    "from", "as",
];

/// The lines below a fragment.
pub(super) fn below(
    lines: &[&str],
    lexed: &Lexed,
    outline: &Outline,
    hypothesis: &Hypothesis,
) -> Vec<Line> {
    let last = Last::of(outline, hypothesis);
    let mut out = Vec::new();
    let is_open = !lexed.brackets.is_empty() || lexed.continued;
    let mut text = closers(lines, lexed, &last, hypothesis);
    if is_open && last.takes_block {
        text.push_str(": pass");
    }
    if !text.is_empty() {
        // Inside a string white space would become part of it.
        let indent = if lexed.quote.is_some() {
            0
        } else {
            last.indent + 1
        };
        out.push(at(indent, &text));
    }
    if last.word == Word::Decorator {
        out.push(at(last.indent, "def _(): pass"));
    } else if !is_open && last.is_header {
        let body = if last.word == Word::Match {
            "case _: pass"
        } else {
            "pass"
        };
        out.push(at(last.indent + 1, body));
    }
    out.extend(open_tries(&outline.statements).map(|indent| at(indent, "finally: pass")));
    out.into_iter().map(|line| (line, Scaffold::Tail)).collect()
}

/// The statement that the fragment ends in.
struct Last {
    indent: usize,
    word: Word,
    is_header: bool,
    takes_block: bool,
    imports: bool,
}

impl Last {
    fn of(outline: &Outline, hypothesis: &Hypothesis) -> Last {
        match (outline.statements.last(), outline.remainder) {
            (Some(last), _) => Last {
                indent: last.indent,
                word: last.word,
                is_header: last.is_header,
                takes_block: last.word.takes_block(),
                imports: last.word == Word::Keyword,
            },
            (None, Some(remainder)) => Last {
                indent: remainder.indent,
                word: Word::Other,
                is_header: remainder.is_header,
                takes_block: hypothesis.is_header,
                imports: false,
            },
            (None, None) => Last {
                indent: 0,
                word: Word::Other,
                is_header: false,
                takes_block: false,
                imports: false,
            },
        }
    }
}

fn closers(lines: &[&str], lexed: &Lexed, last: &Last, hypothesis: &Hypothesis) -> String {
    let mut text = String::from(lexed.quote.map_or("", |quote| quote.text()));
    let is_open = !lexed.brackets.is_empty();
    if lexed.quote.is_none() && (lexed.continued || is_open && wants_operand(lines, lexed, last)) {
        text.push('_');
    }
    if is_open {
        text.push_str(hypothesis.operand);
    }
    text.extend(lexed.brackets.iter().rev().map(|&bracket| closer(bracket)));
    text
}

/// Whether the last token is an operator, or an import's bracket, which cannot be empty.
fn wants_operand(lines: &[&str], lexed: &Lexed, last: &Last) -> bool {
    let shown = lexed.lines.iter().zip(lines).rev();
    let Some((line, text)) = shown.into_iter().find(|(line, _)| line.code) else {
        return false;
    };
    let code = text.get(..line.code_end).unwrap_or("").trim_end();
    if last.imports && code.ends_with('(') && code.trim_start().starts_with("from ") {
        return true;
    }
    if code.ends_with(|c| "=+-*/%.&|^~<>:@!".contains(c)) {
        return true;
    }
    let word = code
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next();
    word.is_some_and(|word| OPERATORS.contains(&word))
}

/// The indentation of each `try` without a handler, innermost first.
fn open_tries(statements: &[Statement]) -> impl Iterator<Item = usize> + use<> {
    let mut open: Vec<(usize, bool)> = Vec::new();
    for statement in statements {
        while open
            .last()
            .is_some_and(|&(indent, _)| indent > statement.indent)
        {
            open.pop();
        }
        if let Some(top) = open.last_mut().filter(|top| top.0 == statement.indent) {
            if statement.word.is_clause() {
                top.1 &= !statement.word.handles();
                continue;
            }
            open.pop();
        }
        open.push((statement.indent, statement.word == Word::Try));
    }
    let unhandled = open.into_iter().rev().filter(|&(_, is_open)| is_open);
    unhandled.map(|(indent, _)| indent)
}
