//! Which lines of a file's hunks stand where: old numbers of new lines, and stretches of change.

use diff::{File, LineKind, Patch};
use report::Side;
use rustc_hash::FxHashMap;

/// A file's lines by number. Numbers count from 1.
#[derive(Debug, Default)]
pub(super) struct Rows {
    old_of_new: FxHashMap<u32, u32>,
    /// Behind each hunk: the first new line, and what to add to a new number for the old one.
    shifts: Vec<(u32, i64)>,
    /// The stretch of changed lines that a line belongs to.
    stretches: FxHashMap<(Side, u32), u32>,
    /// Deleted lines in order.
    pub(super) deleted: Vec<Row>,
    /// Added lines in order.
    pub(super) added: Vec<Row>,
}

/// A changed line.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) text: String,
}

impl Rows {
    pub(super) fn new(patch: &Patch, file: &File) -> Rows {
        let mut rows = Rows::default();
        let mut stretch = 0;
        for hunk in &file.hunks {
            for line in &hunk.lines {
                match line.kind {
                    LineKind::Context => {
                        stretch += 1;
                        if let (Some(old), Some(new)) = (line.old, line.new) {
                            rows.old_of_new.insert(new, old);
                        }
                    }
                    LineKind::Added => rows.changed(Side::New, line.new, stretch, patch.text(line)),
                    LineKind::Deleted => {
                        rows.changed(Side::Old, line.old, stretch, patch.text(line));
                    }
                }
            }
            stretch += 1;
            rows.shifts.push(shift_behind(hunk));
        }
        rows
    }

    fn changed(&mut self, side: Side, number: Option<u32>, stretch: u32, text: &str) {
        let Some(number) = number else { return };
        self.stretches.insert((side, number), stretch);
        let text = text.trim_end().to_owned();
        let row = Row { number, text };
        match side {
            Side::Old => self.deleted.push(row),
            Side::New => self.added.push(row),
        }
    }

    /// The old number of a line that stands on both sides.
    pub(super) fn old_line(&self, new: u32) -> Option<u32> {
        if self.stretches.contains_key(&(Side::New, new)) {
            return None;
        }
        self.old_of_new.get(&new).copied().or_else(|| {
            let before = self.shifts.iter().rev().find(|(first, _)| *first <= new);
            let shift = before.map_or(0, |(_, shift)| *shift);
            u32::try_from(i64::from(new) + shift).ok()
        })
    }

    /// The stretch of changed lines that a line belongs to.
    pub(super) fn stretch(&self, side: Side, number: u32) -> Option<u32> {
        self.stretches.get(&(side, number)).copied()
    }
}

fn shift_behind(hunk: &diff::Hunk) -> (u32, i64) {
    let end = |start: u32, len: u32| {
        let first = if len == 0 {
            start.saturating_add(1)
        } else {
            start
        };
        first.saturating_add(len)
    };
    let new = end(hunk.new_start, hunk.new_len);
    let old = end(hunk.old_start, hunk.old_len);
    (new, i64::from(old) - i64::from(new))
}
