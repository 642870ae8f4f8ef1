//! One file of the diff as the page holds it: its structure, what is open, and what was found in it.

mod expanded;
mod homes;
mod lines;
mod rows;

pub(crate) use homes::Homes;
pub(crate) use lines::{LineRows, Spot, growth_behind, lines_of, n_lines_of, offset_of};
pub(crate) use rows::{CHUNK, ChunkId, Rows};

use report::{FileView, Finding, Side};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use yew::AttrValue;

/// A file of more rows than these stays closed unless it carries a finding.
const SMALL: u32 = 1_000;
/// Lines above and below one outside of the hunks that is opened to be seen.
pub(crate) const AROUND: u32 = 10;

// `Eq` lets two `Rc` of it be compared by their address first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffFile {
    pub(crate) index: u32,
    pub(crate) view: Rc<FileView>,
    pub(crate) open: bool,
    /// Whether the user opened or closed it: then it stays so.
    touched: bool,
    /// Whether excused and existing findings are shown at their lines.
    pub(crate) unfolded: bool,
    /// New lines outside of the hunks that are shown: ascending, apart from each other.
    pub(crate) expanded: Vec<Range<u32>>,
    /// In the order of their lines.
    pub(crate) findings: Vec<Rc<Finding>>,
    /// Ids of findings that the reviewer decided on: their cards stay, whatever was decided.
    pub(crate) decided: BTreeSet<String>,
    /// Lines that belong to findings of this or other files.
    pub(crate) related: Vec<Related>,
    /// Whether the findings are those of this file alone, before the whole diff was concluded.
    pub(crate) is_provisional: bool,
}

/// A line that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Related {
    pub(crate) side: Side,
    pub(crate) line: u32,
    /// The finding's id.
    pub(crate) finding: AttrValue,
    /// What the finding is called.
    pub(crate) name: String,
}

impl DiffFile {
    pub(crate) fn new(index: u32, view: FileView) -> Self {
        DiffFile {
            index,
            open: view.n_rows() <= SMALL,
            view: Rc::new(view),
            touched: false,
            unfolded: false,
            expanded: Vec::new(),
            findings: Vec::new(),
            decided: BTreeSet::new(),
            related: Vec::new(),
            is_provisional: false,
        }
    }

    /// Findings that a reviewer has to act on.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Rc<Finding>> {
        self.findings
            .iter()
            .filter(|finding| finding.verdict.counts())
    }

    /// Excused and existing findings.
    pub(crate) fn folded(&self) -> impl Iterator<Item = &Rc<Finding>> {
        self.findings
            .iter()
            .filter(|finding| !finding.verdict.counts())
    }

    /// The findings that have a card among the rows.
    pub(crate) fn with_cards(&self) -> impl Iterator<Item = &Rc<Finding>> {
        self.findings.iter().filter(|finding| {
            self.unfolded || finding.verdict.counts() || self.decided.contains(&finding.id)
        })
    }

    /// Whether this file can hold that line.
    pub(crate) fn has(&self, path: &str, commit: Option<u32>, side: Side, line: u32) -> bool {
        let named = self.view.path == path || self.view.old_path.as_deref() == Some(path);
        named && (commit.is_none() || commit == self.view.commit) && self.spot(side, line).is_some()
    }

    /// Where a line stands: in a hunk, or outside of the hunks of a file that is known whole.
    pub(crate) fn spot(&self, side: Side, line: u32) -> Option<Spot> {
        lines::spot(&self.view, side, line)
    }

    /// The row, counted as the worker does, of a line; outside of the hunks that of the next hunk's header.
    pub(crate) fn row_at(&self, side: Side, line: u32) -> Option<u32> {
        Some(lines::row_of(&self.view, self.spot(side, line)?))
    }

    /// Where a row stands, counted as the worker does; nothing for a header.
    pub(crate) fn spot_of_row(&self, row: u32) -> Option<Spot> {
        lines::spot_of_row(&self.view, row)
    }

    /// Opens what hides a line. False where the file does not hold it.
    pub(crate) fn show_line(&mut self, side: Side, line: u32) -> bool {
        let Some(spot) = self.spot(side, line) else {
            return false;
        };
        if let Spot::Whole(line) = spot {
            self.expand(line.saturating_sub(AROUND)..line + AROUND + 1);
        }
        self.open = true;
        self.touched = true;
        true
    }

    pub(crate) fn toggle(&mut self) {
        self.set_open(!self.open);
    }

    pub(crate) fn set_open(&mut self, open: bool) {
        self.open = open;
        self.touched = true;
    }

    /// The file with nothing closed or folded.
    pub(crate) fn for_paper(&self) -> Self {
        DiffFile {
            open: true,
            unfolded: true,
            ..self.clone()
        }
    }

    /// Gives the file its findings, and opens it for those that a reviewer has to act on.
    pub(crate) fn take_findings(&mut self, mut findings: Vec<Rc<Finding>>) {
        findings.sort_by_cached_key(|finding| self.spot(finding.side, finding.line));
        let outside: Vec<u32> = findings
            .iter()
            .filter(|finding| finding.verdict.counts())
            .filter_map(|finding| match self.spot(finding.side, finding.line) {
                Some(Spot::Whole(line)) => Some(line),
                _ => None,
            })
            .collect();
        self.findings = findings;
        for line in outside {
            self.expand(line.saturating_sub(AROUND)..line + AROUND + 1);
        }
        if !self.touched && self.counted().next().is_some() {
            self.open = true;
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
                self.decided.insert(new.id.clone());
                *old = new.clone();
            }
        }
    }
}
