//! From finding to finding, and to any place of the diff.

use super::{Place, State, Step, Tab};
use crate::diff_file::DiffFile;
use report::{Finding, Side};
use std::rc::Rc;
use yew::AttrValue;

impl State {
    /// Ids of the findings to step through, in the order in which the page shows them.
    pub(crate) fn tour(&self) -> impl Iterator<Item = &str> {
        let placed = self.files.iter().flat_map(|file| file.counted());
        self.astray
            .iter()
            .chain(placed)
            .map(|finding| finding.id.as_str())
    }

    pub(super) fn step(&mut self, step: Step) {
        let ids: Vec<&str> = self.tour().collect();
        let here = ids
            .iter()
            .position(|id| self.selected.as_deref() == Some(*id));
        let there = match (here, step) {
            (None, Step::Next) => 0,
            (None, Step::Previous) => ids.len().saturating_sub(1),
            (Some(here), Step::Next) => (here + 1) % ids.len(),
            (Some(here), Step::Previous) => (here + ids.len() - 1) % ids.len(),
        };
        if let Some(id) = ids.get(there) {
            let id = AttrValue::from((*id).to_owned());
            self.reveal(Place::Finding(id));
        }
    }

    /// Opens what hides a place, and asks for it to be brought into view.
    pub(super) fn reveal(&mut self, place: Place) {
        match &place {
            Place::File(file) => self.change_file(*file, |file| file.open = true),
            Place::Finding(id) => {
                self.selected = Some(id.clone());
                if let Some(finding) = self.finding(id).cloned() {
                    self.open_line(&finding.path, finding.commit, finding.side, finding.line);
                }
            }
            Place::Line { path, side, line } => self.open_line(path, None, *side, *line),
        }
        self.tab = Tab::Changes;
        self.n_wishes += 1;
        self.reveal = Some((place, self.n_wishes));
    }

    fn open_line(&mut self, path: &str, commit: Option<u32>, side: Side, line: u32) {
        if let Some(index) = self.file_of(path, commit, side, line) {
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
