//! Lines that cannot be code, whatever stands around them: two names in a row, as in a sentence.
//!
//! Hunks inside of docstrings often show no delimiter. Every start in code then fails at every sentence, which needs no
//! parse to be known.

use super::lex::LexedLine;

/// Words that may stand beside a name.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global",
    "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "print",
    "raise", "return", "try", "type", "while", "with", "yield",
];

/// Whether a line that starts in code has two names side by side before its first string or comment.
pub(super) fn is_no_code(text: &str, line: &LexedLine) -> bool {
    if !line.code || line.in_string {
        return false;
    }
    let end = text.find(['"', '\'', '#', '\\']).unwrap_or(text.len());
    let code = text.get(..end).unwrap_or("");
    // The last word may be the prefix of a string, or go on behind a backslash.
    let mut words = code.split([' ', '\t']).filter(|word| !word.is_empty());
    let mut before = words.next().unwrap_or("");
    words.any(|word| {
        let is_pair = ends_in_name(before) && begins_with_name(word, code);
        before = word;
        is_pair
    })
}

/// Whether the name at the end of a piece of code, if there is one, is no keyword.
fn ends_in_name(piece: &str) -> bool {
    let start = piece.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
    piece.get(start..).is_some_and(is_name)
}

fn begins_with_name(piece: &str, code: &str) -> bool {
    let end = piece.find(|c| !is_word(c));
    let is_last = code.ends_with(piece);
    end.or((!is_last).then_some(piece.len()))
        .and_then(|end| piece.get(..end))
        .is_some_and(is_name)
}

/// Names of ASCII alone; of others it is not said.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.is_ascii()
        && !KEYWORDS.contains(&word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::lex::{Start, lex};

    fn no_code(text: &str) -> bool {
        let lexed = lex(&[text], Start::default());
        lexed
            .lines
            .first()
            .is_some_and(|line| is_no_code(text, line))
    }

    #[test]
    fn sentences_are_no_code() {
        for text in [
            "Read more in the :ref:`User Guide`.",
            "    The maximum number (of jobs).",
            "x = the number of jobs",
            "call(some words) and more",
        ] {
            assert!(no_code(text), "{text}");
        }
    }

    #[test]
    fn code_may_be_code() {
        for text in [
            "async def run(self): return await job",
            "x = a if b else c",
            "print value",
            "match command: ",
            "for key in rows: pass",
            "name = r'a b c'",
            "title = b \"some words\"",
            "value = 1  # the first of them",
            "with open(path) as f, lock:",
            "type Row = list",
            "größe wort",
            "",
        ] {
            assert!(!no_code(text), "{text}");
        }
    }
}
