//! The work laid over a report: what is dismissed is excused, what is raised counts.

use super::{Decision, FindingWork, Work};
use crate::finding::{Finding, Verdict};
use crate::model::{ChecklistLine, Report, Status};
use std::collections::BTreeSet;

impl Work {
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
