//! What the page promises whatever comes in, and in whatever order.

use super::*;
use crate::input::Origin;
use report::{
    Context, DiffView, FileStatus, FileView, HunkView, Severity, Source, Tool, Topic, Verdict,
};

/// The state after these actions, from an empty page on.
pub(super) fn after(actions: impl IntoIterator<Item = Action>) -> Rc<State> {
    let start = Rc::new(State::default());
    actions
        .into_iter()
        .fold(start, |state, action| state.reduce(action))
}

pub(super) fn load(text: &'static str) -> Action {
    Action::Load {
        input: Input::new(text, Origin::Pasted),
        selected: None,
    }
}

/// A view of files with one hunk of `n_lines` added lines each.
pub(super) fn view(id: u32, files: &[(&str, u32)]) -> Action {
    let file = |&(path, n_lines): &(&str, u32)| FileView {
        path: path.to_owned(),
        old_path: None,
        status: FileStatus::Added,
        python: true,
        commit: None,
        added: n_lines,
        removed: 0,
        whole: None,
        hunks: vec![HunkView {
            old_start: 0,
            old_len: 0,
            new_start: 1,
            new_len: n_lines,
            section: String::new(),
            n_lines,
            runs: vec![[0, 0, n_lines].into()],
        }],
    };
    let view = DiffView {
        files: files.iter().map(file).collect(),
    };
    Action::Answer(Box::new(FromWorker::View {
        id,
        view,
        next: None,
    }))
}

pub(super) fn done(id: u32, findings: &[(&str, &str, u32)]) -> Action {
    let finding = |&(id, path, line): &(&str, &str, u32)| Finding {
        id: id.to_owned(),
        rule: 4,
        check: "unbounded-result".to_owned(),
        severity: Severity::Block,
        verdict: Verdict::Violation,
        side: Side::New,
        path: path.to_owned(),
        commit: None,
        line,
        end_line: line,
        column: 1,
        end_column: 2,
        message: String::new(),
        why: String::new(),
        ask: String::new(),
        reason: None,
        related: Vec::new(),
        also: Vec::new(),
        references: Vec::new(),
    };
    let report = Report {
        schema: report::SCHEMA.to_owned(),
        tool: Tool {
            name: String::new(),
            version: String::new(),
            topic: String::new(),
            topic_version: String::new(),
            profile: String::new(),
        },
        source: Source::default(),
        input: report::Input {
            context: Context::Diff,
            files: 1,
            hunks: 1,
            added: 1,
            removed: 0,
            out_of_scope: report::OutOfScope::default(),
        },
        topic: Topic::default(),
        checklist: Vec::new(),
        findings: findings.iter().map(finding).collect(),
        problems: Vec::new(),
    };
    Action::Answer(Box::new(FromWorker::Done { id, report }))
}

#[test]
fn answers_to_an_older_text_are_dropped() {
    let state = after([
        load("one"),
        load("two"),
        view(1, &[("a.py", 3)]),
        done(1, &[]),
    ]);
    assert!(state.files.is_empty() && state.report.is_none());
    assert_eq!(state.phase, Phase::Working { done: 0, total: 0 });
}

#[test]
fn findings_are_toured_in_the_order_of_the_diff() {
    let state = after([
        load("one"),
        view(1, &[("b.py", 30), ("a.py", 30)]),
        done(
            1,
            &[("a1", "a.py", 3), ("b2", "b.py", 20), ("b1", "b.py", 7)],
        ),
    ]);
    assert_eq!(state.tour().collect::<Vec<_>>(), ["b1", "b2", "a1"]);
}

#[test]
fn a_finding_outside_of_the_diff_is_not_lost() {
    let state = after([
        load("one"),
        view(1, &[("a.py", 3)]),
        done(1, &[("x", "other.py", 9)]),
    ]);
    assert_eq!(state.astray.len(), 1);
    assert_eq!(state.tour().collect::<Vec<_>>(), ["x"]);
}

