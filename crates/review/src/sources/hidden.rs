//! What a fragment's own words say of the function that it stands in, whose head is not shown.

use super::outline::{Outline, Statement, Word};

/// Words that only a function's own statements use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs {
    /// `self.` is read or written.
    pub(super) speaks_of_self: bool,
    /// A value is returned or yielded.
    pub(super) returns: bool,
    pub(super) awaits: bool,
}

impl Signs {
    pub(super) fn is_function(self) -> bool {
        self.speaks_of_self || self.returns || self.awaits
    }
}

/// The signs in the statements right below a block at this indentation, nested definitions left out.
pub(super) fn signs(outline: &Outline, indent: usize, lines: &[&str]) -> Signs {
    let mut signs = Signs::default();
    let mut definition: Option<usize> = None;
    let below = outline.statements.iter();
    for statement in below.take_while(|statement| statement.indent > indent) {
        if definition.is_some_and(|outer| statement.indent > outer) {
            continue;
        }
        let first = lines.get(statement.line).copied().unwrap_or("");
        definition = defines(statement, first).then_some(statement.indent);
        if definition.is_none() {
            signs.read(statement, lines);
        }
    }
    signs
}

fn defines(statement: &Statement, line: &str) -> bool {
    let line = line.trim_start();
    statement.word == Word::Header
        && ["def ", "class ", "async def "]
            .iter()
            .any(|head| line.starts_with(head))
}

impl Signs {
    fn read(&mut self, statement: &Statement, lines: &[&str]) {
        let own = lines.get(statement.line..=statement.last_line);
        for line in own.unwrap_or(&[]) {
            let code = line.split('#').next().unwrap_or("");
            self.speaks_of_self |= says(code, "self") && code.contains("self.");
            self.returns |= says(code, "yield");
            self.awaits |= says(code, "await");
        }
        let first = own
            .and_then(|own| own.first())
            .map_or("", |line| line.trim_start());
        self.returns |= first == "return" || first.starts_with("return ");
        self.awaits |= first.starts_with("async with ") || first.starts_with("async for ");
    }
}

/// Whether a word stands in the line, and not inside of another.
fn says(line: &str, word: &str) -> bool {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|part| part == word)
}
