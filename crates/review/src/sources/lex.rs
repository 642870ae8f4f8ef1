//! A line lexer: which lines of a hunk stand in a string or in brackets, and what the hunk closes without opening.
//!
//! It knows strings, brackets, comments and backslashes, which is all that decides where statements begin. A hunk
//! can start anywhere, so the caller says in what state the first line starts.

/// A string delimiter that can span lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
}

impl Quote {
    pub(super) const ALL: [Quote; 2] = [Quote::Double, Quote::Single];

    pub(super) fn text(self) -> &'static str {
        match self {
            Quote::Double => "\"\"\"",
            Quote::Single => "'''",
        }
    }

    fn of(byte: u8) -> Quote {
        if byte == b'"' {
            Quote::Double
        } else {
            Quote::Single
        }
    }
}

/// The state before the first line.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    pub(super) quote: Option<Quote>,
    /// Open brackets, outermost first.
    pub(super) brackets: Vec<u8>,
}

/// What the lexer saw.
#[derive(Clone, Debug, Default)]
pub(super) struct Lexed {
    pub(super) lines: Vec<LexedLine>,
    /// Closing brackets whose opening ones stand before the hunk.
    pub(super) unmatched: Vec<Unmatched>,
    pub(super) opened: Vec<Opened>,
    pub(super) closed: Vec<Closed>,
    /// What a sound text does not have: brackets that close others, strings that do not end on their line.
    pub(super) mismatches: u32,
    /// The state behind the last line.
    pub(super) quote: Option<Quote>,
    pub(super) brackets: Vec<u8>,
    pub(super) continued: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LexedLine {
    /// Columns of white space in front, counted as the parser counts them.
    pub(super) indent: usize,
    /// The line starts in a string that spans lines.
    pub(super) in_string: bool,
    /// Open brackets before the line.
    pub(super) depth: usize,
    /// The line before ends in a backslash.
    pub(super) continues: bool,
    /// There is a token besides a string that began before.
    pub(super) code: bool,
    /// The last token's last byte; a quote for any string.
    pub(super) last: Option<u8>,
    /// Where a comment or trailing white space begins, in bytes.
    pub(super) code_end: usize,
    pub(super) ends_in_string: bool,
    pub(super) end_depth: usize,
}

impl LexedLine {
    /// Ends a header of a block, as far as tokens tell.
    pub(super) fn ends_header(&self) -> bool {
        self.last == Some(b':') && self.end_depth == 0 && !self.ends_in_string
    }

    pub(super) fn is_open(&self) -> bool {
        self.end_depth > 0 || self.ends_in_string
    }
}

/// A closing bracket without its opening one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unmatched {
    pub(super) bracket: u8,
    pub(super) line: usize,
    /// Byte offset in the line.
    pub(super) column: usize,
    /// Nothing but white space stands before it.
    pub(super) first: bool,
}

/// A place where a multi-line delimiter opens a string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) depth: usize,
    pub(super) continues: bool,
}

/// A place where a multi-line delimiter closes a string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    pub(super) line: usize,
    /// Byte offset behind the delimiter.
    pub(super) after: usize,
}

/// Lexes lines that stand behind `start`.
pub(super) fn lex(lines: &[&str], start: Start) -> Lexed {
    let mut lexer = Lexer {
        out: Lexed {
            quote: start.quote,
            brackets: start.brackets,
            ..Lexed::default()
        },
    };
    for (at, text) in lines.iter().enumerate() {
        lexer.line(at, text);
    }
    lexer.out
}

/// Columns of the white space in front. The parser counts a tab as 8 columns wherever it stands, and a form feed
/// starts anew.
pub(super) fn indent(text: &str) -> usize {
    let mut columns = 0;
    for byte in text.bytes() {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 8,
            b'\x0c' => columns = 0,
            _ => break,
        }
    }
    columns
}

struct Lexer {
    out: Lexed,
}

impl Lexer {
    fn line(&mut self, at: usize, text: &str) {
        let mut line = LexedLine {
            indent: indent(text),
            in_string: self.out.quote.is_some(),
            depth: self.out.brackets.len(),
            continues: std::mem::take(&mut self.out.continued),
            ..LexedLine::default()
        };
        let bytes = text.as_bytes();
        let mut column = 0;
        while let Some(&byte) = bytes.get(column) {
            column = match self.out.quote {
                Some(quote) => self.inside_string(at, bytes, column, quote, &mut line),
                None => match byte {
                    b'#' => break,
                    b' ' | b'\t' | b'\x0c' => column + 1,
                    _ => self.token(at, bytes, column, &mut line),
                },
            };
        }
        line.ends_in_string = self.out.quote.is_some();
        line.end_depth = self.out.brackets.len();
        self.out.lines.push(line);
    }

