//! Lines outside of the hunks, where the whole new side of a file is known.

use super::colour;
use super::rows::drawn;
use crate::plan::{Plan, is_read};
use diff::{File, LineKind};
use report::{Row, RowKind};

/// How many lines the new side has, if its text is known and is the one that the hunks were made of.
pub(super) fn n_lines(plan: &Plan, file: &File) -> Option<u32> {
    let lines = lines(plan, file)?;
    let fits = file.hunks.iter().all(|hunk| {
        let shown = hunk
            .lines
            .iter()
            .filter(|line| line.kind != LineKind::Deleted);
        shown.into_iter().all(|line| {
            let number = line.new.unwrap_or_default() as usize;
            let known = lines.get(number.wrapping_sub(1));
            known.is_some_and(|known| plain(known) == plain(plan.patch.text(line)))
        })
    });
    fits.then_some(lines.len() as u32)
}

/// The same of a file by its index in the view.
pub fn n_whole_lines(plan: &Plan, file: usize) -> Option<u32> {
    n_lines(plan, plan.patch.files.get(file)?)
}

/// Lines `from..to` of the new side, counted from 1, as context rows. Their old numbers are not told.
pub fn whole_rows(plan: &Plan, file: usize, from: usize, to: usize) -> Vec<Row> {
    let Some(file) = plan.patch.files.get(file) else {
        return Vec::new();
    };
    let Some(lines) = lines(plan, file) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut open = None;
    for (number, line) in (1..).zip(lines).take(to.saturating_sub(1)) {
        let (text, cut) = drawn(plain(line));
        let (spans, behind) = if is_read(file) {
            colour::line(text, open)
        } else {
            Default::default()
        };
        open = behind;
        if number >= from {
            rows.push(Row {
                kind: RowKind::Context,
                old: None,
                new: Some(number as u32),
                text: text.to_owned(),
                spans,
                words: Vec::new(),
                cut,
            });
        }
    }
    rows
}

fn lines<'p>(plan: &'p Plan, file: &File) -> Option<Vec<&'p str>> {
    let text = plan.files.as_ref()?.get(file.path())?;
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    Some(lines)
}

fn plain(line: &str) -> &str {
    line.trim_end_matches('\r')
}
