//! Context lines that lost the space in front, as happens when a diff is copied from a page that draws the signs
//! beside the text.

use super::anchor::anchor;
use super::hunk_header::HunkHeader;
use super::rows::{Row, Rows};

/// What the context lines of a hunk begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContextSigns {
    /// A space, as it should be.
    Kept,
    /// Nothing: a space there is the line's own.
    Lost,
    /// A space, save for lines that begin with anything else.
    Mixed,
}

/// The text of a context line that begins with a space.
pub(super) fn without_sign(row: Row, signs: ContextSigns) -> Row {
    if signs == ContextSigns::Lost {
        row
    } else {
        row.skip(1)
    }
}

/// How to read a hunk that has lines without a sign: `None` if they are no part of it.
///
/// They are if the counts come out with them as context lines, and no further such line follows: prose behind a hunk
/// that was cut hardly ever ends just there. Where the other context lines kept their space, prose is likelier than
/// that only the last lines lost it.
pub(super) fn lost(rows: &Rows, at: usize, header: &HunkHeader) -> Option<ContextSigns> {
    let (mut old, mut new) = (header.old.len, header.new.len);
    let mut indents = Indents::default();
    let mut at = at;
    let mut tail_unsigned = false;
    while (old, new) != (0, 0) {
        let row = rows.get(at)?;
        let kind = row.line().as_bytes().first();
        if kind != Some(&b'\\') {
            old = old.checked_sub(u32::from(kind != Some(&b'+')))?;
            new = new.checked_sub(u32::from(kind != Some(&b'-')))?;
        }
        match kind {
            Some(b'+' | b'-' | b'\\') | None => {}
            Some(b' ') => indents.read(row.line()),
            Some(_) if anchor(rows, at).is_some() => return None,
            Some(_) => {}
        }
        tail_unsigned = !matches!(kind, Some(b'+' | b'-' | b'\\' | b' '));
        at += 1;
    }
    let follows = rows
        .get(at)
        .and_then(|row| row.line().as_bytes().first().copied());
    let ends = matches!(follows, None | Some(b' ' | b'+' | b'-' | b'\\' | b'@'))
        || anchor(rows, at).is_some();
    let signs = indents.signs();
    (ends && !(tail_unsigned && signs == ContextSigns::Mixed)).then_some(signs)
}

/// How to read a hunk in a text whose other hunks lost spaces: no line of it lacks a sign, but all its context lines
/// may be indented.
pub(super) fn lost_by_indentation(rows: &Rows, at: usize, end: usize) -> Option<ContextSigns> {
    let mut indents = Indents::default();
    let context = (at..end)
        .filter_map(|at| rows.get(at))
        .filter(|row| row.text.starts_with(' '));
    context.for_each(|row| indents.read(row.line()));
    (indents.even > 0 && indents.odd == 0).then_some(ContextSigns::Lost)
}

/// How far context lines are indented. Python is indented by even steps, so with the sign the number is odd.
#[derive(Default)]
struct Indents {
    even: u32,
    odd: u32,
}

impl Indents {
    fn read(&mut self, line: &str) {
        let text = line.trim_start_matches(' ');
        match (line.len() - text.len()) % 2 {
            _ if text.is_empty() => {}
            0 => self.even += 1,
            _ => self.odd += 1,
        }
    }

    fn signs(&self) -> ContextSigns {
        if self.odd > self.even {
            ContextSigns::Mixed
        } else {
            ContextSigns::Lost
        }
    }
}
