//! Whole files of the head of a fetched change, which sharpen the verdicts that a diff leaves open.

use super::State;
use crate::github::Refusal;
use report::{FileStatus, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use yew::AttrValue;

/// Files that are fetched without being asked for.
const UNASKED: usize = 40;

#[derive(Clone, PartialEq, Default)]
pub(crate) struct WholeFiles {
    /// Whole texts by path of the new side.
    pub(crate) texts: Rc<BTreeMap<String, AttrValue>>,
    /// Paths that are being fetched.
    pub(crate) asked: Rc<BTreeSet<String>>,
    /// Counts requests; an answer to any but the newest is dropped.
    pub(crate) turn: u32,
    pub(crate) refused: Rc<BTreeMap<String, Refusal>>,
    /// Findings to look at before any whole file was read.
    pub(crate) looks_before: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Whole {
    /// Fetch these files too.
    Want(Vec<String>),
    /// All that was asked for has come or was refused.
    Came {
        turn: u32,
        texts: BTreeMap<String, AttrValue>,
        refused: BTreeMap<String, Refusal>,
    },
    Stop,
}

impl State {
    pub(super) fn whole(&mut self, whole: Whole) {
        match whole {
            Whole::Want(paths) => self.want_files(paths),
            Whole::Came {
                turn,
                texts,
                refused,
            } if turn == self.whole.turn => {
                self.whole.asked = Rc::default();
                if !texts.is_empty() {
                    Rc::make_mut(&mut self.whole.texts).extend(texts);
                }
                self.whole.refused = Rc::new(refused);
            }
            Whole::Came { .. } => {}
            Whole::Stop => {
                self.whole.asked = Rc::default();
                self.whole.turn += 1;
            }
        }
    }

    /// Once the diff is reviewed, fetches the files whose findings the rest of the file could settle.
    pub(super) fn want_looked_at_files(&mut self) {
        // As the rules gave it: what the reviewer decided settles nothing by whole files.
        let Some(report) = self.found.as_deref().filter(|_| self.fetched().is_some()) else {
            return;
        };
        if self.whole.looks_before.is_some() {
            return;
        }
        let looks = || {
            let findings = report.findings.iter();
            findings.filter(|finding| finding.verdict == Verdict::Look)
        };
        let paths: BTreeSet<String> = looks().map(|finding| finding.path.clone()).collect();
        let n_looks = looks().count();
        self.whole.looks_before = Some(n_looks);
        self.want_files(paths.into_iter().take(UNASKED).collect());
    }

    /// Python files of the head that are not read whole. A new file is whole in the diff.
    pub(crate) fn missing_files(&self) -> Vec<String> {
        let is_partial = |status| !matches!(status, FileStatus::Added | FileStatus::Deleted);
        let files = self.files.iter().map(|file| &file.view);
        files
            .filter(|file| file.python && is_partial(file.status))
            .map(|file| file.path.clone())
            .filter(|path| !self.whole.texts.contains_key(path))
            .collect()
    }

    fn want_files(&mut self, paths: Vec<String>) {
        let missing: BTreeSet<String> = self.missing_files().into_iter().collect();
        let new = paths.into_iter().filter(|path| missing.contains(path));
        let asked: BTreeSet<String> = new.chain(self.whole.asked.iter().cloned()).collect();
        if self.fetched().is_some() && asked != *self.whole.asked {
            self.whole.asked = Rc::new(asked);
            self.whole.turn += 1;
        }
    }
}
