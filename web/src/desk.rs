//! What the reviewer has done on the page, for the parts that show it. It reaches them as a context, since a
//! finding stands deep in the changes.

use crate::kept::Kept;
use report::export::{self, Gravity};
use report::{Answer, FindingWork, LineWork, Report, Verdict, line_fingerprint};
use std::rc::Rc;
use yew::AttrValue;

#[derive(Clone, PartialEq, Default)]
pub(crate) struct Desk {
    pub(crate) kept: Rc<Kept>,
    /// The report as the rules gave it.
    pub(crate) found: Option<Rc<Report>>,
    /// Whether the analysis failed, so that the checklist is gone through without it.
    pub(crate) is_by_hand: bool,
    /// What the reviewer calls a BLOCK.
    pub(crate) gravity: Gravity,
    /// The finding whose card is to ask for the reason of a dismissal.
    pub(crate) asks_reason: Option<AttrValue>,
}

impl Desk {
    /// The comment of a finding, to be pasted at its line.
    pub(crate) fn comment(&self, id: &str) -> Option<String> {
        let wording = topic::topic().wording(self.gravity);
        export::comment(self.found.as_deref()?, &self.kept.work, &wording, id)
    }

    /// What was done at a checklist line.
    pub(crate) fn line(&self, id: &str) -> LineWork {
        self.kept.work.lines.get(id).cloned().unwrap_or_default()
    }

    pub(crate) fn finding(&self, id: &str) -> FindingWork {
        self.kept.work.findings.get(id).cloned().unwrap_or_default()
    }

    /// What the rules made of a finding, before any decision.
    pub(crate) fn verdict(&self, id: &str) -> Option<Verdict> {
        Some(self.found.as_deref()?.finding(id)?.verdict)
    }

    /// Whether the line was answered, and what it rests on has changed since.
    pub(crate) fn is_outdated(&self, id: &str) -> bool {
        // A fingerprint takes a walk through all findings.
        let work = self.kept.work.lines.get(id);
        let work = work.filter(|work| work.answer != Answer::Open);
        let (Some(work), Some(found)) = (work, self.found.as_deref()) else {
            return false;
        };
        let line = found.checklist.iter().find(|line| line.id == id);
        line.is_some_and(|line| work.is_outdated(&line_fingerprint(line, found)))
    }

    /// Whether there is something to answer.
    pub(crate) fn is_laid(&self) -> bool {
        self.is_by_hand || self.found.as_ref().is_some_and(|found| !found.is_empty())
    }

    /// Lines that are answered for what they are now, and the number of all.
    pub(crate) fn n_done(&self) -> (usize, usize) {
        let rules = topic::topic().rules.iter();
        let is_done = |id: &str| self.line(id).answer != Answer::Open && !self.is_outdated(id);
        let n_done = rules.clone().filter(|rule| is_done(rule.id)).count();
        (n_done, rules.count())
    }

    /// Answered lines that have to be looked at again.
    pub(crate) fn n_again(&self) -> usize {
        let lines = self.found.iter().flat_map(|found| &found.checklist);
        lines.filter(|line| self.is_outdated(&line.id)).count()
    }

    /// Findings that the version before did not have.
    pub(crate) fn n_new(&self) -> usize {
        let findings = self.found.iter().flat_map(|found| &found.findings);
        findings
            .filter(|finding| self.kept.work.is_new(finding))
            .count()
    }
}
