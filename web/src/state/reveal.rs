//! From finding to finding, and to any place of the diff.

use super::{Place, State, Step, Tab, Wish};
use crate::diff_file::{DiffFile, Homes};
use report::{Finding, Side};
use std::rc::Rc;
use yew::AttrValue;

impl State {
    /// Ids of the findings to step through, in the order in which the page shows them.
    pub(crate) fn tour(&self) -> impl Iterator<Item = &str> {
        self.tour_findings().map(|finding| finding.id.as_str())
    }

    pub(super) fn tour_findings(&self) -> impl Iterator<Item = &Rc<Finding>> {
        let placed = self.files.iter().flat_map(|file| file.counted());
        self.astray.iter().chain(placed)
    }

    /// Goes on to the next finding to act on: from the place that is read, or from the selected finding, also from one
    /// that was just dismissed.
    pub(super) fn step(&mut self, step: Step) {
        let placed = self.files.iter().flat_map(|file| &file.findings);
        let all: Vec<&Rc<Finding>> = self.astray.iter().chain(placed).collect();
        let is_selected = |finding: &&Rc<Finding>| self.selected.as_deref() == Some(&finding.id);
        let (n_before, n_here) = match &self.here {
            Some(here) => (self.n_above(&all, here), 0),
            None => match all.iter().position(is_selected) {
                Some(at) => (at, 1),
                None => (0, 0),
            },
        };
        let mut round = all;
        round.rotate_left(n_before);
        // From here on it begins behind the selected one, and ends with it.
        match step {
            Step::Next => round.rotate_left(n_here),
            Step::Previous => round.reverse(),
        }
        let admits = self.admits();
        let is_next = |finding: &&Rc<Finding>| finding.verdict.counts() && admits(finding);
        let next = round.into_iter().find(is_next);
        let id = next.map(|finding| AttrValue::from(finding.id.clone()));
        self.here = None;
        if let Some(id) = id {
            self.reveal(Place::Finding(id));
        }
    }

    /// Opens what hides a place, and asks for it to be brought into view.
    pub(super) fn reveal(&mut self, place: Place) {
        self.asks_reason = None;
        match &place {
            Place::File(file) | Place::Hit { file, .. } => {
                self.change_file(*file, |file| file.set_open(true));
            }
            Place::Finding(id) => {
                self.selected = Some(id.clone());
                if let Some(finding) = self.finding(id).cloned() {
                    self.open_line(&finding.path, finding.commit, finding.side, finding.line);
                    self.unfold(&finding);
                }
            }
            Place::Line { path, side, line } => self.open_line(path, None, *side, *line),
        }
        self.tab = Tab::Changes;
        self.n_wishes += 1;
        self.wish = Some(Wish {
            place,
            turn: self.n_wishes,
        });
    }

    /// Has a finding's card among the rows, whatever its verdict.
    fn unfold(&mut self, finding: &Finding) {
        let is_home = |file: &Rc<DiffFile>| file.folded().any(|of| of.id == finding.id);
        if let Some(index) = self.files.iter().position(is_home) {
            self.change_file(index as u32, |file| file.unfolded = true);
        }
    }

    pub(super) fn open_all(&mut self, open: bool) {
        for file in Rc::make_mut(&mut self.files) {
            if file.open != open {
                Rc::make_mut(file).set_open(open);
            }
        }
    }

    fn open_line(&mut self, path: &str, commit: Option<u32>, side: Side, line: u32) {
        let home = Homes::new(&self.files).of(path, commit, side, line);
        if let Some(index) = home {
            self.change_file(index as u32, |file| {
                file.show_line(side, line);
            });
        }
    }

    pub(super) fn change_file(&mut self, index: u32, change: impl FnOnce(&mut DiffFile)) {
        if let Some(file) = Rc::make_mut(&mut self.files).get_mut(index as usize) {
            change(Rc::make_mut(file));
        }
    }

    pub(super) fn finding(&self, id: &str) -> Option<&Finding> {
        self.report.as_deref()?.finding(id)
    }
}
