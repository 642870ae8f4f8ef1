//! The lines of a hunk. The counts of its header decide which lines belong to it.
//!
//! A line that looks like a header is a line of the hunk as long as lines are due. The exceptions are lines without a
//! sign, which no intact hunk has, and a whole file header where more than one line of each side is still due: there
//! the hunk was cut.

use super::anchor::{Anchor, anchor, is_anchor_anywhere};
use super::hunk_header::HunkHeader;
use super::rows::{Row, Rows};
use super::space::{self, ContextSigns};
use crate::{Line, LineKind};

/// The lines that were read, and how that ended.
pub(super) struct Body {
    pub(super) lines: Vec<Line>,
    /// The row after the last one read.
    pub(super) next: usize,
    /// The last row that belongs to the hunk.
    pub(super) last: usize,
    pub(super) end: End,
    /// How the context lines were read.
    pub(super) signs: ContextSigns,
    /// How many lines of each side the lines stand for.
    pub(super) old_len: u32,
    pub(super) new_len: u32,
}

/// How a hunk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// As the header counts.
    Complete,
    /// Before that: so many old and new lines were still due.
    Cut { old: u32, new: u32 },
    /// There were more lines than the header counts.
    Miscounted,
}

/// Reads the lines of the hunk whose header stands in the row before `at`.
pub(super) fn read(rows: &Rows, at: usize, header: &HunkHeader, suspect_spaces: bool) -> Body {
    let returns = rows
        .get(at.wrapping_sub(1))
        .is_some_and(|row| row.text.ends_with('\r'));
    let mut reader = Reader::new(rows, at, header, returns, ContextSigns::Kept);
    let signs = match reader.read_counted() {
        Stop::Unsigned => space::lost(rows, at, header),
        Stop::Counted if suspect_spaces => space::lost_by_indentation(rows, at, reader.at),
        Stop::Counted | Stop::Ended => None,
    };
    if let Some(signs) = signs {
        reader = Reader::new(rows, at, header, returns, signs);
        reader.read_counted();
    }
    reader.finish()
}

struct Reader<'a> {
    rows: &'a Rows<'a>,
    at: usize,
    last: usize,
    /// The last row that is not empty.
    last_solid: usize,
    /// Lines of each side that the header still announces.
    due: (u32, u32),
    /// The numbers of the next line on each side.
    number: (u32, u32),
    first: (u32, u32),
    /// The text came with carriage returns on every row, the header included.
    returns: bool,
    signs: ContextSigns,
    lines: Vec<Line>,
    /// How many of the last lines were empty rows: after a cut they are no part of the hunk.
    empty_tail: usize,
    over: bool,
}

/// Why reading stopped.
#[derive(PartialEq, Eq)]
enum Stop {
    Counted,
    Ended,
    /// A line without a sign.
    Unsigned,
}

impl<'a> Reader<'a> {
    fn new(
        rows: &'a Rows<'a>,
        at: usize,
        header: &HunkHeader,
        returns: bool,
        signs: ContextSigns,
    ) -> Self {
        let first = (header.old.first(), header.new.first());
        Self {
            rows,
            at,
            last: at.saturating_sub(1),
            last_solid: at.saturating_sub(1),
            due: (header.old.len, header.new.len),
            number: first,
            first,
            returns,
            signs,
            lines: Vec::new(),
            empty_tail: 0,
            over: false,
        }
    }

    fn read_counted(&mut self) -> Stop {
        while self.due != (0, 0) {
            let Some(row) = self.row() else {
                return Stop::Ended;
            };
            match row.text.as_bytes().first() {
                Some(b'+') => self.take(LineKind::Added, row.skip(1)),
                Some(b'-') if self.is_cut_here(row) => return Stop::Ended,
                Some(b'-') => self.take(LineKind::Deleted, row.skip(1)),
                Some(b' ') => self.take(LineKind::Context, space::without_sign(row, self.signs)),
                Some(b'\\') => self.mark_no_newline(),
                None => self.take_empty(row),
                Some(b'\r') if row.line().is_empty() => self.take_empty(row),
                Some(_) if anchor(self.rows, self.at).is_some() => return Stop::Ended,
                Some(_) if self.signs == ContextSigns::Kept => return Stop::Unsigned,
                Some(_) => self.take(LineKind::Context, row),
            }
        }
        Stop::Counted
    }

