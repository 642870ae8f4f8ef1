//! Hypotheses: what may stand before a fragment that starts inside of a string or a bracket, or behind one that ends
//! inside of a bracket.

use super::lex::{Lexed, LexedLine, Quote, Unmatched, opener};

/// One answer to the question in which state a fragment starts and ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hypothesis {
    /// The string that the fragment starts in.
    pub(super) quote: Option<Quote>,
    /// Brackets that are open before the fragment besides those which it closes itself, or all of them if one is
    /// never closed; outermost first.
    pub(super) brackets: Vec<u8>,
    /// The beginning of the statement that the fragment starts inside of.
    pub(super) prefix: String,
    /// The prefix begins the header of a block.
    pub(super) is_header: bool,
    /// What the last open bracket needs before it can be closed.
    pub(super) operand: &'static str,
    /// How unlikely it is without looking at the parse, in thousandths of an erroneous line.
    pub(super) cost: i64,
}

/// More unmatched closers than code has: only the plain prefix is tried then.
const DEEPEST: usize = 24;

/// A bracket that is never closed must explain at least half an erroneous line.
const NEVER_CLOSED: i64 = 500;

/// A closer followed by a comma stands in an outer bracket; other closers seldom do.
const UNLIKELY: i64 = 100;

/// Starts for the brackets that a fragment closes and does not open, the likeliest first.
pub(super) fn for_closers(lines: &[&str], lexed: &Lexed, quote: Option<Quote>) -> Vec<Hypothesis> {
    let Some(last) = lexed.unmatched.last() else {
        return Vec::new();
    };
    let operand = if quote.is_some() {
        ""
    } else {
        first_operand(lines)
    };
    let closing = Closing::of(lines, lexed, last, operand);
    let mut found = Vec::new();
    if closing.openers.len() > DEEPEST {
        closing.add("", &mut found);
    } else if closing.is_header {
        closing.headers(&mut found);
    } else {
        closing.statements(&mut found);
        closing.outer(&mut found);
    }
    for hypothesis in &mut found {
        hypothesis.quote = quote;
    }
    found
}

/// Starts inside of a bracket that the fragment never closes.
pub(super) fn never_closed(lines: &[&str], quote: Option<Quote>) -> Vec<Hypothesis> {
    let operand = quote.map_or_else(|| first_operand(lines), |_| "");
    let starts: [(&str, u8); 6] = [
        ("_(", b'('),
        ("{", b'{'),
        ("[", b'['),
        ("def _(", b'('),
        ("{0:", b'{'),
        ("from _ import (", b'('),
    ];
    let hypothesis = |(prefix, bracket): (&str, u8)| Hypothesis {
        quote,
        brackets: vec![bracket],
        prefix: format!("{prefix}{operand}"),
        is_header: prefix.starts_with("def"),
        cost: NEVER_CLOSED,
        ..Hypothesis::default()
    };
    starts.map(hypothesis).into()
}

/// Ends inside of a bracket that cannot be closed just there.
pub(super) fn unfinished() -> Vec<Hypothesis> {
    let operand = |operand| Hypothesis {
        operand,
        cost: UNLIKELY,
        ..Hypothesis::default()
    };
    ["_", "else _", "in _", ":_"].map(operand).into()
}

/// The unmatched closers of a fragment and what stands behind the last of them.
struct Closing<'a> {
    /// The brackets to open, outermost first.
    openers: Vec<u8>,
    operand: &'static str,
    rest: &'a str,
    is_header: bool,
    /// `= value` follows: what is closed is the target of an assignment, its annotation, or that of a parameter.
    is_target: bool,
    /// The line of the last closer ends in a comma.
    ends_in_comma: bool,
    /// The closed lines speak of exceptions.
    names_errors: bool,
}

impl<'a> Closing<'a> {
    fn of(
        lines: &[&'a str],
        lexed: &Lexed,
        last: &Unmatched,
        operand: &'static str,
    ) -> Closing<'a> {
        let line = lines.get(last.line).copied().unwrap_or("");
        let rest = line.get(last.column + 1..).unwrap_or("").trim_start();
        let shown = lexed.lines.get(last.line..).unwrap_or(&[]);
        let end = shown.iter().find(|line| !line.is_open()).or(shown.last());
        let is_header = end.is_some_and(LexedLine::ends_header)
            || rest.starts_with("->")
            || rest.starts_with(':');
        let brackets = lexed.unmatched.iter().rev();
        Closing {
            openers: brackets.map(|closer| opener(closer.bracket)).collect(),
            operand,
            rest,
            is_header,
            is_target: rest.starts_with('=') && !rest.starts_with("=="),
            ends_in_comma: end.is_some_and(|line| line.last == Some(b',')),
            names_errors: lines
                .iter()
                .take(last.line + 1)
                .any(|line| line.contains("Error") || line.contains("Exception")),
        }
    }

    /// The header of a block: parameters, a condition, items of a `with`.
    fn headers(&self, found: &mut Vec<Hypothesis>) {
        let (outer, inner) = self.openers.split_first().unwrap_or((&b'(', &[]));
        let is_with = starts_with_word(self.rest, "as");
        if *outer == b'(' && !inner.is_empty() && !is_with {
            let starts = match inner.first() {
                Some(b'[') => ["def _(_:_", "def _(_="],
                _ => ["def _(_=", "def _(_:"],
            };
            for start in starts {
                let prefix = format!("{start}{}{}", open(inner), self.operand);
                found.push(header(prefix));
            }
        }
        if self.names_errors && *outer == b'(' {
            self.add("except (", found);
        }
        let kinds: &[&str] = match (outer, self.rest.starts_with("->"), is_with) {
            (_, true, _) => &["def _("],
            (b'(', _, true) => &["with _(", "def _(", "if (", "with (", "except ("],
            (b'(', _, false) => &["def _(", "if (", "with (", "with _("],
            _ => &["if ", "for _ in "],
        };
        for kind in kinds {
            self.add(kind, found);
        }
        if *outer == b'(' {
            for kind in ["for _ in (", "class _(", "except ("] {
                self.add(kind, found);
            }
        }
    }

