//! One report with a finding of each kind, for the tests of the forms.

use crate::export::wording::{Gravity, Question, Wording};
use crate::finding::{Finding, Reference, Severity, Side, Verdict};
use crate::model::{
    ChecklistLine, Context, Evidence, Input, OutOfScope, Problem, Report, SCHEMA, Signal, Source,
    Status, Tool, Topic,
};
use crate::work::{Answer, Decision, FindingWork, LineWork, Work};

pub(crate) fn report() -> Report {
    Report {
        schema: SCHEMA.to_owned(),
        tool: Tool {
            name: "hunkwise".to_owned(),
            version: "0.1.0".to_owned(),
            topic: "concurrency-and-resource-safety".to_owned(),
            topic_version: "1".to_owned(),
            profile: "python".to_owned(),
        },
        source: Source {
            repo: Some("acme/serve".to_owned()),
            pull: Some(7),
            base: Some("0a1b2c3".to_owned()),
            head: Some("4d5e6f7".to_owned()),
        },
        input: input(),
        topic: topic(),
        checklist: checklist(),
        findings: findings(),
        problems: vec![Problem {
            path: Some("serve/cut.py".to_owned()),
            line: Some(40),
            kind: "cut".to_owned(),
            message: "The text ends inside a hunk.".to_owned(),
        }],
    }
}

/// Dismisses the BLOCK, accepts the FLAG, and answers two lines.
pub(crate) fn work() -> Work {
    let decided = |decision, reason: &str| FindingWork {
        decision,
        reason: reason.to_owned(),
        ..FindingWork::default()
    };
    let answered = |answer, note: &str| LineWork {
        answer,
        note: note.to_owned(),
        ..LineWork::default()
    };
    Work {
        reviewer: Some("Ada".to_owned()),
        lines: [
            ("R1".to_owned(), answered(Answer::Checked, "")),
            (
                "R4".to_owned(),
                answered(Answer::ProblemRaised, "Asked in the thread."),
            ),
        ]
        .into(),
        findings: [
            (
                "f-block".to_owned(),
                decided(Decision::Dismissed, "bounded by the caller"),
            ),
            ("f-flag".to_owned(), decided(Decision::Accepted, "")),
        ]
        .into(),
        ..Work::default()
    }
}

fn input() -> Input {
    Input {
        context: Context::Diff,
        files: 3,
        hunks: 4,
        added: 30,
        removed: 2,
        out_of_scope: OutOfScope {
            non_python: 1,
            binary: 0,
        },
    }
}

fn topic() -> Topic {
    Topic {
        applies: true,
        signals: vec![Signal {
            group: "background-execution".to_owned(),
            path: "serve/dispatch.py".to_owned(),
            side: Side::New,
            line: 3,
            text: "ThreadPoolExecutor".to_owned(),
        }],
    }
}

fn checklist() -> Vec<ChecklistLine> {
    let line = |rule: u8, severity, status, findings: &[&str]| ChecklistLine {
        id: format!("R{rule}"),
        severity,
        rule,
        title: format!("Title of rule {rule}"),
        status,
        findings: findings.iter().map(|&id| id.to_owned()).collect(),
        evidence: Vec::new(),
    };
    let mut lines = vec![
        line(1, Severity::Block, Status::NotRead, &[]),
        line(2, Severity::Flag, Status::Found, &["f-flag", "f-look"]),
        line(4, Severity::Block, Status::Found, &["f-block", "f-excused"]),
        line(8, Severity::Nit, Status::Found, &["f-nit", "f-existing"]),
    ];
    lines.push(ChecklistLine {
        evidence: vec![Evidence {
            path: "serve/files.py".to_owned(),
            line: 9,
            note: "os.replace".to_owned(),
        }],
        ..line(5, Severity::Block, Status::NotRead, &[])
    });
    lines
}

fn findings() -> Vec<Finding> {
    let block = finding(
        "f-block",
        4,
        "unbounded-result",
        Severity::Block,
        Verdict::Violation,
    );
    let flag = finding(
        "f-flag",
        2,
        "acquire-without-timeout",
        Severity::Flag,
        Verdict::Violation,
    );
    let nit = finding(
        "f-nit",
        8,
        "unbounded-cache",
        Severity::Nit,
        Verdict::Violation,
    );
    let look = finding(
        "f-look",
        2,
        "lock-across-blocking",
        Severity::Flag,
        Verdict::Look,
    );
    let excused = finding(
        "f-excused",
        4,
        "unbounded-result",
        Severity::Block,
        Verdict::Excused,
    );
    let existing = finding(
        "f-existing",
        8,
        "unbounded-cache",
        Severity::Nit,
        Verdict::Existing,
    );
    vec![block, flag, nit, look, excused, existing]
}

fn finding(id: &str, rule: u8, check: &str, severity: Severity, verdict: Verdict) -> Finding {
    Finding {
        id: id.to_owned(),
        rule,
        check: check.to_owned(),
        severity,
        verdict,
        side: Side::New,
        path: "serve/dispatch.py".to_owned(),
        commit: None,
        line: 12,
        end_line: 12,
        column: 18,
        end_column: 33,
        message: format!("What {id} says of `pool`."),
        why: format!("Why {id} breaks."),
        ask: format!("What to do about {id}."),
        reason: (!verdict.counts()).then(|| format!("Reason of {id}.")),
        related: vec![Reference {
            side: Side::Old,
            path: "serve/dispatch.py".to_owned(),
            line: 10,
            end_line: 10,
            note: "it had a timeout".to_owned(),
        }],
        also: vec![10],
        references: vec![2489],
    }
}

/// What a topic and a reviewer bring to a written review.
pub(crate) const WORDING: Wording = Wording {
    block: Gravity::High,
    title: "Concurrency, resources, artifacts and caches",
    question: |rule| {
        (rule == 2).then_some(Question {
            asks: "Who else takes this lock?",
            settled_if: "nobody does",
        })
    },
};
