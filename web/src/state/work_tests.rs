//! What the page promises about the reviewer's work: it is carried on where it belongs, and never replaced
//! without a word.

use super::tests::{after, done, load, view};
use super::*;
use crate::input::Origin;
use crate::kept::Kept;
use report::{Answer, Decision};

fn paste(text: &'static str, request: u32, path: &str, found: &[(&str, &str, u32)]) -> [Action; 3] {
    [
        load(text),
        view(request, &[(path, 30)]),
        done(request, found),
    ]
}

fn answer(line: &'static str) -> Action {
    Action::Work(WorkAction::Answer {
        line: line.into(),
        answer: Answer::Checked,
    })
}

fn dismiss(finding: &'static str) -> Action {
    Action::Work(WorkAction::Decide {
        finding: finding.into(),
        decision: Decision::Dismissed,
        reason: "bounded".to_owned(),
    })
}

fn reply(reply: Reply) -> Action {
    Action::Shelf(ShelfAction::Reply(reply))
}

/// Somebody's answers to these lines.
fn theirs(lines: &[&str]) -> Box<Work> {
    let mut work = Work {
        reviewer: Some("Ada".to_owned()),
        ..Work::default()
    };
    for &line in lines {
        let answered = report::LineWork {
            answer: Answer::ProblemRaised,
            ..Default::default()
        };
        work.lines.insert(line.to_owned(), answered);
    }
    Box::new(work)
}

fn answers(state: &State) -> Vec<(String, Answer)> {
    let lines = &state.kept().work.lines;
    let answers = lines.iter().map(|(id, line)| (id.clone(), line.answer));
    answers.collect()
}

const FIRST: [(&str, &str, u32); 2] = [("f1", "a.py", 3), ("f2", "a.py", 9)];

#[test]
fn a_dismissed_finding_leaves_the_tour_and_comes_back() {
    let start = paste("one", 1, "a.py", &FIRST);
    let state = after(start.clone().into_iter().chain([dismiss("f1")]));
    assert_eq!(state.tour().collect::<Vec<_>>(), ["f2"]);
    assert_eq!(state.found.as_deref().unwrap().counted().count(), 2);
    let reopen = Action::Work(WorkAction::Decide {
        finding: "f1".into(),
        decision: Decision::Open,
        reason: String::new(),
    });
    let state = state.reduce(reopen);
    assert_eq!(state.tour().collect::<Vec<_>>(), ["f1", "f2"]);
    assert!(state.kept().has_no_entry());
}

#[test]
fn stepping_goes_on_from_where_a_finding_was_dismissed() {
    let found = [("f1", "a.py", 3), ("f2", "a.py", 9), ("f3", "a.py", 20)];
    let start = paste("one", 1, "a.py", &found);
    let then = |step| {
        let select = Action::Select("f2".into());
        let last = [select, dismiss("f2"), Action::Step(step)];
        after(start.clone().into_iter().chain(last))
            .selected
            .clone()
    };
    assert_eq!(then(Step::Next).as_deref(), Some("f3"));
    assert_eq!(then(Step::Previous).as_deref(), Some("f1"));
}

#[test]
fn the_next_version_carries_the_work_on_and_the_older_one_stays() {
    let next = [("f2", "a.py", 9), ("f3", "a.py", 12)];
    let work = [answer("R4"), dismiss("f2")];
    let actions = paste("one", 1, "a.py", &FIRST).into_iter().chain(work);
    let state = after(actions.chain(paste("two", 2, "a.py", &next)));
    assert_eq!(answers(&state), [("R4".to_owned(), Answer::Checked)]);
    assert_eq!(state.tour().collect::<Vec<_>>(), ["f3"]);
    assert_eq!(state.shelf.news, Some(News::Carried));
    assert_eq!(state.kept().work.n_gone(), 1);
    let older = state
        .shelf
        .kept
        .iter()
        .find(|kept| state.shelf.is_older(&kept.id));
    assert_eq!(older.unwrap().work.lines.len(), 1);
}

