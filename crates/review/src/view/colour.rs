//! Colours for Python, line by line, as a reader needs them: good enough to read by, never asked by a rule.

use report::{Span, SpanClass};

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

const TRIPLES: [&str; 2] = ["\"\"\"", "'''"];

/// The string that is open at the end of a line, by its delimiter.
pub(super) type Open = Option<&'static str>;

/// The spans of a line in UTF-16 units, and what is open behind it.
pub(super) fn line(text: &str, open: Open) -> (Vec<Span>, Open) {
    let mut painter = Painter {
        text,
        at: 0,
        units: 0,
        spans: Vec::new(),
        after: None,
        open: None,
    };
    if let Some(delimiter) = open {
        painter.string(0, delimiter);
    }
    while painter.token() {}
    (painter.spans, painter.open)
}

/// What is open before the first of these lines: a hunk can start inside a docstring.
/// Then the first triple quote closes: it ends its line, and the line before opens no block.
pub(super) fn before<'t>(lines: impl Iterator<Item = &'t str>) -> Open {
    let mut previous = "";
    for line in lines {
        let trimmed = line.trim();
        if let Some(delimiter) = TRIPLES.into_iter().find(|triple| trimmed.contains(triple)) {
            let rest = trimmed.strip_suffix(delimiter);
            let closes = rest.is_some_and(|rest| !rest.contains(delimiter) && !is_opened(rest));
            return (closes && !previous.ends_with(':') && !previous.is_empty())
                .then_some(delimiter);
        }
        if !trimmed.is_empty() {
            previous = trimmed;
        }
    }
    None
}

/// Whether a string is the value of what stands before it, as in `TEXT = """`.
fn is_opened(rest: &str) -> bool {
    rest.trim_end_matches(is_prefix)
        .trim_end()
        .ends_with(['=', '(', ',', '[', '{', ':', '+'])
}

struct Painter<'t> {
    text: &'t str,
    /// In bytes.
    at: usize,
    /// The same place in UTF-16 units.
    units: u32,
    spans: Vec<Span>,
    /// The keyword before, which says what a name is.
    after: Option<&'t str>,
    open: Open,
}

impl<'t> Painter<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Paints the next token; false at the end.
    fn token(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        match first {
            '#' => self.paint(rest.len(), SpanClass::Comment),
            '"' | '\'' => self.quoted(0),
            '@' if self
                .text
                .get(..self.at)
                .is_some_and(|head| head.trim().is_empty()) =>
            {
                let name = len_while(rest, |c| is_word(c) || matches!(c, '@' | '.'));
                self.paint(name, SpanClass::Decorator);
            }
            _ if first.is_ascii_digit() => {
                let number = len_while(rest, |c| is_word(c) || c == '.');
                self.paint(number, SpanClass::Number);
            }
            _ if is_word(first) => self.word(),
            _ => self.skip(first.len_utf8()),
        }
        true
    }

    fn word(&mut self) {
        let rest = self.rest();
        let (word, behind) = rest
            .split_at_checked(len_while(rest, is_word))
            .unwrap_or((rest, ""));
        let is_quoted = behind.starts_with(['"', '\'']);
        if is_quoted && word.len() <= 2 && word.chars().all(is_prefix) {
            return self.quoted(word.len());
        }
        let before = self.after.take();
        if KEYWORDS.contains(&word) {
            self.after = Some(word);
            self.paint(word.len(), SpanClass::Keyword);
        } else if matches!(before, Some("def" | "class")) {
            self.paint(word.len(), SpanClass::Definition);
        } else if behind.starts_with('(') {
            self.paint(word.len(), SpanClass::Call);
        } else {
            self.skip(word.len());
        }
    }

    /// A string whose quotes come after this many bytes of prefix.
    fn quoted(&mut self, prefix: usize) {
        let quotes = self.rest().get(prefix..).unwrap_or("");
        let triple = TRIPLES
            .into_iter()
            .find(|triple| quotes.starts_with(triple));
        match triple {
            Some(delimiter) => self.string(prefix + delimiter.len(), delimiter),
            None if quotes.starts_with('"') => self.string(prefix + 1, "\""),
            None => self.string(prefix + 1, "'"),
        }
    }

    /// Paints from here to behind the delimiter that closes, looked for after this many bytes.
    fn string(&mut self, from: usize, delimiter: &'static str) {
        let rest = self.rest();
        let mut at = from;
        while let Some(c) = rest.get(at..).and_then(|rest| rest.chars().next()) {
            if rest
                .get(at..)
                .is_some_and(|rest| rest.starts_with(delimiter))
            {
                return self.paint(at + delimiter.len(), SpanClass::String);
            }
            at += c.len_utf8();
            if c == '\\' {
                let escaped = rest.get(at..).and_then(|rest| rest.chars().next());
                at += escaped.map_or(0, char::len_utf8);
            }
        }
        if delimiter.len() == 3 {
            self.open = Some(delimiter);
        }
        self.paint(rest.len(), SpanClass::String);
    }

    fn paint(&mut self, len: usize, class: SpanClass) {
        let start = self.units;
        self.skip(len);
        if self.units > start {
            let end = self.units;
            self.spans.push(Span { start, end, class });
        }
    }

    fn skip(&mut self, len: usize) {
        let skipped = self.rest().get(..len).unwrap_or("");
        self.units += skipped.encode_utf16().count() as u32;
        self.at += len;
    }
}

