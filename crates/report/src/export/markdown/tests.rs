//! What a written review promises to its reviewer, and to the author who reads it.

use super::*;
use crate::export::sample::{self, WORDING};
use crate::export::wording::Gravity;
use crate::model::Problem;
use crate::work::{Decision, FindingWork};

#[track_caller]
fn told(report: &Report, work: &Work) -> String {
    let text = markdown(report, work, &WORDING);
    assert!(n_units(&text) <= MARKDOWN_LIMIT);
    text
}

/// A report with this many looks of this check.
fn with_looks(checks: &[&str]) -> Report {
    let mut report = sample::report();
    let look = report.finding("f-look").unwrap().clone();
    report.findings = (1..)
        .zip(checks)
        .map(|(line, check)| Finding {
            id: format!("f-{line}"),
            check: (*check).to_owned(),
            line,
            end_line: line,
            ..look.clone()
        })
        .collect();
    report
}

#[test]
fn a_review_in_words() {
    insta::assert_snapshot!(told(&sample::report(), &Work::default()));
}

#[test]
fn a_review_with_the_reviewers_work() {
    insta::assert_snapshot!(told(&sample::report(), &sample::work()));
}

#[test]
fn the_reviewer_chooses_what_block_is_called() {
    let critical = Wording {
        block: Gravity::Critical,
        ..WORDING
    };
    let text = markdown(&sample::report(), &Work::default(), &critical);
    assert!(text.contains("#### Critical\n") && !text.contains("High"));
}

#[test]
fn three_questions_at_most_of_different_checks_first() {
    let report = with_looks(&["a", "a", "a", "b", "c", "d"]);
    insta::assert_snapshot!(told(&report, &Work::default()));
}

#[test]
fn an_accepted_look_is_a_finding() {
    let mut work = Work::default();
    let accepted = FindingWork {
        decision: Decision::Accepted,
        ..FindingWork::default()
    };
    work.findings.insert("f-look".to_owned(), accepted);
    let text = told(&sample::report(), &work);
    assert!(!text.contains("#### Questions"), "{text}");
    assert!(text.contains("`lock-across-blocking`: What f-look says"));
}

#[test]
fn the_reviewer_says_how_a_finding_is_reached_and_why_a_folded_one_counts() {
    let mut work = sample::work();
    let raised = FindingWork {
        decision: Decision::Raised,
        reason: "the new caller\nmakes it hot".to_owned(),
        ..FindingWork::default()
    };
    work.findings.insert("f-excused".to_owned(), raised);
    let accepted = work.findings.get_mut("f-flag").unwrap();
    accepted.reached = "from @handle of each request".to_owned();
    let text = told(&sample::report(), &work);
    assert!(
        text.contains("**Raised by the reviewer:** the new caller makes it hot\n"),
        "{text}"
    );
    assert!(
        text.contains("**Reached:** from &#64;handle of each request\n"),
        "{text}"
    );
}

#[test]
fn nothing_reads_as_an_approval() {
    let mut report = sample::report();
    report.findings.clear();
    let text = told(&report, &Work::default());
    assert!(text.starts_with("**No finding in what was read.** That is no approval"));
    for text in [text, told(&sample::report(), &sample::work())] {
        for word in ["LGTM", "approve", "looks good", "Checked"] {
            assert!(!text.contains(word), "{word} in\n{text}");
        }
    }
}

#[test]
fn without_a_known_head_none_is_named() {
    let mut report = sample::report();
    report.source = crate::Source::default();
    let text = told(&report, &Work::default());
    assert!(text.ends_with("\nTopic: Concurrency, resources, artifacts and caches\n"));
    assert!(!text.contains("/blob/"), "{text}");
}

#[test]
fn a_long_review_is_cut_and_says_so() {
    let mut report = sample::report();
    report.findings = report.findings.iter().cycle().take(900).cloned().collect();
    let text = told(&report, &Work::default());
    assert!(text.contains("_Cut here: "));
    assert!(text.contains("#### Not read"));
}

#[test]
fn long_lists_at_the_end_are_cut_too() {
    let mut report = sample::report();
    let problem = Problem {
        path: Some("#".repeat(5_000)),
        message: "#".repeat(5_000),
        ..report.problems[0].clone()
    };
    report.problems = vec![problem; 60];
    let mut work = sample::work();
    for line in work.lines.values_mut() {
        line.note = "#".repeat(5_000);
    }
    let text = told(&report, &work);
    assert!(text.contains("\n- and 59 more\n"), "{text}");
    assert!(text.contains("f-flag"));
}

#[test]
fn a_comment_of_one_finding_stands_without_its_place() {
    let of = |id: &str| comment(&sample::report(), &Work::default(), &WORDING, id);
    insta::assert_snapshot!(of("f-block").unwrap());
    insta::assert_snapshot!(of("f-look").unwrap());
    assert_eq!(of("f-none"), None);
}