#[test]
fn only_one_older_version_is_kept() {
    let versions = [("one", 1), ("two", 2), ("three", 3), ("four", 4)];
    let actions = versions.iter().flat_map(|&(text, request)| {
        let found = [("f1", "a.py", request), ("f2", "a.py", 9)];
        paste(text, request, "a.py", &found[..])
    });
    assert_eq!(after(actions).shelf.kept.len(), 2);
}

#[test]
fn typing_goes_on_in_the_same_review() {
    let typed = |text: &'static str, request| {
        [
            Action::Edit(text.into()),
            view(request, &[("a.py", 30)]),
            done(request, &FIRST),
        ]
    };
    let actions = typed("one", 1).into_iter().chain([answer("R4")]);
    let state = after(actions.chain(typed("one more", 2)));
    assert_eq!((state.shelf.kept.len(), answers(&state).len()), (1, 1));
    assert_eq!(state.shelf.news, None);
}

#[test]
fn another_diff_is_asked_about_only_where_there_is_work() {
    let other = || paste("two", 2, "z.py", &[("z1", "z.py", 3)]);
    let without = after(paste("one", 1, "a.py", &FIRST).into_iter().chain(other()));
    assert_eq!(without.shelf.question, None);
    let one = paste("one", 1, "a.py", &FIRST)
        .into_iter()
        .chain([answer("R4")]);
    let asked = after(one.chain(other()));
    assert!(matches!(
        asked.shelf.question,
        Some(Question::SameReview(_))
    ));
    assert!(answers(&asked).is_empty());
    let carried = asked.clone().reduce(reply(Reply::CarryOver));
    assert_eq!(answers(&carried).len(), 1);
    let fresh = asked.reduce(reply(Reply::StartNew));
    assert!(answers(&fresh).is_empty() && fresh.shelf.question.is_none());
}

#[test]
fn a_text_that_comes_back_finds_its_work() {
    let one = paste("one", 1, "a.py", &FIRST)
        .into_iter()
        .chain([answer("R4")]);
    let other = paste("two", 2, "z.py", &[("z1", "z.py", 3)]);
    let back = [Action::Undo, view(3, &[("a.py", 30)]), done(3, &FIRST)];
    let state = after(one.chain(other).chain(back));
    assert_eq!(answers(&state).len(), 1);
}

#[test]
fn a_link_with_work_asks_before_it_touches_mine() {
    let link = || Action::OpenLink {
        profile: topic::BUILTIN_PROFILE.to_owned(),
        input: Input::new("one", Origin::Link { excerpt: false }),
        selected: None,
        work: theirs(&["R4", "R5"]),
    };
    let opened = |request| {
        [
            link(),
            view(request, &[("a.py", 30)]),
            done(request, &FIRST),
        ]
    };
    let alone = after(opened(1));
    assert_eq!(answers(&alone).len(), 2);
    assert_eq!(alone.kept().work.lines["R4"].by.as_deref(), Some("Ada"));

    let one = paste("one", 1, "a.py", &FIRST)
        .into_iter()
        .chain([answer("R4")]);
    let asked = after(one.chain(opened(2)));
    let checked = ("R4".to_owned(), Answer::Checked);
    let mine = vec![checked.clone()];
    assert_eq!(answers(&asked), mine);
    let after_reply = |it| answers(&asked.clone().reduce(reply(it)));
    assert_eq!(after_reply(Reply::KeepMine), mine);
    let raised = |line: &str| (line.to_owned(), Answer::ProblemRaised);
    assert_eq!(after_reply(Reply::TakeTheirs), [raised("R4"), raised("R5")]);
    assert_eq!(after_reply(Reply::Merge), [checked, raised("R5")]);
}