    /// A statement that is whole with these brackets.
    fn statements(&self, found: &mut Vec<Hypothesis>) {
        match self.openers.as_slice() {
            [b'('] if starts_with_word(self.rest, "from") => self.add("raise _(", found),
            [b'('] if self.is_target => self.add("(", found),
            [b'[', ..] if self.is_target => self.add("_: _", found),
            _ => {}
        }
        self.add("", found);
        if self.openers.as_slice() == b"(" {
            self.add("from _ import (", found);
        }
        if self.openers.len() > 1 || !self.operand.is_empty() {
            self.add("_ = ", found);
        }
    }

    /// The same inside of one more bracket, which the fragment never closes.
    fn outer(&self, found: &mut Vec<Hypothesis>) {
        let is_parameter = self.is_target && self.ends_in_comma;
        let in_outer = self.rest.starts_with(',') || is_parameter;
        if !in_outer && !self.rest.is_empty() && !self.rest.starts_with([')', ']', '}', '#']) {
            return;
        }
        let mut starts: [(&str, &[u8]); 6] = [
            ("{0:", b"{"),
            ("_(", b"("),
            ("[", b"["),
            ("def _(_:_", b"("),
            ("def _(_=", b"("),
            ("{0:[", b"{["),
        ];
        if is_parameter {
            starts.rotate_left(3);
        }
        let outer = starts.map(|(start, brackets)| Hypothesis {
            brackets: [brackets, &self.openers].concat(),
            prefix: format!("{start}{}{}", open(&self.openers), self.operand),
            is_header: start.starts_with("def"),
            cost: if in_outer { 0 } else { UNLIKELY },
            ..Hypothesis::default()
        });
        if in_outer {
            for hypothesis in found.iter_mut() {
                hypothesis.cost += UNLIKELY;
            }
            found.splice(0..0, outer);
        } else {
            found.extend(outer);
        }
    }

    /// Adds a start of the given kind, with its variants: a dictionary's value, and no operand in front.
    fn add(&self, kind: &str, found: &mut Vec<Hypothesis>) {
        let start = self.start(kind);
        let is_header = !kind.is_empty()
            && !matches!(kind, "_ = " | "_: _" | "(" | "raise _(" | "from _ import (");
        let mut push = |prefix: String| {
            let is_new = found.iter().all(|known| known.prefix != prefix);
            if is_new {
                found.push(Hypothesis {
                    is_header,
                    ..statement(prefix)
                });
            }
        };
        push(format!("{start}{}", self.operand));
        push(start.clone());
        if self.openers.last() == Some(&b'{') {
            push(format!("{start}0:{}", self.operand));
            push(format!("{start}0:"));
        }
        if start.contains("{0:") {
            push(format!("{}{}", start.replace("{0:", "{"), self.operand));
        }
    }

    /// Opens the brackets; a kind that ends in a bracket stands for the outermost.
    fn start(&self, kind: &str) -> String {
        match (kind.strip_suffix('('), self.openers.split_first()) {
            (Some(words), Some((&outer, inner))) => {
                let bracket = char::from(outer);
                format!("{words}{bracket}{}", open(inner))
            }
            _ => format!("{kind}{}", open(&self.openers)),
        }
    }
}

/// Expressions that open the brackets, outermost first.
fn open(brackets: &[u8]) -> String {
    let innermost = brackets.len().saturating_sub(1);
    let one = |(at, bracket): (usize, &u8)| match bracket {
        b'(' => "_(",
        b'[' => "[",
        _ if at == innermost => "{",
        _ => "{0:",
    };
    brackets.iter().enumerate().map(one).collect()
}

fn statement(prefix: String) -> Hypothesis {
    Hypothesis {
        prefix,
        ..Hypothesis::default()
    }
}

fn header(prefix: String) -> Hypothesis {
    Hypothesis {
        is_header: true,
        ..statement(prefix)
    }
}

/// What a fragment that starts in the middle of an expression lacks in front.
fn first_operand(lines: &[&str]) -> &'static str {
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = lines.iter().find(is_code).map_or("", |line| line.trim());
    if starts_with_word(first, "else") {
        let rest = first.get("else".len()..).unwrap_or("").trim_start();
        return if rest.starts_with(':') { "" } else { "_ if _ " };
    }
    let words = ["and", "or", "in", "is", "if", "for", "as", "not in"];
    let is_operator = words.iter().any(|word| starts_with_word(first, word))
        || first.starts_with(|c| ".+-*/%|&^<>=!,:".contains(c))
        || first.starts_with('@') && !first.get(1..).is_some_and(|rest| rest.starts_with(is_word));
    if is_operator && !is_prefix_operator(first) {
        "_ "
    } else {
        ""
    }
}

/// `*args`, `**options` and `-1` begin an argument.
fn is_prefix_operator(first: &str) -> bool {
    let splat = first.trim_start_matches('*');
    let is_splat = splat.len() < first.len() && splat.starts_with(is_word);
    let negative = first.strip_prefix('-').map(str::trim_start);
    is_splat || negative.is_some_and(|rest| rest.starts_with(is_word))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(is_word))
}
