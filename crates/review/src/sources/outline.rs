//! The statements of a fragment as far as the lexer can tell them.

use super::lex::{Lexed, LexedLine};

/// Indentation of one level, where it must be guessed.
pub(super) const LEVEL: usize = 4;

/// Where statements begin, and what stands before the first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// The rest of a statement that began before the fragment, if the fragment starts inside of one.
    pub(super) remainder: Option<Remainder>,
    pub(super) statements: Vec<Statement>,
}

/// The part of a statement that the fragment starts with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remainder {
    /// The last line that belongs to what began before: a string or a bracket.
    pub(super) line: usize,
    /// The indentation of the statement, guessed from what is shown.
    pub(super) indent: usize,
    /// It ends like the header of a block.
    pub(super) is_header: bool,
}

/// A statement that begins in the fragment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    pub(super) line: usize,
    /// The last line with text of it.
    pub(super) last_line: usize,
    pub(super) indent: usize,
    pub(super) word: Word,
    pub(super) is_header: bool,
}

/// The first word of a statement, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Decorator,
    /// `if`, `for`, `while`, `with`, `def`, `class`.
    Header,
    Try,
    Match,
    Else,
    Elif,
    Except,
    Finally,
    Case,
    /// A keyword of a statement that may end in a comma.
    Keyword,
    Other,
}

impl Word {
    /// Belongs to a statement above it.
    pub(super) fn is_clause(self) -> bool {
        matches!(
            self,
            Word::Else | Word::Elif | Word::Except | Word::Finally | Word::Case
        )
    }

    /// Needs a block below.
    pub(super) fn takes_block(self) -> bool {
        self.is_clause() || matches!(self, Word::Header | Word::Try | Word::Match)
    }

    pub(super) fn handles(self) -> bool {
        matches!(self, Word::Except | Word::Finally)
    }
}

/// Finds the statements. `brackets` is how many are said to be open before the first line.
pub(super) fn outline(lines: &[&str], lexed: &Lexed, brackets: usize) -> Outline {
    let remainder_end = remainder_end(lexed, brackets);
    let first = remainder_end.map_or(0, |end| logical_end(lexed, end) + 1);
    let statements = statements(lines, lexed, first);
    let in_brackets = brackets > 0 || !lexed.unmatched.is_empty();
    let end = first.saturating_sub(1);
    let remainder =
        remainder_end.map(|line| remainder(line, end, lexed, in_brackets, statements.first()));
    Outline {
        remainder,
        statements,
    }
}

/// The last line of what was open before the fragment.
fn remainder_end(lexed: &Lexed, brackets: usize) -> Option<usize> {
    let last = lexed.lines.len().checked_sub(1)?;
    let closed = |line: &LexedLine| line.end_depth == 0;
    let bracket = (brackets > 0).then(|| lexed.lines.iter().position(closed).unwrap_or(last));
    let unmatched = lexed.unmatched.last().map(|bracket| bracket.line);
    let in_string = lexed.lines.first().is_some_and(|line| line.in_string);
    let string = in_string.then(|| lexed.closed.first().map_or(last, |closed| closed.line));
    bracket.max(unmatched).max(string)
}

/// The last line of the logical line that this one belongs to.
fn logical_end(lexed: &Lexed, mut at: usize) -> usize {
    while lexed.lines.get(at).is_some_and(LexedLine::is_open)
        || lexed.lines.get(at + 1).is_some_and(|next| next.continues)
    {
        if at + 1 >= lexed.lines.len() {
            break;
        }
        at += 1;
    }
    at
}

fn statements(lines: &[&str], lexed: &Lexed, first: usize) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for (at, line) in lexed.lines.iter().enumerate().skip(first) {
        if line.code && !line.in_string && line.depth == 0 && !line.continues {
            let text = lines.get(at).copied().unwrap_or("");
            statements.push(Statement {
                line: at,
                last_line: at,
                indent: line.indent,
                word: word(text, line),
                is_header: line.ends_header(),
            });
        } else if (line.code || line.in_string)
            && let Some(last) = statements.last_mut()
        {
            last.last_line = at;
            last.is_header = line.ends_header();
        }
    }
    statements
}

fn word(text: &str, line: &LexedLine) -> Word {
    let text = text.trim_start_matches([' ', '\t', '\x0c']);
    if text.starts_with('@') {
        return Word::Decorator;
    }
    let after_async = text.strip_prefix("async ").map(str::trim_start);
    let text = after_async.unwrap_or(text);
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let (word, rest) = text
        .split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or((text, ""));
    match word {
        "if" | "for" | "while" | "with" | "def" | "class" => Word::Header,
        "try" => Word::Try,
        // These two are names as well.
        "match" if !is_used_as_name(rest, "=.[") => Word::Match,
        "case" if line.ends_header() && !is_used_as_name(rest, "=.(,") => Word::Case,
        "else" => Word::Else,
        "elif" => Word::Elif,
        "except" => Word::Except,
        "finally" => Word::Finally,
        "return" | "yield" | "from" | "import" | "assert" | "raise" | "del" | "global"
        | "nonlocal" | "print" | "lambda" | "await" => Word::Keyword,
        _ => Word::Other,
    }
}

fn is_used_as_name(rest: &str, signs: &str) -> bool {
    rest.trim_start().starts_with(|c| signs.contains(c))
}

/// A remainder's indentation is that of a closer that stands first on its line; else that of its neighbour.
fn remainder(
    line: usize,
    end: usize,
    lexed: &Lexed,
    in_brackets: bool,
    next: Option<&Statement>,
) -> Remainder {
    let indent_of = |line: usize| lexed.lines.get(line).map_or(0, |line| line.indent);
    let is_header = in_brackets && lexed.lines.get(end).is_some_and(LexedLine::ends_header);
    let closer = lexed.unmatched.last();
    let indent = match (closer, in_brackets) {
        (Some(closer), _) if closer.first => indent_of(closer.line),
        (None, true) => least_indent(lexed).saturating_sub(LEVEL),
        (_, inside) => match next {
            Some(next) if is_header => next.indent.saturating_sub(LEVEL),
            Some(next) if next.word.is_clause() => next.indent + LEVEL,
            Some(next) => next.indent,
            None if inside => indent_of(line).saturating_sub(LEVEL),
            None => indent_of(line),
        },
    };
    // Only below a header can lines stand deeper.
    let least = next.filter(|_| !is_header).map_or(0, |next| next.indent);
    Remainder {
        line,
        indent: indent.max(least),
        is_header,
    }
}

fn least_indent(lexed: &Lexed) -> usize {
    let shown = lexed.lines.iter().filter(|line| line.code);
    shown.map(|line| line.indent).min().unwrap_or(0)
}
