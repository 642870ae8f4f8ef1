//! The section heading of a hunk header: which scope it names, and whether the hunk stands in it.

use super::lex::{Start, indent, lex};

/// A `def` or `class` line behind the second `@@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    /// The column at which the definition stands.
    pub(super) indent: usize,
    pub(super) is_class: bool,
    /// A whole header line, without indentation, that opens the scope.
    pub(super) text: String,
    /// The words up to the bracket of the parameters, where the heading ends inside of them.
    pub(super) open: Option<String>,
}

/// Git cuts a heading at this many bytes; a name that reaches it may go on.
const CUT: usize = 80;

/// No heading of a real tool is longer.
const LONGEST: usize = 1000;

/// Where methods stand. A heading made with git's Python driver has lost its indentation.
const METHOD_INDENT: usize = 4;

impl Heading {
    /// Reads a heading; `None` where it is no `def` or `class`, or one whose body is on the same line.
    pub(super) fn read(section: &str) -> Option<Heading> {
        if section.len() > LONGEST || section.contains(char::is_control) {
            return None;
        }
        let line = section.trim();
        let is_class = line.starts_with("class ");
        let start = name_start(line)?;
        let (words, rest) = line.split_at_checked(start)?;
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (name, rest) = rest.split_at_checked(length.unwrap_or(rest.len()))?;
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let cut = rest.is_empty() && section.len() + 2 >= CUT;
        let name = if cut { "_" } else { name };
        let head = format!("{words}{name}");
        let (text, open) = header(&head, rest, is_class)?;
        Some(Heading {
            indent: heading_indent(section, rest),
            is_class,
            text,
            open,
        })
    }
}

impl Heading {
    /// It names a function, without indentation and without a parameter that would say more.
    pub(super) fn may_be_method(&self) -> bool {
        !self.is_class && self.indent == 0 && self.open.is_some() && self.text.ends_with("():")
    }

    pub(super) fn make_method(&mut self) {
        self.indent = METHOD_INDENT;
    }
}

/// Where the name stands in `class Name`, `def name` or `async def name`.
fn name_start(line: &str) -> Option<usize> {
    let after = ["class ", "def ", "async def "]
        .iter()
        .find_map(|words| line.strip_prefix(words))?;
    Some(line.len() - after.trim_start().len())
}

/// By its white space, else by its first parameter: nearly every function with a `self` is a method.
fn heading_indent(section: &str, parameters: &str) -> usize {
    let first = parameters.trim_start_matches('(').trim_start();
    let is_method = ["self", "cls"].iter().any(|word| {
        first
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    match indent(section) {
        0 if is_method => METHOD_INDENT,
        columns => columns,
    }
}

/// The whole header and, where the heading ends inside brackets, its open form.
///
/// A whole heading keeps its parameters or bases, which are real text. Of a cut one only what a comma ends is sure.
fn header(head: &str, rest: &str, is_class: bool) -> Option<(String, Option<String>)> {
    let lexed = lex(&[rest], Start::default());
    let line = lexed.lines.first()?;
    if line.ends_header() && lexed.unmatched.is_empty() {
        let code = rest.get(..line.code_end).unwrap_or(":");
        return Some((format!("{head}{code}"), None));
    }
    let is_open = rest.starts_with('(') && (line.end_depth > 0 || line.ends_in_string);
    if !is_open && !rest.is_empty() {
        return None;
    }
    let sure = sure_part(rest);
    let text = match (is_class, sure.is_empty()) {
        (true, true) => format!("{head}:"),
        _ => format!("{head}({sure}):"),
    };
    Some((text, is_open.then(|| format!("{head}("))))
}

/// The parameters up to the last comma at their own level.
fn sure_part(rest: &str) -> &str {
    let Some(inner) = rest.strip_prefix('(') else {
        return "";
    };
    let commas = inner.match_indices(',').map(|(at, _)| at);
    let own = commas.rev().find(|&at| {
        let part = inner.get(..at).unwrap_or("");
        let lexed = lex(&[part], Start::default());
        lexed.brackets.is_empty() && lexed.quote.is_none() && lexed.mismatches == 0
    });
    own.and_then(|at| inner.get(..at)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(section: &str, indent: usize, text: &str) {
        let heading = Heading::read(section).unwrap();
        assert_eq!((heading.indent, heading.text.as_str()), (indent, text));
    }

    #[test]
    fn whole_headings_keep_their_parameters() {
        check("class Foo(Base):", 0, "class Foo(Base):");
        check(
            "async def f(a, b=1) -> int:  # why",
            0,
            "async def f(a, b=1) -> int:",
        );
        check("    def f(self):", 4, "def f(self):");
    }

    #[test]
    fn a_stripped_method_is_put_back() {
        check("def f(self, x):", 4, "def f(self, x):");
        check("def f(selfish):", 0, "def f(selfish):");
    }

    #[test]
    fn of_a_cut_heading_only_what_is_sure_is_kept() {
        check("class Foo(", 0, "class Foo:");
        check(
            "def f(self, a: Dict[str, int] = {}, b: Lis",
            4,
            "def f(self, a: Dict[str, int] = {}):",
        );
        check("def f(", 0, "def f():");
        let cut = format!("def test_{}", "x".repeat(80));
        check(cut.get(..79).unwrap(), 0, "def _():");
    }

    #[test]
    fn other_headings_are_none() {
        assert_eq!(Heading::read("import os"), None);
        assert_eq!(Heading::read("def f(): return 1"), None);
        assert_eq!(Heading::read("class"), None);
    }
}