#[test]
fn a_link_that_says_nothing_new_asks_nothing() {
    let link = Action::OpenLink {
        profile: topic::BUILTIN_PROFILE.to_owned(),
        input: Input::new("one", Origin::Link { excerpt: false }),
        selected: None,
        work: theirs(&["R4"]),
    };
    let raise = Action::Work(WorkAction::Answer {
        line: "R4".into(),
        answer: Answer::ProblemRaised,
    });
    let mine = paste("one", 1, "a.py", &FIRST).into_iter().chain([raise]);
    let opened = [link, view(2, &[("a.py", 30)]), done(2, &FIRST)];
    assert_eq!(after(mine.chain(opened)).shelf.question, None);
}

#[test]
fn work_that_comes_first_waits_for_its_diff() {
    let work = Action::LoadWork(theirs(&["R4"]));
    let state = after([work].into_iter().chain(paste("one", 1, "a.py", &FIRST)));
    assert_eq!(answers(&state), [("R4".to_owned(), Answer::ProblemRaised)]);
}

#[test]
fn what_did_not_end_is_put_back_but_not_run() {
    let kept = Kept {
        id: "k".to_owned(),
        text: report::fingerprint("one"),
        is_running: true,
        ..Kept::default()
    };
    let opened = ShelfAction::Opened {
        id: "k".to_owned(),
        text: Some("one".to_owned()),
    };
    let actions = [
        ShelfAction::Recalled(vec![kept]),
        ShelfAction::Resume("k".to_owned()),
        opened,
    ];
    let state = after(actions.map(Action::Shelf));
    assert!(matches!(state.phase, Phase::Failed(_)));
    assert_eq!((state.request, state.input.text.as_str()), (0, "one"));
    assert_eq!(state.reduce(Action::Retry).kept().id, "k");
}

#[test]
fn a_text_that_came_before_the_store_answered_finds_its_work_all_the_same() {
    let mine = after(
        paste("one", 1, "a.py", &FIRST)
            .into_iter()
            .chain([answer("R4")]),
    );
    let stored = Kept::clone(&mine.kept());
    let recalled = Action::Shelf(ShelfAction::Recalled(vec![stored]));
    let state = after(
        paste("one", 1, "a.py", &FIRST)
            .into_iter()
            .chain([recalled]),
    );
    assert_eq!((answers(&state).len(), state.shelf.kept.len()), (1, 1));
    assert!(!state.kept().is_running);
}

#[test]
fn another_tab_s_answers_come_in_beside_mine() {
    let mine = after(
        paste("one", 1, "a.py", &FIRST)
            .into_iter()
            .chain([answer("R4")]),
    );
    let mut theirs = Kept::clone(&mine.kept());
    theirs.work.lines.clear();
    let state = mine.clone().reduce(answer("R5"));
    let copy = ShelfAction::Copy {
        base: Box::new(mine.kept().work.clone()),
        theirs: Box::new(theirs),
    };
    let state = state.reduce(Action::Shelf(copy));
    assert_eq!(answers(&state), [("R5".to_owned(), Answer::Checked)]);
}

#[test]
fn that_another_tab_analyses_is_left_to_it() {
    let mine = after(paste("one", 1, "a.py", &FIRST));
    let theirs = Kept {
        is_running: true,
        ..Kept::clone(&mine.kept())
    };
    let copy = ShelfAction::Copy {
        base: Box::new(theirs.work.clone()),
        theirs: Box::new(theirs),
    };
    let state = mine.reduce(Action::Shelf(copy));
    assert!(state.kept().is_running);
    let begun = state.reduce(Action::Retry);
    assert!(begun.kept().is_running);
}

#[test]
fn an_excerpt_is_no_next_version() {
    let link = Action::OpenLink {
        profile: topic::BUILTIN_PROFILE.to_owned(),
        input: Input::new("two", Origin::Link { excerpt: true }),
        selected: None,
        work: Box::default(),
    };
    let one = paste("one", 1, "a.py", &FIRST)
        .into_iter()
        .chain([answer("R4")]);
    let opened = [link, view(2, &[("a.py", 30)]), done(2, &FIRST)];
    assert!(answers(&after(one.chain(opened))).is_empty());
}
