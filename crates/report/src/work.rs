//! What a reviewer did with a report, `hunkwise.work/1`: answers, notes and decisions, keyed by ids.
//!
//! It is a document of its own, so that a review can be run again and the work laid over the new report.

use crate::finding::{Finding, Verdict};
use crate::model::{ChecklistLine, Report, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The schema name that every work document carries.
pub const WORK_SCHEMA: &str = "hunkwise.work/1";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    pub schema: String,
    /// The name that the reviewer wrote, if any: without one nobody says whose words the notes are.
    #[serde(default)]
    pub reviewer: Option<String>,
    /// By the checklist line's id, `R1` to `R10`.
    #[serde(default)]
    pub lines: BTreeMap<String, LineWork>,
    /// By the finding's id. Ids that a report does not hold are kept: the next version may hold them again.
    #[serde(default)]
    pub findings: BTreeMap<String, FindingWork>,
}

/// What the reviewer answered at a checklist line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineWork {
    #[serde(default)]
    pub answer: Answer,
    #[serde(default)]
    pub note: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    #[default]
    Open,
    Checked,
    NotApplicable,
    ProblemRaised,
}

impl Answer {
    /// Every answer, in the order in which the page offers them.
    pub const ALL: [Answer; 4] = [
        Answer::Open,
        Answer::Checked,
        Answer::NotApplicable,
        Answer::ProblemRaised,
    ];

    /// The words that users read.
    pub fn words(self) -> &'static str {
        match self {
            Answer::Open => "Open",
            Answer::Checked => "Checked",
            Answer::NotApplicable => "Not applicable",
            Answer::ProblemRaised => "Problem raised",
        }
    }
}

/// What the reviewer decided on a finding. One without a decision is open and has no entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingWork {
    pub decision: Decision,
    /// Why it is dismissed; may be empty.
    #[serde(default)]
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The reviewer agrees: this has to be dealt with.
    Accepted,
    Dismissed,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            schema: WORK_SCHEMA.to_owned(),
            reviewer: None,
            lines: BTreeMap::new(),
            findings: BTreeMap::new(),
        }
    }
}

impl Work {
    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        let Work {
            schema: _,
            reviewer,
            lines,
            findings,
        } = self;
        reviewer.is_none() && lines.is_empty() && findings.is_empty()
    }

    /// The report with every dismissed finding excused, and the checklist's answers after that.
    pub fn apply(&self, report: &Report) -> Report {
        let mut report = report.clone();
        let excused = self.excuse(&mut report.findings);
        if excused > 0 {
            settle(&mut report);
        }
        report
    }

    fn excuse(&self, findings: &mut [Finding]) -> usize {
        let mut excused = 0;
        for finding in findings.iter_mut().filter(|it| it.verdict.counts()) {
            let Some(reason) = self.dismissal(&finding.id) else {
                continue;
            };
            finding.verdict = Verdict::Excused;
            finding.reason = Some(reason);
            excused += 1;
        }
        excused
    }

    /// The reason of a dismissed finding, as a sentence.
    fn dismissal(&self, id: &str) -> Option<String> {
        let work = self.findings.get(id)?;
        match (work.decision, work.reason.trim()) {
            (Decision::Accepted, _) => None,
            (Decision::Dismissed, "") => Some("Dismissed by the reviewer.".to_owned()),
            (Decision::Dismissed, reason) => Some(format!("Dismissed by the reviewer: {reason}")),
        }
    }
}

/// Lowers the status of lines whose findings were excused.
fn settle(report: &mut Report) {
    let rest = rest_status(report);
    let Report {
        checklist,
        findings,
        ..
    } = report;
    for line in checklist
        .iter_mut()
        .filter(|line| matches!(line.status, Status::Found | Status::Look))
    {
        line.status = status(line, findings, rest);
    }
}

fn status(line: &ChecklistLine, findings: &[Finding], rest: Status) -> Status {
    let has = |verdict| {
        findings
            .iter()
            .any(|finding| finding.verdict == verdict && line.findings.contains(&finding.id))
    };
    if has(Verdict::Violation) {
        Status::Found
    } else if has(Verdict::Look) {
        Status::Look
    } else {
        rest
    }
}

/// What a line without counted findings is in this report: never clear while Python was not read.
/// The lines themselves say which; where all have findings, the problems do.
fn rest_status(report: &Report) -> Status {
    let some = |status| report.checklist.iter().any(|line| line.status == status);
    let read = some(Status::Clear) || some(Status::NotApplicable);
    if !some(Status::NotRead) && (read || report.problems.is_empty()) {
        Status::Clear
    } else {
        Status::NotRead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    fn status_of(report: &Report, id: &str) -> Status {
        report
            .checklist
            .iter()
            .find(|line| line.id == id)
            .unwrap()
            .status
    }

    #[test]
    fn a_dismissed_finding_is_excused_with_its_reason() {
        let report = sample::work().apply(&sample::report());
        let finding = report.finding("f-block").unwrap();
        assert_eq!(finding.verdict, Verdict::Excused);
        assert_eq!(
            finding.reason.as_deref(),
            Some("Dismissed by the reviewer: bounded by the caller")
        );
        assert_eq!(
            report.finding("f-flag").unwrap().verdict,
            Verdict::Violation
        );
    }

    #[test]
    fn a_line_is_never_clear_while_something_was_not_read() {
        let mut report = sample::report();
        assert_eq!(
            status_of(&sample::work().apply(&report), "R4"),
            Status::NotRead
        );
        report.problems.clear();
        for line in &mut report.checklist {
            if line.status == Status::NotRead {
                line.status = Status::Clear;
            }
        }
        assert_eq!(
            status_of(&sample::work().apply(&report), "R4"),
            Status::Clear
        );
    }

    #[test]
    fn a_look_remains_where_the_violation_was_dismissed() {
        let mut work = Work::default();
        let dismissed = FindingWork {
            decision: Decision::Dismissed,
            reason: String::new(),
        };
        work.findings.insert("f-flag".to_owned(), dismissed);
        let report = work.apply(&sample::report());
        assert_eq!(status_of(&report, "R2"), Status::Look);
        assert_eq!(status_of(&report, "R4"), Status::Found);
    }

    #[test]
    fn what_was_folded_before_keeps_its_reason() {
        let mut work = sample::work();
        let dismissal = work.findings["f-block"].clone();
        work.findings.insert("f-existing".to_owned(), dismissal);
        let report = work.apply(&sample::report());
        assert_eq!(
            report.finding("f-existing").unwrap().verdict,
            Verdict::Existing
        );
    }
}
