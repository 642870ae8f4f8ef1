//! The blocks that enclose a fragment's first statement, and what each of them must be.

use super::heading::Heading;
use super::hidden;
use super::outline::{LEVEL, Outline, Statement, Word};

/// A block around the fragment's first statement.
#[derive(Debug)]
pub(super) struct Level<'h> {
    pub(super) indent: usize,
    /// The clauses that follow at this level: they say what kind of block it can be.
    pub(super) clauses: Vec<Word>,
    pub(super) heading: Option<&'h Heading>,
    pub(super) frame: Frame,
}

/// What a block that is not shown must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Anything: `if`, `with`, `try`.
    Block,
    /// A method stands right below.
    Class,
    /// It stands right below a class.
    Method { is_async: bool },
    /// Something below returns, yields or awaits.
    Function { is_async: bool },
}

/// The indentation of the first statement, shown or begun before.
pub(super) fn first_indent(outline: &Outline) -> Option<usize> {
    let remainder = outline.remainder.map(|remainder| remainder.indent);
    remainder.or(outline.statements.first().map(|first| first.indent))
}

/// The blocks that enclose the first statement, outermost first: one for each indentation that the statements below
/// fall back to, the module, and the heading.
///
/// Only statements count. A closing bracket or an argument can stand left of the statement it belongs to.
pub(super) fn levels<'h>(
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
    mark_function(&mut levels, outline, lines);
    levels
}

impl Level<'_> {
    fn is_class(&self) -> bool {
        self.frame == Frame::Class || self.heading.is_some_and(|heading| heading.is_class)
    }

    /// Nothing shown says what it is.
    fn is_open(&self) -> bool {
        self.frame == Frame::Block && self.heading.is_none() && self.clauses.is_empty()
    }

    fn unknown(indent: usize) -> Self {
        Level {
            indent,
            clauses: Vec::new(),
            heading: None,
            frame: Frame::Block,
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
pub(super) fn clauses(statements: &[Statement], indent: usize) -> Vec<Word> {
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
    if shown || named.is_some_and(|heading| is_method(&heading.text)) {
        outer.frame = Frame::Class;
    }
}

/// Says which level is the function that the fragment stands in, where its head is not shown: the one right below a
/// class, or the one that the statements' own words ask for. Code that returns, awaits or speaks of `self` is no code of
/// a module, and its names are its own.
fn mark_function(levels: &mut [Level<'_>], outline: &Outline, lines: &[&str]) {
    let is_named = |level: &Level<'_>| level.heading.is_some_and(|heading| !heading.is_class);
    if levels.iter().any(is_named) {
        return;
    }
    if let Some(class) = levels.iter().rposition(Level::is_class) {
        if let Some(method) = levels.get_mut(class + 1).filter(|level| level.is_open()) {
            let signs = hidden::signs(outline, method.indent, lines);
            method.frame = Frame::Method {
                is_async: signs.awaits,
            };
        }
        return;
    }
    match levels {
        [class, method, ..]
            if class.is_open()
                && method.is_open()
                && hidden::signs(outline, method.indent, lines).speaks_of_self =>
        {
            let signs = hidden::signs(outline, method.indent, lines);
            class.frame = Frame::Class;
            method.frame = Frame::Method {
                is_async: signs.awaits,
            };
        }
        [outer, ..] if outer.is_open() => {
            let signs = hidden::signs(outline, outer.indent, lines);
            if signs.is_function() {
                outer.frame = Frame::Function {
                    is_async: signs.awaits,
                };
            }
        }
        _ => {}
    }
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
