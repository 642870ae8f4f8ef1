//! A guard that the change takes away: the finding names the deleted line.

use report::{Report, Side};
use tests::{fixtures, review};

#[test]
fn findings_name_the_guard_that_was_deleted() {
    let all = fixtures("rules/conclude").unwrap();
    let removed: Vec<_> = all
        .iter()
        .filter(|fixture| fixture.path.to_string_lossy().contains("_removed.diff"))
        .collect();
    assert!(removed.len() > 6);
    for fixture in removed {
        let report = review(&fixture.diff).unwrap();
        assert!(names_a_deleted_line(&report), "{}", fixture.path.display());
    }
}

#[test]
fn a_deleted_line_that_guarded_nothing_is_not_blamed() {
    let all = fixtures("rules/r07").unwrap();
    let fixture = all
        .iter()
        .find(|fixture| fixture.path.ends_with("fires_path_given_anew.diff"))
        .unwrap();
    let report = review(&fixture.diff).unwrap();
    let finding = report.counted().next().unwrap();
    assert!(
        !finding.message.contains("took away"),
        "{}",
        finding.message
    );
}

fn names_a_deleted_line(report: &Report) -> bool {
    report.counted().any(|finding| {
        let mut related = finding.related.iter();
        finding.side == Side::Old || related.any(|place| place.side == Side::Old)
    })
}

#[test]
fn a_rewritten_statement_that_keeps_its_fault_says_so() {
    let all = fixtures("rules/conclude").unwrap();
    let rewritten = all
        .iter()
        .find(|fixture| fixture.path.ends_with("fires_rewritten.diff"))
        .unwrap();
    let report = review(&rewritten.diff).unwrap();
    let finding = report.counted().next().unwrap();
    assert!(finding.message.contains("so before"), "{}", finding.message);
}
