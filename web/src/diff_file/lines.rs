//! Where each line of a file stands, known before any of its text is.
//!
//! The worker counts rows: one for each hunk header and one for each line. The page draws lines: in the unified
//! view one for each row of a hunk, in the split view a deleted row beside the added one that replaces it.

use report::{FileView, HunkView, Run, Side};

/// A place in a file. Ordered as the page shows it as long as both are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A row of a hunk.
    Row {
        hunk: u32,
        /// Counted from the first line of the hunk, which is 0.
        offset: u32,
    },
    /// A line of the new side outside of the hunks.
    Whole(u32),
}

/// The rows of a hunk that are drawn as one line, counted like [`Spot::Row::offset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineRows {
    One(u32),
    /// Beside each other: the old side and the new one. Context stands on both.
    Two(Option<u32>, Option<u32>),
}

/// How many lines a hunk is drawn as.
pub(crate) fn n_lines_of(hunk: &HunkView, split: bool) -> u32 {
    if split {
        hunk.runs.iter().map(|run| height(*run)).sum()
    } else {
        hunk.n_lines
    }
}

/// Lines of the split view.
fn height(run: Run) -> u32 {
    run.context + run.deleted.max(run.added)
}

fn n_rows(run: Run) -> u32 {
    run.context + run.deleted + run.added
}

/// The rows of lines `from..to` of a hunk.
pub(crate) fn lines_of(hunk: &HunkView, split: bool, from: u32, to: u32) -> Vec<LineRows> {
    if !split {
        return (from..to.min(hunk.n_lines)).map(LineRows::One).collect();
    }
    let mut lines = Vec::new();
    let (mut line, mut row) = (0, 0);
    for run in &hunk.runs {
        let end = line + height(*run);
        for at in from.max(line)..to.min(end) {
            lines.push(rows_of(*run, row, at - line));
        }
        if end >= to {
            break;
        }
        (line, row) = (end, row + n_rows(*run));
    }
    lines
}

/// The rows of the n-th line of a run that begins with this row.
fn rows_of(run: Run, first: u32, n: u32) -> LineRows {
    match n.checked_sub(run.context) {
        None => LineRows::Two(Some(first + n), Some(first + n)),
        Some(n) => {
            let changed = first + run.context;
            LineRows::Two(
                (n < run.deleted).then_some(changed + n),
                (n < run.added).then_some(changed + run.deleted + n),
            )
        }
    }
}

/// The line that a row of a hunk is drawn in.
pub(crate) fn offset_of(hunk: &HunkView, split: bool, row: u32) -> u32 {
    if !split {
        return row;
    }
    let (mut line, mut first) = (0, 0);
    for run in &hunk.runs {
        if row < first + n_rows(*run) {
            let n = row - first;
            let in_run = match n.checked_sub(run.context) {
                None => n,
                Some(changed) if changed < run.deleted => n,
                Some(_) => n - run.deleted,
            };
            return line + in_run;
        }
        (line, first) = (line + height(*run), first + n_rows(*run));
    }
    line
}

/// Where a line of one side stands.
pub(super) fn spot(view: &FileView, side: Side, line: u32) -> Option<Spot> {
    // How many lines the new side has more than the old one, above the place that was reached.
    let mut growth = 0;
    for (index, hunk) in (0..).zip(&view.hunks) {
        let (start, len) = side_of(hunk, side);
        if line < start {
            break;
        }
        if line - start < len {
            let offset = offset_in(hunk, side, line - start)?;
            return Some(Spot::Row {
                hunk: index,
                offset,
            });
        }
        growth = growth_behind(hunk);
    }
    let line = match side {
        Side::New => i64::from(line),
        Side::Old => i64::from(line) + growth,
    };
    let line = u32::try_from(line).ok()?;
    (1..=view.whole?)
        .contains(&line)
        .then_some(Spot::Whole(line))
}

/// Where a row of the file stands, counted with one row for each hunk's header; nothing for a header.
pub(super) fn spot_of_row(view: &FileView, row: u32) -> Option<Spot> {
    let mut rest = row;
    for (index, hunk) in (0..).zip(&view.hunks) {
        if rest <= hunk.n_lines {
            let offset = rest.checked_sub(1)?;
            return Some(Spot::Row {
                hunk: index,
                offset,
            });
        }
        rest -= hunk.n_lines + 1;
    }
    None
}

/// The row of a place, counted in the same way; of one outside of the hunks that of the next header.
pub(super) fn row_of(view: &FileView, spot: Spot) -> u32 {
    let (n_hunks, within) = match spot {
        Spot::Row { hunk, offset } => (hunk as usize, offset + 1),
        Spot::Whole(line) => {
            let is_above = |hunk: &&HunkView| new_end(hunk) <= line;
            (view.hunks.iter().take_while(is_above).count(), 0)
        }
    };
    let above = view.hunks.iter().take(n_hunks);
    above.map(|hunk| hunk.n_lines + 1).sum::<u32>() + within
}

