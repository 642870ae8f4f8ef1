//! One line that says how things stand, and steps through the findings.

use super::act_button::ActButton;
use super::icon::{Icon, SeverityBadge, Shape};
use crate::state::{Action, Phase, Step};
use crate::words::{count, thousands};
use report::{Input, Report, Severity, Status, Verdict};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) phase: Phase,
    /// The report of the present text, once it is done.
    pub(crate) report: Option<Rc<Report>>,
    /// The place of the selected finding among those to step through, from 1, and their number.
    pub(crate) tour: (Option<usize>, usize),
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Summary(props: &Props) -> Html {
    html! {
        <div class="summary">
            <div role="status" aria-label="Summary" class="sentence">{ sentence(props) }</div>
            if let Phase::Working { done, total } = props.phase {
                <Working {done} {total} found={props.tour.1} act={props.act.clone()} />
            }
            if props.phase == Phase::Cancelled {
                <ActButton action={Action::Retry} act={props.act.clone()}>{ "Retry" }</ActButton>
            }
            if props.tour.1 > 0 && (props.report.is_some() || matches!(props.phase, Phase::Working { .. })) {
                <Stepper tour={props.tour} act={props.act.clone()} />
            }
        </div>
    }
}

fn sentence(props: &Props) -> Html {
    match (&props.phase, props.report.as_deref()) {
        (Phase::Empty, _) => html! { "Nothing to review yet." },
        (Phase::Working { total: 0, .. }, _) => html! { "Reading the diff\u{2026}" },
        (Phase::Working { .. }, _) => html! { "Looking for findings\u{2026}" },
        (Phase::Cancelled, _) => html! { "Cancelled. The text is kept; nothing is reported." },
        (Phase::Failed(_), _) => html! { "The review did not finish. Nothing is reported." },
        (Phase::Done, Some(report)) if report.is_empty() => html! { "No diff to review." },
        (Phase::Done, Some(report)) => told(report),
        (Phase::Done, None) => html! {},
    }
}

/// The result in one sentence. What was not read comes with it, so that few findings never pass for none.
fn told(report: &Report) -> Html {
    html! {
        <>
            <span class="sizes">{ sizes(&report.input) }</span>
            <span class="topic">{ topic(report) }{ ". " }</span>
            { findings(report) }
            <span class="lines">{ lines(report) }{ format!(" Profile: {}.", report.tool.profile) }</span>
        </>
    }
}

/// Whether the topic applies, and the first reasons.
fn topic(report: &Report) -> String {
    if !report.topic.applies {
        return "Topic does not apply".to_owned();
    }
    let groups = topic::topic().groups.iter();
    let has = |id| report.topic.signals.iter().any(|signal| signal.group == id);
    let titles: Vec<String> = groups
        .filter(|group| has(group.id))
        .map(|group| group.title.to_lowercase())
        .collect();
    match titles.as_slice() {
        [] => "Topic applies because of its findings".to_owned(),
        [one] => format!("Topic applies because of {one}"),
        [one, other] => format!("Topic applies because of {one} and {other}"),
        [one, rest @ ..] => format!("Topic applies because of {one} and {} more", rest.len()),
    }
}

fn sizes(input: &Input) -> Html {
    html! {
        <>
            { format!("{}, {}, ", count(input.files as usize, "file"), count(input.hunks as usize, "hunk")) }
            <span class="n-added">{ format!("+{}", thousands(input.added as usize)) }</span>{ " " }
            <span class="n-removed">{ format!("\u{2212}{}", thousands(input.removed as usize)) }</span>{ ". " }
        </>
    }
}

/// Violations by severity, then looks.
fn findings(report: &Report) -> Html {
    let n_of = |wanted: &dyn Fn(Severity, Verdict) -> bool| {
        report
            .findings
            .iter()
            .filter(|finding| wanted(finding.severity, finding.verdict))
            .count()
    };
    let violations = [Severity::Block, Severity::Flag, Severity::Nit].into_iter().filter_map(|severity| {
        let number = n_of(&|of, verdict| of == severity && verdict == Verdict::Violation);
        (number > 0).then(|| html! { <span class="tally">{ number }{ " " }<SeverityBadge {severity} /></span> })
    });
    let looks = n_of(&|_, verdict| verdict == Verdict::Look);
    let looks = (looks > 0).then(|| {
        html! { <span class="tally">{ looks }{ " " }<span class="status look"><Icon shape={Shape::Eye} />{ "to look at" }</span></span> }
    });
    let all: Vec<Html> = violations.chain(looks).collect();
    if all.is_empty() {
        return html! { <strong class="tally">{ "No finding. " }</strong> };
    }
    let last = all.len() - 1;
    let joined = all.into_iter().enumerate();
    joined
        .map(|(index, tally)| html! { <>{ tally }{ if index == last { ". " } else { ", " } }</> })
        .collect()
}

/// Checklist lines by answer, and what was not read.
fn lines(report: &Report) -> String {
    let n_of = |status| {
        report
            .checklist
            .iter()
            .filter(|line| line.status == status)
            .count()
    };
    let mut parts = vec![format!("{} clear", n_of(Status::Clear))];
    parts.push(match n_of(Status::NotApplicable) {
        1 => "1 does not apply".to_owned(),
        number => format!("{number} do not apply"),
    });
    if n_of(Status::NotRead) > 0 {
        parts.push(format!("{} not read", n_of(Status::NotRead)));
    }
    let mut sentence = format!(
        "Of {}: {}",
        count(report.checklist.len(), "checklist line"),
        parts.join(", ")
    );
    let n_unread = report.unread().count();
    if n_unread > 0 {
        sentence += &format!("; {} not read", count(n_unread, "place"));
    }
    let out = report.input.out_of_scope;
    if out.non_python + out.binary > 0 {
        sentence += &format!(
            "; {} out of scope",
            count((out.non_python + out.binary) as usize, "file")
        );
    }
    sentence + "."
}

#[derive(Properties, PartialEq)]
struct WorkingProps {
    done: u32,
    total: u32,
    /// Findings so far.
    found: usize,
    act: Callback<Action>,
}

#[component]
fn Working(props: &WorkingProps) -> Html {
    let value = (props.total > 0).then(|| props.done.to_string());
    html! {
        <div class="working">
            <progress aria-label="Files analysed" {value} max={props.total.max(1).to_string()} />
            if props.total > 0 {
                <span class="n-done">{ format!("{} of {}", props.done, count(props.total as usize, "file")) }</span>
            }
            if props.found > 0 {
                <span class="n-done">{ format!("{} so far, provisional", count(props.found, "finding")) }</span>
            }
            <ActButton action={Action::Cancel} act={props.act.clone()}>{ "Cancel" }</ActButton>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct StepperProps {
    tour: (Option<usize>, usize),
    act: Callback<Action>,
}

#[component]
fn Stepper(props: &StepperProps) -> Html {
    let (here, all) = props.tour;
    let place = match here {
        Some(here) => format!("{here} of {all}"),
        None => count(all, "finding"),
    };
    let button = |step, class: &'static str, label: &'static str| {
        let title = format!("{label} ({})", key(step));
        html! {
            <ActButton {class} {label} {title} action={Action::Step(step)} act={props.act.clone()}>
                <Icon shape={Shape::Chevron} />
            </ActButton>
        }
    };
    html! {
        <div class="stepper">
            <span class="n-done">{ place }</span>
            { button(Step::Previous, "up", "Previous finding") }
            { button(Step::Next, "down", "Next finding") }
        </div>
    }
}

fn key(step: Step) -> &'static str {
    match step {
        Step::Next => "j",
        Step::Previous => "k",
    }
}