#[test]
fn stepping_goes_round() {
    let found = [("f1", "a.py", 1), ("f2", "a.py", 2)];
    let start = [load("one"), view(1, &[("a.py", 3)]), done(1, &found)];
    let steps = |steps: &[Step]| {
        let steps = steps.iter().map(|&step| Action::Step(step));
        after(start.iter().cloned().chain(steps)).selected.clone()
    };
    assert_eq!(steps(&[Step::Next]).as_deref(), Some("f1"));
    assert_eq!(
        steps(&[Step::Next, Step::Next, Step::Next]).as_deref(),
        Some("f1")
    );
    assert_eq!(steps(&[Step::Previous]).as_deref(), Some("f2"));
}

#[test]
fn a_step_without_findings_does_nothing() {
    let state = after([load("one"), Action::Step(Step::Next)]);
    assert_eq!((&state.selected, &state.wish), (&None, &None));
}

#[test]
fn a_cleared_text_comes_back() {
    let state = after([load("one"), load(""), Action::Undo]);
    assert_eq!(*state.input.text, "one");
    let cleared = after([load("one"), load("")]);
    assert_eq!(
        (cleared.phase.clone(), cleared.files.len()),
        (Phase::Empty, 0)
    );
}

#[test]
fn typing_does_not_count_as_a_replaced_text_at_each_key() {
    let keys = ["d", "di", "dif"].map(|text| Action::Edit(text.into()));
    assert_eq!(after(keys).replaced, None);
}

#[test]
fn what_crashed_is_not_run_again_by_itself() {
    let state = after([
        load("one"),
        Action::BrokeDown {
            sentence: "It broke.".into(),
            file: None,
        },
    ]);
    assert_eq!((state.request, state.input.text.as_str()), (1, "one"));
    assert_eq!(state.reduce(Action::Retry).request, 2);
}

#[test]
fn a_cancelled_review_stays_cancelled_whatever_was_under_way() {
    let late = FromWorker::Progress {
        id: 1,
        done: 2,
        total: 9,
        file: None,
        findings: Vec::new(),
        next: None,
    };
    let cancelled = [load("one"), view(1, &[("a.py", 3)]), Action::Cancel];
    let late = [Action::Answer(Box::new(late)), done(1, &[])];
    let state = after(cancelled.into_iter().chain(late));
    assert_eq!((&state.phase, &state.report), (&Phase::Cancelled, &None));
}

#[test]
fn a_link_selects_its_finding_once_the_review_is_done() {
    let link = Action::Load {
        input: Input::new("one", Origin::Link { excerpt: false }),
        selected: Some("f2".into()),
    };
    let found = [("f1", "a.py", 1), ("f2", "a.py", 2)];
    let state = after([link, view(1, &[("a.py", 3)]), done(1, &found)]);
    assert_eq!(state.selected.as_deref(), Some("f2"));
    assert!(matches!(&state.wish, Some(Wish { place: Place::Finding(id), .. }) if id == "f2"));
}

#[test]
fn a_long_file_is_opened_by_its_findings_and_stays_as_the_user_left_it() {
    let start = [load("one"), view(1, &[("a.py", 5_000)])];
    assert!(!after(start.clone()).files[0].open);
    let found = done(1, &[("f", "a.py", 4_000)]);
    assert!(after(start.iter().cloned().chain([found.clone()])).files[0].open);
    let closed = [Action::ToggleFile(0), Action::ToggleFile(0), found];
    assert!(!after(start.into_iter().chain(closed)).files[0].open);
}