fn side_of(hunk: &HunkView, side: Side) -> (u32, u32) {
    match side {
        Side::Old => (hunk.old_start, hunk.old_len),
        Side::New => (hunk.new_start, hunk.new_len),
    }
}

/// New line number less old one, of the lines that follow a hunk.
pub(crate) fn growth_behind(hunk: &HunkView) -> i64 {
    i64::from(new_end(hunk)) - i64::from(old_end(hunk))
}

/// The first new line behind a hunk.
pub(crate) fn new_end(hunk: &HunkView) -> u32 {
    end(hunk.new_start, hunk.new_len)
}

fn old_end(hunk: &HunkView) -> u32 {
    end(hunk.old_start, hunk.old_len)
}

/// A hunk without lines on a side names the line before it.
fn end(start: u32, len: u32) -> u32 {
    start + len.max(1)
}

/// The first new line of a hunk, or the one that would be.
pub(crate) fn new_begin(hunk: &HunkView) -> u32 {
    if hunk.new_len == 0 {
        hunk.new_start + 1
    } else {
        hunk.new_start
    }
}

/// The row, counted from the first of the hunk, of the n-th line of one side.
fn offset_in(hunk: &HunkView, side: Side, n: u32) -> Option<u32> {
    let (mut line, mut row) = (0, 0);
    for run in &hunk.runs {
        // Rows of the other side stand between the context and this side's changed lines, or behind them.
        let (changed, between) = match side {
            Side::Old => (run.deleted, 0),
            Side::New => (run.added, run.deleted),
        };
        let at = n - line;
        if at < run.context {
            return Some(row + at);
        }
        if at < run.context + changed {
            return Some(row + at + between);
        }
        (line, row) = (line + run.context + changed, row + n_rows(*run));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::FileStatus;

    /// ` a`, `-b`, `-c`, `+B`, ` d`, `+e`, from line 10 on both sides.
    fn hunk() -> HunkView {
        HunkView {
            old_start: 10,
            old_len: 4,
            new_start: 10,
            new_len: 4,
            section: String::new(),
            n_lines: 6,
            runs: vec![[1, 2, 1].into(), [1, 0, 1].into()],
        }
    }

    fn file(whole: Option<u32>) -> FileView {
        FileView {
            path: String::new(),
            old_path: None,
            status: FileStatus::Modified,
            python: true,
            commit: None,
            added: 2,
            removed: 2,
            whole,
            hunks: vec![hunk()],
        }
    }

    #[test]
    fn a_replaced_line_stands_beside_the_one_that_replaces_it() {
        use LineRows::Two;
        let all = [
            Two(Some(0), Some(0)),
            Two(Some(1), Some(3)),
            Two(Some(2), None),
            Two(Some(4), Some(4)),
            Two(None, Some(5)),
        ];
        assert_eq!(n_lines_of(&hunk(), true), 5);
        assert_eq!(lines_of(&hunk(), true, 0, 5), all);
        assert_eq!(lines_of(&hunk(), true, 2, 4), all[2..4]);
        let lines = [0, 1, 2, 3, 4, 5].map(|row| offset_of(&hunk(), true, row));
        assert_eq!(lines, [0, 1, 2, 1, 3, 4]);
    }

    #[test]
    fn each_line_of_either_side_has_its_row() {
        let rows = |side| [10, 11, 12, 13].map(|line| spot(&file(None), side, line));
        let row = |offset| Some(Spot::Row { hunk: 0, offset });
        assert_eq!(rows(Side::Old), [row(0), row(1), row(2), row(4)]);
        assert_eq!(rows(Side::New), [row(0), row(3), row(4), row(5)]);
    }

    #[test]
    fn a_row_and_its_place_lead_to_each_other() {
        let mut file = file(Some(40));
        let next = HunkView {
            new_start: 20,
            ..hunk()
        };
        file.hunks.push(next);
        let place = |hunk, offset| Spot::Row { hunk, offset };
        for (row, spot) in [
            (1, place(0, 0)),
            (6, place(0, 5)),
            (8, place(1, 0)),
            (13, place(1, 5)),
        ] {
            assert_eq!(spot_of_row(&file, row), Some(spot));
            assert_eq!(row_of(&file, spot), row);
        }
        assert_eq!([0, 7, 14].map(|row| spot_of_row(&file, row)), [None; 3]);
        assert_eq!(
            [3, 15, 30].map(|line| row_of(&file, Spot::Whole(line))),
            [0, 7, 14]
        );
    }

    #[test]
    fn lines_outside_of_the_hunks_are_there_where_the_file_is_known() {
        assert_eq!(spot(&file(None), Side::New, 14), None);
        assert_eq!(spot(&file(Some(20)), Side::New, 14), Some(Spot::Whole(14)));
        assert_eq!(spot(&file(Some(20)), Side::Old, 3), Some(Spot::Whole(3)));
        assert_eq!(spot(&file(Some(20)), Side::New, 21), None);
    }
}
