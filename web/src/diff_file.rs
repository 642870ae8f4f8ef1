//! One file of the diff as the page holds it: its structure at once, its rows in chunks on request.

use report::{FileView, Finding, Row, RowKind, Side};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// Rows that are asked for together.
pub(crate) const CHUNK: u32 = 200;
/// Rows that a file shows before more are asked for by hand.
const SHOWN_AT_FIRST: u32 = 600;
/// Rows above and below a finding in a file that is not shown whole.
const AROUND: u32 = 20;
/// A file of more rows than these stays closed unless it carries a finding.
const SMALL: u32 = 400;
/// Rows that are open at first, in all files together.
const OPEN_AT_FIRST: u32 = 3_000;

// `Eq` lets two `Rc` of it be compared by their address first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffFile {
    pub(crate) index: u32,
    pub(crate) view: FileView,
    pub(crate) open: bool,
    /// Whether the user opened or closed it: then it stays so.
    touched: bool,
    /// Rows to show: ascending, apart from each other.
    pub(crate) shown: Vec<Range<u32>>,
    chunks: BTreeMap<u32, Rc<Vec<Row>>>,
    /// In the order of their lines.
    pub(crate) findings: Vec<Rc<Finding>>,
}

impl DiffFile {
    pub(crate) fn new(index: u32, view: FileView) -> Self {
        let all = view.n_rows();
        let first = if all > SHOWN_AT_FIRST { CHUNK } else { all };
        DiffFile {
            index,
            view,
            open: false,
            touched: false,
            shown: std::iter::once(0..first).collect(),
            chunks: BTreeMap::new(),
            findings: Vec::new(),
        }
    }