#[test]
fn findings_of_one_file_are_provisional_until_the_report_is_there() {
    let Action::Answer(report) = done(1, &[("f", "a.py", 1)]) else {
        panic!("no answer");
    };
    let FromWorker::Done { report, .. } = *report else {
        panic!("no report");
    };
    let progress = FromWorker::Progress {
        id: 1,
        done: 1,
        total: 2,
        file: Some(0),
        findings: report.findings,
        next: None,
    };
    let start = [
        load("one"),
        view(1, &[("a.py", 3)]),
        Action::Answer(Box::new(progress)),
    ];
    let state = after(start);
    assert!(state.files[0].is_provisional && state.files[0].counted().count() == 1);
    let state = state.reduce(done(1, &[]));
    assert!(!state.files[0].is_provisional && state.files[0].findings.is_empty());
}

/// A saved review of one finding, with its diff or without.
fn saved(diff: Option<&str>) -> AttrValue {
    let state = after([load("a diff"), view(1, &[]), done(1, &[("f1", "a.py", 3)])]);
    let report = state.found.as_deref().unwrap();
    let work = Work::default();
    let text = match diff {
        Some(diff) => report::export::json_with_diff(report, &work, diff),
        None => report::export::json(report, &work),
    };
    text.into()
}

fn pasted(text: AttrValue) -> Action {
    Action::Load {
        input: Input::new(text, Origin::Pasted),
        selected: None,
    }
}

#[test]
fn a_saved_review_with_its_diff_is_reviewed_again() {
    let state = after([pasted(saved(Some("--- a/a.py\n")))]);
    assert_eq!(*state.input.text, "--- a/a.py\n");
    assert_eq!(state.phase, Phase::Working { done: 0, total: 0 });
}

#[test]
fn a_saved_review_without_its_diff_shows_its_findings() {
    let state = after([pasted(saved(None))]);
    assert!(state.is_done() && state.has_review());
    assert_eq!(state.tour().collect::<Vec<_>>(), ["f1"]);
    assert!(state.notice.as_ref().unwrap().contains("without its diff"));
}

#[test]
fn a_document_that_cannot_be_read_changes_nothing() {
    let newer = pasted("{\"schema\": \"hunkwise.report/2\"}".into());
    let state = after([load("a diff"), newer]);
    assert_eq!(*state.input.text, "a diff");
    assert!(state.notice.as_ref().unwrap().contains("hunkwise.report/2"));
}

#[test]
fn dismissals_are_laid_over_the_review_on_the_page() {
    let id = "0123456789abcdef";
    let dismissals = pasted(format!("{{\"{id}\": \"bounded\"}}").into());
    let state = after([
        load("a diff"),
        view(1, &[("a.py", 9)]),
        done(1, &[(id, "a.py", 3)]),
        dismissals,
    ]);
    assert_eq!(*state.input.text, "a diff");
    assert_eq!(state.tour().count(), 0);
}

#[test]
fn a_profile_is_used_once_the_worker_has_read_it() {
    let offer = Action::Choose(Choice::Profile(Ok("{}".into())));
    let read = FromWorker::Profile {
        id: 1,
        name: "acme".to_owned(),
    };
    let state = after([
        load("a diff"),
        offer.clone(),
        Action::Answer(Box::new(read)),
    ]);
    assert_eq!(state.chosen.profile_name(), "acme");
    assert_eq!(state.request, 2);

    let refused = FromWorker::NoProfile {
        id: 2,
        message: "No.".to_owned(),
    };
    let state = after([load("a diff"), offer, Action::Answer(Box::new(refused))]);
    assert_eq!(state.chosen.profile_name(), topic::BUILTIN_PROFILE);
    assert_eq!(state.chosen.refused.as_deref(), Some("No."));
    assert_eq!(state.request, 1);
}

#[test]
fn a_link_made_by_other_names_says_so() {
    let open = |profile: &str| Action::OpenLink {
        input: Input::new("a diff", Origin::Link { excerpt: false }),
        selected: None,
        work: Box::default(),
        profile: profile.to_owned(),
    };
    let state = after([open("acme")]);
    assert!(state.notice.as_ref().unwrap().contains("`acme`"));
    assert_eq!(after([open(topic::BUILTIN_PROFILE)]).notice, None);
}
