//! A review under way: read, analysed file by file, concluded, and concluded anew when whole files come.

use report::{FromWorker, Report, Source};
use review::{FileFacts, Input, LeftOut, Plan};
use std::collections::BTreeMap;
use syntax::Tree;
use topic::{Profile, ProfileError};

/// A text that nobody has looked at yet.
pub(super) struct Waiting {
    pub(super) id: u32,
    pub(super) text: String,
    pub(super) source: Source,
    pub(super) files: Option<BTreeMap<String, String>>,
    /// JSON.
    pub(super) profile: Option<String>,
    pub(super) left_out: Vec<String>,
    /// Indices in the view.
    pub(super) skipped: Vec<u32>,
}

pub(super) struct Current {
    pub(super) id: u32,
    pub(super) plan: Plan,
    /// Of each file of the plan, in its order, once it is analysed. They are kept after the report:
    /// whole files that come later change only their own.
    pub(super) facts: Vec<Option<FileFacts>>,
    /// Set once all files are analysed.
    pub(super) report: Option<Report>,
    /// Whether whole files came after the report; it holds until the next one is there.
    pub(super) is_stale: bool,
}

impl Current {
    /// What an earlier review understood is taken over where the diff still says the same.
    pub(super) fn new(waiting: Waiting, before: Option<Current>) -> Result<Current, ProfileError> {
        let profile = match &waiting.profile {
            Some(text) => Profile::from_json(text)?,
            None => Profile::builtin(),
        };
        let mut plan = review::plan(&Input {
            text: &waiting.text,
            decoding: &[],
            files: waiting.files.as_ref(),
            profile: &profile,
            dismissals: &[],
            source: &waiting.source,
        });
        plan.tell_left_out(&waiting.left_out);
        plan.leave_out(&waiting.skipped, LeftOut::BrokeDown);
        let facts = match before {
            Some(before) => plan.keep(&before.plan, before.facts),
            None => (0..plan.len()).map(|_| None).collect(),
        };
        Ok(Current {
            id: waiting.id,
            facts,
            plan,
            report: None,
            is_stale: false,
        })
    }

    pub(super) fn view(&self) -> FromWorker {
        FromWorker::View {
            id: self.id,
            view: review::view(&self.plan),
            next: self.next(),
        }
    }

    /// Forgets what these files said before.
    pub(super) fn take_files(&mut self, files: BTreeMap<String, String>) -> FromWorker {
        let mut known = Vec::new();
        for place in self.plan.take_files(files) {
            if let Some(facts) = self.facts.get_mut(place) {
                *facts = None;
            }
            known.extend(self.plan.index(place));
        }
        self.is_stale = true;
        let n_lines = |file: u32| Some((file, review::n_whole_lines(&self.plan, file as usize)?));
        FromWorker::Known {
            id: self.id,
            files: known.into_iter().filter_map(n_lines).collect(),
            next: self.next(),
        }
    }

    /// Reads one file, and tells what it shows by itself, unless a report has already told more.
    fn analyse(&mut self, n: usize, parse: &mut dyn FnMut(&str) -> Tree) -> FromWorker {
        let mut facts = review::file_facts(&self.plan, n, parse);
        let findings = match self.report {
            None => review::provisional(&self.plan, &facts),
            Some(_) => Vec::new(),
        };
        facts.rest();
        if let Some(place) = self.facts.get_mut(n) {
            *place = Some(facts);
        }
        FromWorker::Progress {
            id: self.id,
            done: self.facts.iter().flatten().count() as u32,
            total: self.facts.len() as u32,
            file: self.plan.index(n),
            findings,
            next: self.next(),
        }
    }

    /// The file that is read next, by its index in the view.
    fn next(&self) -> Option<u32> {
        let next = self.facts.iter().position(Option::is_none)?;
        self.plan.index(next)
    }

    /// Gives up the files that are not read yet.
    pub(super) fn leave_out_rest(&mut self) {
        if self.report.is_some() {
            return;
        }
        let unread = (0..).zip(&self.facts).filter(|(_, facts)| facts.is_none());
        let unread: Vec<u32> = unread.filter_map(|(n, _)| self.plan.index(n)).collect();
        self.plan.leave_out(&unread, LeftOut::NotReached);
        self.facts.retain(Option::is_some);
    }

    pub(super) fn is_done(&self) -> bool {
        self.report.is_some() && !self.is_stale
    }

    /// Nothing once the report is there.
    pub(super) fn step(&mut self, parse: &mut dyn FnMut(&str) -> Tree) -> Option<FromWorker> {
        if self.is_done() {
            return None;
        }
        let id = self.id;
        if let Some(next) = self.facts.iter().position(Option::is_none) {
            return Some(self.analyse(next, parse));
        }
        let mut facts: Vec<FileFacts> = std::mem::take(&mut self.facts)
            .into_iter()
            .flatten()
            .collect();
        let report = review::conclude(&self.plan, &facts);
        facts.iter_mut().for_each(FileFacts::rest);
        self.facts = facts.into_iter().map(Some).collect();
        self.report = Some(report.clone());
        self.is_stale = false;
        Some(FromWorker::Done { id, report })
    }
}
