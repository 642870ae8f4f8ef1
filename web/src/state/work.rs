//! The reviewer's answers and decisions: each action, and what it changes of the work and of the page.

use super::State;
use crate::diff_file::DiffFile;
use crate::kept::Kept;
use report::{Answer, Decision, Finding, FindingWork, LineWork, Report, Status, line_fingerprint};
use std::rc::Rc;
use yew::AttrValue;

/// What a reviewer does with the review on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WorkAction {
    Answer {
        /// Id of the checklist line.
        line: AttrValue,
        answer: Answer,
    },
    Note {
        line: AttrValue,
        note: String,
    },
    /// The answer stands although the line changed.
    AnswerStands(AttrValue),
    /// Answers every open line that does not apply with that.
    AnswerWhatDoesNotApply,
    Decide {
        /// Id of the finding.
        finding: AttrValue,
        decision: Decision,
        /// Why it is dismissed or raised.
        reason: String,
    },
    /// How the finding is reached.
    Reached {
        finding: AttrValue,
        words: String,
    },
    /// The reviewer's name, or none.
    Name(String),
}

impl State {
    /// The review on the page, as it is kept.
    pub(crate) fn kept(&self) -> Rc<Kept> {
        self.shelf.on_page().cloned().unwrap_or_default()
    }

    pub(super) fn work_on(&mut self, action: WorkAction) {
        self.shelf.n_changes += 1;
        match action {
            WorkAction::Answer { line, answer } => {
                self.change_line(&line, |work| work.answer = answer);
            }
            WorkAction::Note { line, note } => self.change_line(&line, |work| work.note = note),
            WorkAction::AnswerStands(line) => self.change_line(&line, |_| {}),
            WorkAction::AnswerWhatDoesNotApply => self.answer_what_does_not_apply(),
            WorkAction::Decide {
                finding,
                decision,
                reason,
            } => self.decide(&finding, decision, reason),
            WorkAction::Reached { finding, words } => {
                self.change_finding(&finding, |work| work.reached = words);
            }
            WorkAction::Name(name) => {
                let name = Some(name).filter(|name| !name.trim().is_empty());
                self.shelf.change(|kept| kept.work.reviewer = name);
            }
        }
    }

    fn decide(&mut self, id: &str, decision: Decision, reason: String) {
        let finding = self.found.as_deref().and_then(|found| found.finding(id));
        let seen = finding
            .filter(|_| decision != Decision::Open)
            .map(|finding| finding.verdict);
        self.change_finding(id, |work| {
            work.decision = decision;
            work.reason = reason;
            work.seen = seen;
        });
        self.lay_work_over();
    }

    fn answer_what_does_not_apply(&mut self) {
        let found = self.found.clone();
        let lines = found.iter().flat_map(|report| &report.checklist);
        for line in lines.filter(|line| line.status == Status::NotApplicable) {
            let kept = self.kept();
            let answer = kept.work.lines.get(&line.id).map(|work| work.answer);
            if answer.unwrap_or_default() == Answer::Open {
                self.change_line(&line.id, |work| work.answer = Answer::NotApplicable);
            }
        }
    }

    /// Changes what stands at a line, which the reviewer has then seen as it is.
    fn change_line(&mut self, id: &str, change: impl FnOnce(&mut LineWork)) {
        let seen = self.found.as_deref().and_then(|found| seen_of(id, found));
        self.shelf.change(|kept| {
            let work = kept.work.lines.entry(id.to_owned()).or_default();
            change(work);
            work.by = None;
            work.seen = seen.unwrap_or_default();
            if work.answer == Answer::Open && work.note.is_empty() {
                kept.work.lines.remove(id);
            }
        });
    }

    fn change_finding(&mut self, id: &str, change: impl FnOnce(&mut FindingWork)) {
        self.shelf.change(|kept| {
            let work = kept.work.findings.entry(id.to_owned()).or_default();
            change(work);
            work.by = None;
            if *work == FindingWork::default() {
                kept.work.findings.remove(id);
            }
        });
    }

    /// Brings the page in line with the decisions: what it shows is the report with the work laid over it.
    pub(super) fn lay_work_over(&mut self) {
        let (Some(found), Some(before)) = (&self.found, &self.report) else {
            return;
        };
        let shown = self.kept().work.apply(found);
        let changed = differing(before, &shown);
        if !changed.is_empty() {
            self.report = Some(Rc::new(shown));
            self.replace(&changed);
        }
    }

    /// Puts changed findings where they stood, without moving anything else.
    fn replace(&mut self, changed: &[Rc<Finding>]) {
        let files = Rc::make_mut(&mut self.files);
        for file in files {
            if changed.iter().any(|finding| file.holds(&finding.id)) {
                DiffFile::replace(Rc::make_mut(file), changed);
            }
        }
        let is_held = |id: &str| self.files.iter().any(|file| file.holds(id));
        let counted = self.report.iter().flat_map(|report| report.counted());
        let astray = counted.filter(|finding| !is_held(&finding.id));
        self.astray = Rc::new(astray.cloned().map(Rc::new).collect());
    }
}

/// What the checklist line rests on now.
fn seen_of(id: &str, found: &Report) -> Option<String> {
    let line = found.checklist.iter().find(|line| line.id == id)?;
    Some(line_fingerprint(line, found))
}

/// Findings that are judged otherwise than before. Both reports are of one analysis.
fn differing(before: &Report, now: &Report) -> Vec<Rc<Finding>> {
    let pairs = before.findings.iter().zip(&now.findings);
    let differing = pairs.filter(|(before, now)| before != now);
    differing.map(|(_, now)| Rc::new(now.clone())).collect()
}
