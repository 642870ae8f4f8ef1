//! What a reviewer did with a report, `hunkwise.work/1`: answers, notes and decisions, keyed by ids.
//!
//! It is a document of its own, so that a review can be run again and the work laid over the new report.

mod merge;
mod version;

use crate::finding::{Finding, Verdict};
use crate::model::{ChecklistLine, Report, Source, Status};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub use version::{fingerprint, line_fingerprint};

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
    /// The version of the change that was reviewed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The version before that one: what is not in it is new to the reviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Version>,
}

/// What the reviewer answered at a checklist line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineWork {
    #[serde(default)]
    pub answer: Answer,
    #[serde(default)]
    pub note: String,
    /// The line's fingerprint when it was answered: with another one it has to be looked at again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seen: String,
    /// Whose answer and note these are, where they came from somebody who wrote a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
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

/// What the reviewer decided on a finding and noted beside it. One that nobody touched has no entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingWork {
    #[serde(default)]
    pub decision: Decision,
    /// Why it is dismissed, or raised. The page asks for it; a document may leave it empty.
    #[serde(default)]
    pub reason: String,
    /// How the finding is reached, in the reviewer's words: the caller, the input, the moment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reached: String,
    /// The verdict when it was decided: with another one it has to be looked at again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Verdict>,
    /// Whose decision this is, where it came from somebody who wrote a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    #[default]
    Open,
    /// The reviewer agrees: this has to be dealt with.
    Accepted,
    Dismissed,
    /// A folded finding that counts after all, for example old code that the change makes worse.
    Raised,
}

/// One version of a change, as far as the next one is compared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The fingerprint of the diff's text.
    pub text: String,
    #[serde(default)]
    pub source: Source,
    /// Of the Python files.
    #[serde(default)]
    pub paths: BTreeSet<String>,
    /// Every finding's verdict by its id.
    #[serde(default)]
    pub findings: BTreeMap<String, Verdict>,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            schema: WORK_SCHEMA.to_owned(),
            reviewer: None,
            lines: BTreeMap::new(),
            findings: BTreeMap::new(),
            version: None,
            before: None,
        }
    }
}

impl Work {
    /// Whether nothing was done. Which version was looked at is no work.
    pub fn is_empty(&self) -> bool {
        self.reviewer.is_none() && self.lines.is_empty() && self.findings.is_empty()
    }

    /// The report with every dismissed finding excused and every raised one counted,
    /// and the checklist's status after that.
    pub fn apply(&self, report: &Report) -> Report {
        let mut report = report.clone();
        let rest = rest_status(&report);
        let mut changed = BTreeSet::new();
        for finding in &mut report.findings {
            if self.decide(finding) {
                changed.insert(finding.id.clone());
            }
        }
        settle(&mut report, &changed, rest);
        report
    }

    /// The decision on a finding; open where there is none.
    pub fn decision(&self, id: &str) -> Decision {
        self.findings
            .get(id)
            .map_or(Decision::Open, |work| work.decision)
    }

    /// Whether the decision changed the finding. One that no longer fits changes nothing: the dismissal of
    /// what is excused by now, or of a look that is a violation by now and has to be decided on again.
    fn decide(&self, finding: &mut Finding) -> bool {
        let Some(work) = self.findings.get(&finding.id) else {
            return false;
        };
        match work.decision {
            Decision::Dismissed
                if finding.verdict.counts() && !work.is_outdated(finding.verdict) =>
            {
                finding.verdict = Verdict::Excused;
                finding.reason = Some(work.dismissal());
            }
            Decision::Raised if !finding.verdict.counts() => {
                finding.verdict = Verdict::Violation;
                finding.reason = None;
            }
            _ => return false,
        }
        true
    }
}

impl FindingWork {
    fn dismissal(&self) -> String {
        match self.reason.trim() {
            "" => "Dismissed by the reviewer.".to_owned(),
            reason => format!("Dismissed by the reviewer: {reason}"),
        }
    }
}

/// Gives the lines of changed findings their status anew.
fn settle(report: &mut Report, changed: &BTreeSet<String>, rest: Status) {
    let Report {
        checklist,
        findings,
        ..
    } = report;
    for line in checklist {
        if line.findings.iter().any(|id| changed.contains(id)) {
            line.status = status(line, findings, rest);
        }
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
            ..FindingWork::default()
        };
        work.findings.insert("f-flag".to_owned(), dismissed);
        let report = work.apply(&sample::report());
        assert_eq!(status_of(&report, "R2"), Status::Look);
        assert_eq!(status_of(&report, "R4"), Status::Found);
    }

    #[test]
    fn a_look_that_became_a_violation_is_not_dismissed_any_more() {
        let mut work = sample::work();
        for finding in work.findings.values_mut() {
            finding.seen = Some(Verdict::Look);
        }
        let report = work.apply(&sample::report());
        assert_eq!(
            report.finding("f-block").unwrap().verdict,
            Verdict::Violation
        );
    }

    #[test]
    fn a_raised_finding_counts_and_its_line_with_it() {
        let mut report = sample::report();
        report.findings.retain(|finding| finding.id != "f-nit");
        for line in report.checklist.iter_mut().filter(|line| line.id == "R8") {
            line.status = Status::NotRead;
        }
        let mut work = Work::default();
        let raised = FindingWork {
            decision: Decision::Raised,
            reason: "the change calls it per request".to_owned(),
            ..FindingWork::default()
        };
        work.findings.insert("f-existing".to_owned(), raised);
        let report = work.apply(&report);
        let finding = report.finding("f-existing").unwrap();
        assert_eq!(
            (finding.verdict, &finding.reason),
            (Verdict::Violation, &None)
        );
        assert_eq!(status_of(&report, "R8"), Status::Found);
    }

    #[test]
    fn a_document_of_the_first_form_still_opens() {
        let text = r#"{"schema": "hunkwise.work/1", "lines": {"R4": {"answer": "checked"}},
            "findings": {"f": {"decision": "accepted", "reason": ""}}}"#;
        let work: Work = serde_json::from_str(text).unwrap();
        assert_eq!(work.decision("f"), Decision::Accepted);
        assert_eq!(work.lines["R4"].answer, Answer::Checked);
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
