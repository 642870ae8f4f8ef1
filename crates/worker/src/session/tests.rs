//! Messages in, answers out, in every order in which they can come.

use super::*;
use report::permalink::{Content, Link};
use report::{Context, Source, Work};
use review::{Input, file_facts};

const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a = 1\n+b = 2\n";

fn review(id: u32) -> ToWorker {
    ToWorker::Review {
        id,
        text: DIFF.to_owned(),
        source: Source::default(),
        files: None,
        profile: None,
        left_out: Vec::new(),
        skipped: Vec::new(),
    }
}

fn files(id: u32) -> ToWorker {
    let text = "a = 1\nb = 2\nc = 3\n".to_owned();
    ToWorker::Files {
        id,
        files: BTreeMap::from([("x.py".to_owned(), text)]),
    }
}

/// All answers up to the end, each as its name and id.
fn finish(session: &mut Session) -> Vec<(&'static str, u32)> {
    let mut answers = Vec::new();
    while session.has_work() {
        answers.extend(
            session
                .step(&mut |_| Tree::default())
                .map(|answer| name_of(&answer)),
        );
    }
    answers
}

fn name_of(answer: &FromWorker) -> (&'static str, u32) {
    match answer {
        FromWorker::View { id, .. } => ("view", *id),
        FromWorker::Progress { id, .. } => ("progress", *id),
        FromWorker::Done { id, .. } => ("done", *id),
        FromWorker::Rows { id, .. } => ("rows", *id),
        FromWorker::WholeRows { id, .. } => ("whole-rows", *id),
        FromWorker::Known { id, .. } => ("known", *id),
        FromWorker::Text { id, .. } => ("text", *id),
        FromWorker::Found { id, .. } => ("found", *id),
        FromWorker::Excerpt { id, .. } => ("excerpt", *id),
        FromWorker::Link { id, .. } => ("link", *id),
        FromWorker::Profile { id, .. } => ("profile", *id),
        FromWorker::NoProfile { id, .. } => ("no-profile", *id),
        FromWorker::Failed { id, .. } => ("failed", *id),
        FromWorker::Ready { .. } => ("ready", 0),
    }
}

#[test]
fn the_view_comes_first_then_the_files_then_the_report() {
    let mut session = Session::default();
    assert_eq!(session.receive(review(4)), None);
    assert_eq!(
        finish(&mut session),
        [("view", 4), ("progress", 4), ("done", 4)]
    );
}

#[test]
fn a_newer_text_ends_the_review_under_way() {
    let mut session = Session::default();
    session.receive(review(1));
    session.step(&mut |_| Tree::default());
    session.receive(review(2));
    assert_eq!(
        finish(&mut session),
        [("view", 2), ("progress", 2), ("done", 2)]
    );
}

#[test]
fn whole_files_that_come_later_conclude_the_review_anew_without_another_view() {
    let mut session = Session::default();
    session.receive(review(4));
    finish(&mut session);
    let known = |files, next| Some(FromWorker::Known { id: 4, files, next });
    assert_eq!(session.receive(files(4)), known(vec![(0, 3)], Some(0)));
    assert_eq!(finish(&mut session), [("progress", 4), ("done", 4)]);
    assert_eq!(session.receive(files(4)), known(Vec::new(), None));
    assert_eq!(finish(&mut session), [("done", 4)], "nothing of it is new");
}

#[test]
fn whole_files_of_an_older_review_change_nothing() {
    let mut session = Session::default();
    session.receive(review(5));
    finish(&mut session);
    session.receive(files(4));
    assert!(!session.has_work());
}

#[test]
fn whole_files_are_taken_before_the_diff_was_looked_at() {
    let mut session = Session::default();
    session.receive(review(6));
    session.receive(files(6));
    assert_eq!(
        finish(&mut session),
        [("view", 6), ("progress", 6), ("done", 6)]
    );
}

#[test]
fn rows_are_answered_before_the_report_and_an_excerpt_after_it() {
    let mut session = Session::default();
    session.receive(review(1));
    session.step(&mut |_| Tree::default());
    let rows = ToWorker::Rows {
        id: 1,
        file: 0,
        from: 0,
        to: 9,
    };
    let Some(FromWorker::Rows { rows, .. }) = session.receive(rows) else {
        panic!("no rows");
    };
    assert_eq!(rows.len(), 3);
    let early = session.receive(ToWorker::Excerpt { id: 1 });
    assert_eq!(early.as_ref().map(name_of), Some(("failed", 1)));
    finish(&mut session);
    let late = session.receive(ToWorker::Excerpt { id: 1 });
    assert_eq!(late.as_ref().map(name_of), Some(("excerpt", 1)));
}

#[test]
fn what_asks_before_any_review_is_told_so() {
    let answer = Session::default().receive(ToWorker::Excerpt { id: 3 });
    assert_eq!(answer, Some(failed(3, UNREAD)));
    let mut session = Session::default();
    session.receive(review(4));
    let answer = session.receive(ToWorker::Excerpt { id: 4 });
    assert_eq!(answer, Some(failed(4, UNREAD)));
}

