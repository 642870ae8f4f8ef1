//! The lines of a hunk of a merge (`diff --cc`), which has one column of signs for each parent.
//!
//! The old side is the first parent. A line is added if any parent lacks it, and deleted if the first parent had it.

use super::body::{Body, End};
use super::hunk_header::HunkHeader;
use super::rows::{Row, Rows};
use super::space::ContextSigns;
use crate::{Line, LineKind};

/// Reads the lines of the merge hunk whose header stands in the row before `at`.
pub(super) fn read(rows: &Rows, at: usize, header: &HunkHeader) -> Body {
    let mut reader = Reader {
        rows,
        at,
        parents_due: std::iter::once(header.old)
            .chain(header.other_parents.iter().copied())
            .map(|range| range.len)
            .collect(),
        new_due: header.new.len,
        number: (header.old.first(), header.new.first()),
        lines: Vec::new(),
    };
    while reader.is_due() && reader.read_row().is_some() {}
    reader.read_mark();
    reader.finish(header)
}

struct Reader<'a> {
    rows: &'a Rows<'a>,
    at: usize,
    parents_due: Vec<u32>,
    new_due: u32,
    number: (u32, u32),
    lines: Vec<Line>,
}

impl<'a> Reader<'a> {
    fn is_due(&self) -> bool {
        self.new_due > 0 || self.parents_due.iter().any(|due| *due > 0)
    }

    /// Reads one row, or gives `None` where the hunk was cut.
    fn read_row(&mut self) -> Option<()> {
        if self.read_mark() {
            return Some(());
        }
        let row = self.rows.get(self.at)?;
        let parents = self.parents_due.len();
        // An empty row is an empty context line whose spaces were stripped.
        let signs = if row.line().trim_start_matches(' ').is_empty() {
            ""
        } else {
            row.text.get(..parents)?
        };
        if !signs.bytes().all(|sign| matches!(sign, b' ' | b'+' | b'-')) {
            return None;
        }
        self.take(signs.as_bytes(), row.skip(parents));
        self.at += 1;
        Some(())
    }

    fn take(&mut self, signs: &[u8], text: Row) {
        let removed = signs.contains(&b'-');
        let in_first = match (removed, signs.first()) {
            (true, sign) => sign == Some(&b'-'),
            (false, sign) => sign != Some(&b'+'),
        };
        for (parent, due) in self.parents_due.iter_mut().enumerate() {
            let sign = signs.get(parent).copied().unwrap_or(b' ');
            let stands = if removed { sign == b'-' } else { sign != b'+' };
            *due = due.saturating_sub(u32::from(stands));
        }
        self.new_due = self.new_due.saturating_sub(u32::from(!removed));
        let kind = match removed {
            true => LineKind::Deleted,
            false if signs.contains(&b'+') => LineKind::Added,
            false => LineKind::Context,
        };
        if in_first || !removed {
            self.lines.push(self.line(kind, text));
        }
        self.number.0 += u32::from(in_first);
        self.number.1 += u32::from(!removed);
    }

    fn line(&self, kind: LineKind, text: Row) -> Line {
        Line {
            kind,
            old: (kind != LineKind::Added).then_some(self.number.0),
            new: (kind != LineKind::Deleted).then_some(self.number.1),
            no_newline: false,
            text: text.span(),
        }
    }

    fn read_mark(&mut self) -> bool {
        // A line of the file has a sign for each parent before it; the mark has fewer.
        let marked = self.rows.get(self.at).is_some_and(|row| {
            let text = row.text.trim_start_matches(' ');
            text.starts_with('\\') && row.text.len() - text.len() < self.parents_due.len()
        });
        if marked {
            if let Some(line) = self.lines.last_mut() {
                line.no_newline = true;
            }
            self.at += 1;
        }
        marked
    }

    fn finish(self, header: &HunkHeader) -> Body {
        let cut = self.is_due();
        let old = self.parents_due.first().copied().unwrap_or(0);
        Body {
            next: self.at,
            last: self.at.saturating_sub(1),
            end: if cut {
                End::Cut {
                    old,
                    new: self.new_due,
                }
            } else {
                End::Complete
            },
            signs: ContextSigns::Kept,
            old_len: self.number.0 - header.old.first(),
            new_len: self.number.1 - header.new.first(),
            lines: self.lines,
        }
    }
}