fn len_while(text: &str, is_in: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_in(c)).unwrap_or(text.len())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A letter of a string's prefix.
fn is_prefix(c: char) -> bool {
    matches!(c.to_ascii_lowercase(), 'r' | 'b' | 'f' | 'u' | 't')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The painted pieces, each behind its class.
    #[track_caller]
    fn check(text: &str, open: Open, painted: &[(SpanClass, &str)], behind: Open) {
        let (spans, after) = line(text, open);
        let units: Vec<u16> = text.encode_utf16().collect();
        let of =
            |span: &Span| String::from_utf16_lossy(&units[span.start as usize..span.end as usize]);
        let found: Vec<(SpanClass, String)> =
            spans.iter().map(|span| (span.class, of(span))).collect();
        let expected: Vec<(SpanClass, String)> = painted
            .iter()
            .map(|(class, text)| (*class, (*text).to_owned()))
            .collect();
        assert_eq!((found, after), (expected, behind));
    }

    #[test]
    fn a_line_is_painted() {
        use SpanClass::*;
        let painted = [
            (Keyword, "async"),
            (Keyword, "def"),
            (Definition, "run"),
            (Number, "1.5"),
            (Comment, "# é"),
        ];
        check("async def run(x=1.5):  # é", None, &painted, None);
        let painted = [
            (Keyword, "return"),
            (Call, "f"),
            (String, "rb'a\\'#'"),
            (Keyword, "None"),
        ];
        check("return f(rb'a\\'#', None)", None, &painted, None);
        check("    @app.get(x)", None, &[(Decorator, "@app.get")], None);
        check(
            "\u{1F600} = \"\u{1F600}\" # x",
            None,
            &[(String, "\"\u{1F600}\""), (Comment, "# x")],
            None,
        );
    }

    #[test]
    fn strings_go_over_lines() {
        use SpanClass::*;
        check("x = \"\"\"a", None, &[(String, "\"\"\"a")], Some("\"\"\""));
        check(
            "b\"\"\" if y",
            Some("\"\"\""),
            &[(String, "b\"\"\""), (Keyword, "if")],
            None,
        );
        check("x = 'open", None, &[(String, "'open")], None);
    }

    #[test]
    fn a_hunk_can_start_in_a_docstring() {
        let lines = |text: &'static str| text.lines();
        assert_eq!(before(lines("more words.\n\"\"\"\nx = 1")), Some("\"\"\""));
        assert_eq!(before(lines("def f():\n    \"\"\"\n    words")), None);
        assert_eq!(before(lines("x = 1\nTEXT = \"\"\"\nwords")), None);
        assert_eq!(before(lines("x = 1\n\"\"\"One line.\"\"\"")), None);
    }
}