#[test]
fn what_asks_for_an_older_review_gets_nothing_of_the_newer() {
    let mut session = Session::default();
    session.receive(review(5));
    let asked = |id| {
        let (file, from, to) = (0, 0, 9);
        let text = "b".to_owned();
        [
            ToWorker::Rows { id, file, from, to },
            ToWorker::WholeRows { id, file, from, to },
            ToWorker::Text { id, file, from, to },
            ToWorker::Find { id, text, limit: 9 },
            ToWorker::Excerpt { id },
        ]
    };
    for message in asked(4) {
        assert_eq!(session.receive(message), Some(failed(4, REPLACED)));
    }
    finish(&mut session);
    for message in asked(4) {
        assert_eq!(session.receive(message), Some(failed(4, REPLACED)));
    }
    for message in asked(5) {
        let answer = session.receive(message);
        assert_ne!(answer.as_ref().map(name_of), Some(("failed", 5)));
    }
}

#[test]
fn a_profile_is_told_by_its_name_and_its_names_are_used() {
    let mut session = Session::default();
    let ask = |text: &str| ToWorker::Profile {
        id: 3,
        text: text.to_owned(),
    };
    let Some(FromWorker::Profile { name, .. }) = session.receive(ask(ACME)) else {
        panic!("no profile");
    };
    assert_eq!(name, "acme");
    let refused = session.receive(ask("name = 'acme'"));
    assert_eq!(refused.as_ref().map(name_of), Some(("no-profile", 3)));

    session.receive(with_profile(4, ACME));
    finish(&mut session);
    let report = session.current.as_ref().unwrap().report.as_ref().unwrap();
    assert_eq!(report.tool.profile, "acme");
    session.receive(with_profile(5, "{\"lock\": {}}"));
    assert_eq!(finish(&mut session), [("failed", 5)]);
    assert!(!session.has_work());
}

const ACME: &str = "{\"name\": \"acme\"}";

fn with_profile(id: u32, json: &str) -> ToWorker {
    ToWorker::Review {
        id,
        text: DIFF.to_owned(),
        source: Source::default(),
        files: None,
        profile: Some(json.to_owned()),
        left_out: Vec::new(),
        skipped: Vec::new(),
    }
}

#[test]
fn a_link_is_packed_whatever_is_under_way() {
    let link = Link {
        content: Content::Diff {
            text: DIFF.to_owned(),
            excerpt: false,
        },
        topic_version: String::new(),
        profile: String::new(),
        context: Context::Diff,
        work: Work::default(),
        selected: None,
    };
    let ask = ToWorker::Link {
        id: 5,
        link: Box::new(link.clone()),
    };
    let Some(FromWorker::Link { id: 5, fragment }) = Session::default().receive(ask) else {
        panic!("no link");
    };
    assert_eq!(permalink::decode(&fragment), Ok(link));
}

const TWO: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a = 1\n+b = 2\n--- a/y.py\n+++ b/y.py\n@@ -1 +1,2 @@\n a = 1\n+b = 2\n";

fn of_two(id: u32, skipped: Vec<u32>) -> ToWorker {
    ToWorker::Review {
        id,
        text: TWO.to_owned(),
        source: Source::default(),
        files: None,
        profile: None,
        left_out: Vec::new(),
        skipped,
    }
}

/// Kind and path of what the report says was not read.
fn unread(session: &Session) -> Vec<(String, Option<String>)> {
    let report = session
        .current
        .as_ref()
        .and_then(|current| current.report.as_ref());
    let problems = report.into_iter().flat_map(|report| report.unread());
    problems
        .map(|it| (it.kind.clone(), it.path.clone()))
        .collect()
}

#[test]
fn every_answer_names_the_file_that_is_read_next() {
    let mut session = Session::default();
    session.receive(of_two(1, Vec::new()));
    let mut next = Vec::new();
    while session.has_work() {
        let answer = session.step(&mut |_| Tree::default());
        if let Some(FromWorker::View { next: file, .. } | FromWorker::Progress { next: file, .. }) =
            answer
        {
            next.push(file);
        }
    }
    assert_eq!(next, [Some(0), Some(1), None]);
}

#[test]
fn a_file_that_broke_the_analysis_down_is_not_read_again() {
    let mut session = Session::default();
    session.receive(of_two(1, vec![1]));
    let mut n_parsed = 0;
    while session.has_work() {
        session.step(&mut |_| {
            n_parsed += 1;
            Tree::default()
        });
    }
    let mut alone = 0;
    file_facts(&plan_of(TWO), 0, &mut |_| {
        alone += 1;
        Tree::default()
    });
    assert_eq!(n_parsed, alone);
    assert!(unread(&session).contains(&("broke-down".to_owned(), Some("y.py".to_owned()))));
}

#[test]
fn a_review_that_is_ended_early_reports_what_was_read() {
    let mut session = Session::default();
    session.receive(of_two(1, Vec::new()));
    session.step(&mut |_| Tree::default());
    session.step(&mut |_| Tree::default());
    assert_eq!(
        session.receive(ToWorker::Conclude { id: 7 }),
        None,
        "another review's"
    );
    assert_eq!(session.receive(ToWorker::Conclude { id: 1 }), None);
    assert_eq!(finish(&mut session), [("done", 1)]);
    assert!(unread(&session).contains(&("not-reached".to_owned(), Some("y.py".to_owned()))));
    session.receive(ToWorker::Conclude { id: 1 });
    assert!(!session.has_work(), "it has ended");
}

fn plan_of(text: &str) -> Plan {
    review::plan(&Input {
        text,
        decoding: &[],
        files: None,
        profile: &Profile::builtin(),
        dismissals: &[],
        source: &Source::default(),
    })
}