    fn inside_string(
        &mut self,
        at: usize,
        bytes: &[u8],
        column: usize,
        quote: Quote,
        line: &mut LexedLine,
    ) -> usize {
        let rest = bytes.get(column..).unwrap_or(&[]);
        match string_end(rest, quote.text().as_bytes()) {
            Some(length) => {
                let after = column + length;
                self.out.closed.push(Closed { line: at, after });
                self.out.quote = None;
                line.last = Some(b'"');
                line.code_end = after;
                after
            }
            None => bytes.len(),
        }
    }

    fn token(&mut self, at: usize, bytes: &[u8], column: usize, line: &mut LexedLine) -> usize {
        let byte = bytes.get(column).copied().unwrap_or(0);
        if byte == b'\\' && column + 1 == bytes.len() {
            self.out.continued = true;
            line.code = true;
            return column + 1;
        }
        let end = match byte {
            b'"' | b'\'' => self.string(at, bytes, column, line),
            b'(' | b'[' | b'{' => {
                self.out.brackets.push(byte);
                column + 1
            }
            b')' | b']' | b'}' => {
                self.close(at, byte, column, line);
                column + 1
            }
            _ => column + 1,
        };
        line.code = true;
        line.last = Some(if byte == b'\'' { b'"' } else { byte });
        line.code_end = end.min(bytes.len());
        end
    }

    fn string(&mut self, at: usize, bytes: &[u8], column: usize, line: &LexedLine) -> usize {
        let byte = bytes.get(column).copied().unwrap_or(b'"');
        let rest = bytes.get(column..).unwrap_or(&[]);
        if rest.starts_with(&[byte; 3]) {
            self.out.quote = Some(Quote::of(byte));
            self.out.opened.push(Opened {
                line: at,
                column,
                depth: self.out.brackets.len(),
                continues: line.continues,
            });
            return column + 3;
        }
        match string_end(rest.get(1..).unwrap_or(&[]), &[byte]) {
            Some(length) => column + 1 + length,
            None => {
                self.out.mismatches += 1;
                // A backslash carries the string on to the next line.
                self.out.continued = bytes.last() == Some(&b'\\');
                bytes.len()
            }
        }
    }

    fn close(&mut self, at: usize, bracket: u8, column: usize, line: &LexedLine) {
        match self.out.brackets.pop() {
            Some(open) if open == opener(bracket) => {}
            Some(_) => self.out.mismatches += 1,
            None => self.out.unmatched.push(Unmatched {
                bracket,
                line: at,
                column,
                first: !line.code && !line.in_string,
            }),
        }
    }
}

/// How many bytes from here until behind the delimiter; escaped bytes do not count as delimiters.
fn string_end(bytes: &[u8], delimiter: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' {
            at += 2;
        } else if bytes.get(at..)?.starts_with(delimiter) {
            return Some(at + delimiter.len());
        } else {
            at += 1;
        }
    }
    None
}

pub(super) fn opener(closer: u8) -> u8 {
    match closer {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    }
}

pub(super) fn closer(opener: u8) -> char {
    match opener {
        b'(' => ')',
        b'[' => ']',
        _ => '}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_that_closes_first_is_seen_from_inside_only() {
        let lines = ["prose", "\"\"\"", "x = (1,"];
        let inside = lex(
            &lines,
            Start {
                quote: Some(Quote::Double),
                brackets: Vec::new(),
            },
        );
        assert_eq!((inside.quote, inside.brackets), (None, vec![b'(']));
        let outside = lex(&lines, Start::default());
        assert_eq!(outside.quote, Some(Quote::Double));
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_count() {
        let lexed = lex(&["f('(', \"]\")  # }", ")"], Start::default());
        assert_eq!(lexed.unmatched.len(), 1);
        assert_eq!(lexed.lines.first().map(|line| line.code_end), Some(11));
    }

    #[test]
    fn tabs_count_eight_and_a_form_feed_starts_anew() {
        assert_eq!(indent("  \tx"), 10);
        assert_eq!(indent("\x0c  x"), 2);
    }
}