    fn finish(mut self) -> Body {
        let end = if self.due == (0, 0) {
            self.take_glued();
            if self.over {
                End::Miscounted
            } else {
                End::Complete
            }
        } else {
            self.drop_empty_tail();
            End::Cut {
                old: self.due.0,
                new: self.due.1,
            }
        };
        Body {
            lines: self.lines,
            next: self.at,
            last: self.last,
            end,
            signs: self.signs,
            old_len: self.number.0 - self.first.0,
            new_len: self.number.1 - self.first.1,
        }
    }

    /// The next row; a reply written between the quoted lines of a mail is passed over.
    fn row(&mut self) -> Option<Row<'a>> {
        while self.at < self.rows.count() {
            if let Some(row) = self.rows.get(self.at) {
                return Some(if self.returns {
                    row.without_return()
                } else {
                    row
                });
            }
            if !self.rows.margin.contains('>') || is_anchor_anywhere(self.rows, self.at) {
                return None;
            }
            self.at += 1;
        }
        None
    }

    fn take(&mut self, kind: LineKind, text: Row) {
        let old = kind != LineKind::Added;
        let new = kind != LineKind::Deleted;
        self.over |= (old && self.due.0 == 0) || (new && self.due.1 == 0);
        self.lines.push(Line {
            kind,
            old: old.then_some(self.number.0),
            new: new.then_some(self.number.1),
            no_newline: false,
            text: text.span(),
        });
        self.count(old, new);
        self.last = self.at;
        self.last_solid = self.at;
        self.empty_tail = 0;
        self.at += 1;
    }

    /// An empty row is an empty context line whose space was stripped, if one is due.
    fn take_empty(&mut self, row: Row) {
        if self.due.0 == 0 || self.due.1 == 0 {
            self.at += 1;
            return;
        }
        let (solid, tail) = (self.last_solid, self.empty_tail);
        self.take(LineKind::Context, row);
        self.last_solid = solid;
        self.empty_tail = tail + 1;
    }

    fn count(&mut self, old: bool, new: bool) {
        if old {
            self.due.0 = self.due.0.saturating_sub(1);
            self.number.0 += 1;
        }
        if new {
            self.due.1 = self.due.1.saturating_sub(1);
            self.number.1 += 1;
        }
    }

    /// Any line with a backslash says it, in whatever language.
    fn mark_no_newline(&mut self) {
        if let Some(line) = self.lines.last_mut() {
            line.no_newline = true;
        }
        self.last = self.at;
        self.last_solid = self.at;
        self.at += 1;
    }

    /// Whether a line with a minus is no deleted line although lines are due.
    fn is_cut_here(&self, row: Row) -> bool {
        let another_file =
            row.text.starts_with("--- ") && self.due != (1, 1) && self.begins(Anchor::Names);
        another_file || self.is_signature(row)
    }

    fn begins(&self, what: Anchor) -> bool {
        anchor(self.rows, self.at) == Some(what)
    }

    /// The signature of a `git format-patch` mail: two dashes, then git's version.
    fn is_signature(&self, row: Row) -> bool {
        let version = |row: Row| row.text.starts_with(|first: char| first.is_ascii_digit());
        row.line().trim_end() == "--" && self.rows.get(self.at + 1).is_some_and(version)
    }

    /// Takes lines beyond the count that stand glued to the hunk.
    fn take_glued(&mut self) {
        while let Some(row) = self.row() {
            match row.text.as_bytes().first() {
                Some(b'\\') => self.mark_no_newline(),
                Some(b'+' | b'-') if anchor(self.rows, self.at).is_some() => return,
                Some(b'-') if is_rule(row) => return,
                Some(b' ') if row.text.trim().is_empty() => return,
                Some(b'+') => self.take(LineKind::Added, row.skip(1)),
                Some(b'-') => self.take(LineKind::Deleted, row.skip(1)),
                Some(b' ') => self.take(LineKind::Context, space::without_sign(row, self.signs)),
                _ => return,
            }
        }
    }

    fn drop_empty_tail(&mut self) {
        let kept = self.lines.len() - self.empty_tail;
        self.lines.truncate(kept);
        self.last = self.last_solid;
        let empty = u32::try_from(self.empty_tail).unwrap_or(0);
        self.number = (self.number.0 - empty, self.number.1 - empty);
        self.due = (self.due.0 + empty, self.due.1 + empty);
    }
}

/// Dashes alone: the rule above a signature or between parts of a mail.
fn is_rule(row: Row) -> bool {
    let dashes = row.line().trim_end();
    dashes.len() >= 2 && dashes.bytes().all(|byte| byte == b'-')
}