    /// Findings that a reviewer has to act on.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Rc<Finding>> {
        self.findings
            .iter()
            .filter(|finding| finding.verdict.counts())
    }

    pub(crate) fn n_shown(&self) -> u32 {
        self.shown.iter().map(|rows| rows.end - rows.start).sum()
    }

    /// Whether this file can hold that line.
    pub(crate) fn has(&self, path: &str, commit: Option<u32>, side: Side, line: u32) -> bool {
        let named = self.view.path == path || self.view.old_path.as_deref() == Some(path);
        named
            && (commit.is_none() || commit == self.view.commit)
            && self.rows_of(side, line).is_some()
    }

    /// The rows among which that line stands. Narrow where little of the other side is mixed in.
    fn rows_of(&self, side: Side, line: u32) -> Option<Range<u32>> {
        let mut header = 0;
        for hunk in &self.view.hunks {
            let (start, len) = match side {
                Side::Old => (hunk.old_start, hunk.old_len),
                Side::New => (hunk.new_start, hunk.new_len),
            };
            if line >= start && line - start < len {
                let least = header + 1 + (line - start);
                let end = header + 1 + hunk.n_lines;
                return Some(least..(least + 1 + hunk.n_lines.saturating_sub(len)).min(end));
            }
            header += hunk.n_lines + 1;
        }
        None
    }

    /// The row of that line, once it is loaded.
    pub(crate) fn row_of(&self, side: Side, line: u32) -> Option<u32> {
        self.rows_of(side, line)?.find(|&index| {
            self.row(index).is_some_and(|row| match side {
                Side::Old => row.old == Some(line) && row.kind != RowKind::Added,
                Side::New => row.new == Some(line),
            })
        })
    }

    pub(crate) fn row(&self, index: u32) -> Option<&Row> {
        let chunk = self.chunks.get(&(index / CHUNK))?;
        chunk.get((index % CHUNK) as usize)
    }

    /// The chunk with that number, once it is loaded.
    pub(crate) fn chunk(&self, number: u32) -> Option<&Rc<Vec<Row>>> {
        self.chunks.get(&number)
    }

    pub(crate) fn take_rows(&mut self, from: u32, rows: Vec<Row>) {
        self.chunks.insert(from / CHUNK, Rc::new(rows));
    }

    /// Numbers of the chunks that are shown and not loaded.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u32> {
        let open = self.open;
        self.shown
            .iter()
            .filter(move |rows| open && !rows.is_empty())
            .flat_map(|rows| rows.start / CHUNK..=(rows.end - 1) / CHUNK)
            .filter(|number| !self.chunks.contains_key(number))
    }

    /// Shows these rows too.
    pub(crate) fn show(&mut self, rows: Range<u32>) {
        let end = self.view.n_rows();
        self.shown.push(rows.start.min(end)..rows.end.min(end));
        self.shown.sort_by_key(|rows| rows.start);
        let mut apart: Vec<Range<u32>> = Vec::new();
        for rows in self.shown.drain(..).filter(|rows| !rows.is_empty()) {
            match apart.last_mut() {
                Some(last) if rows.start <= last.end => last.end = last.end.max(rows.end),
                _ => apart.push(rows),
            }
        }
        self.shown = apart;
    }

    /// Shows a line with its neighbours, and opens the file. False where the diff does not hold it.
    pub(crate) fn show_line(&mut self, side: Side, line: u32) -> bool {
        let Some(rows) = self.rows_of(side, line) else {
            return false;
        };
        self.show(
            rows.start.saturating_sub(AROUND)..rows.end.min(rows.start + SHOWN_AT_FIRST) + AROUND,
        );
        self.open = true;
        self.touched = true;
        true
    }

    pub(crate) fn toggle(&mut self) {
        self.open = !self.open;
        self.touched = true;
    }

    /// Gives the file its findings. A file that is too long to be shown whole shows what is around them.
    pub(crate) fn take_findings(&mut self, mut findings: Vec<Rc<Finding>>) {
        findings.sort_by_key(|finding| {
            let rows = self.rows_of(finding.side, finding.line);
            rows.map_or(u32::MAX, |rows| rows.start)
        });
        self.findings = findings;
        if self.view.n_rows() > SHOWN_AT_FIRST && self.counted().next().is_some() {
            self.show_around_findings();
        }
    }

    pub(crate) fn holds(&self, id: &str) -> bool {
        self.findings.iter().any(|finding| finding.id == id)
    }

    /// Puts findings that are judged otherwise by now in the places of what they were.
    pub(crate) fn replace(&mut self, changed: &[Rc<Finding>]) {
        for old in &mut self.findings {
            let is_same = |new: &&Rc<Finding>| {
                new.id == old.id && new.line == old.line && new.commit == old.commit
            };
            if let Some(new) = changed.iter().find(is_same) {
                *old = new.clone();
            }
        }
    }

    fn show_around_findings(&mut self) {
        self.shown.clear();
        let lines: Vec<_> = self
            .counted()
            .map(|finding| (finding.side, finding.line))
            .collect();
        for (side, line) in lines {
            if self.n_shown() >= SHOWN_AT_FIRST {
                break;
            }
            if let Some(rows) = self.rows_of(side, line) {
                let end = rows.end.min(rows.start + CHUNK);
                self.show(rows.start.saturating_sub(AROUND)..end + AROUND);
            }
        }
    }
}

/// Opens files until so many rows are shown that more would hold up the page: those with findings
/// first, then small ones.
pub(crate) fn open_at_first(files: &mut [Rc<DiffFile>]) {
    let mut budget = OPEN_AT_FIRST;
    let with_findings = |file: &DiffFile| file.counted().next().is_some();
    let small = |file: &DiffFile| !with_findings(file) && file.view.n_rows() <= SMALL;
    open_while(files, &mut budget, with_findings);
    open_while(files, &mut budget, small);
}

fn open_while(files: &mut [Rc<DiffFile>], budget: &mut u32, wanted: impl Fn(&DiffFile) -> bool) {
    for file in files {
        if file.touched || !wanted(file) {
            continue;
        }
        let open = *budget > 0;
        *budget = budget.saturating_sub(file.n_shown());
        if file.open != open {
            Rc::make_mut(file).open = open;
        }
    }
}
