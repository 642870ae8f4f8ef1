//! One line of the checklist: severity, title, answer, count, and a way to each place.

use super::act_button::ActButton;
use super::answer_box::AnswerBox;
use super::icon::{SeverityBadge, StatusBadge};
use super::prose::Prose;
use super::visible::visible;
use crate::desk::Desk;
use crate::state::{Action, Filtered, Place};
use crate::words::{count, file_name, line_name, verdict_words};
use report::{ChecklistLine, Evidence, Finding, Report, Severity, Side, Status, Verdict};
use std::rc::Rc;
use yew::prelude::*;

/// Places that a line lists.
const LISTED: usize = 30;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// 1 to 10.
    pub(crate) rule: u8,
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) filtered: Filtered,
    pub(crate) selected: Option<AttrValue>,
    /// Whether this rule's card is open.
    pub(crate) is_open: bool,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Line(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let Some(card) = topic::topic().rule(props.rule) else {
        return html! {};
    };
    let report = props.report.as_deref();
    let line =
        report.and_then(|report| report.checklist.iter().find(|line| line.rule == props.rule));
    let asks = line.map(|line| matches!(line.status, Status::Found | Status::Look));
    let class = match asks {
        Some(true) => "line has-findings",
        Some(false) => "line is-quiet",
        None => "line",
    };
    html! {
        <li {class}>
            <div class="line-head">
                <SeverityBadge severity={card.severity} />
                if let Some(line) = line {
                    <StatusBadge status={line.status} />
                }
                if let (Some(line), Some(report)) = (line, report) {
                    <span class="tally">{ tally(line, report) }</span>
                }
            </div>
            <ActButton class={classes!("line-title", props.is_open.then_some("is-open"))}
                action={Action::OpenRule(props.rule)} act={props.act.clone()}>
                <span class="rule-id">{ card.id }</span>{ " " }<Prose text={card.title} />
            </ActButton>
            if let (Some(line), Some(report)) = (line, report) {
                { places(line, report, card.severity, props) }
                { evidence(line, &props.act) }
            }
            if desk.is_laid() {
                <AnswerBox line={card.id} work={desk.line(card.id)} is_outdated={desk.is_outdated(card.id)} act={props.act.clone()} />
            }
        </li>
    }
}

fn findings<'a>(line: &'a ChecklistLine, report: &'a Report) -> impl Iterator<Item = &'a Finding> {
    line.findings.iter().filter_map(|id| report.finding(id))
}

/// How many findings there are of each verdict.
fn tally(line: &ChecklistLine, report: &Report) -> String {
    let n_of = |verdict| {
        findings(line, report)
            .filter(|finding| finding.verdict == verdict)
            .count()
    };
    let counted = n_of(Verdict::Violation) + n_of(Verdict::Look);
    let mut parts = vec![count(counted, "finding")];
    for verdict in [Verdict::Excused, Verdict::Existing] {
        if n_of(verdict) > 0 {
            parts.push(format!("{} {}", n_of(verdict), verdict.word()));
        }
    }
    parts.join(", ")
}

fn places(line: &ChecklistLine, report: &Report, severity: Severity, props: &Props) -> Html {
    let counted: Vec<&Finding> = findings(line, report)
        .filter(|finding| finding.verdict.counts() && props.filtered.shows(&finding.id))
        .collect();
    if counted.is_empty() {
        return html! {};
    }
    let more = counted.len().saturating_sub(LISTED);
    html! {
        <div class="places" role="group" aria-label={format!("Findings of {}", line.id)}>
            { for counted.into_iter().take(LISTED).map(|finding| place(finding, severity, props)) }
            if more > 0 {
                <span class="faint">{ format!("and {more} more in the changes") }</span>
            }
        </div>
    }
}

/// A check may be less severe than its rule: then the place says so.
fn place(finding: &Finding, of_rule: Severity, props: &Props) -> Html {
    let is_selected = props.selected.as_deref() == Some(finding.id.as_str());
    let class = classes!(
        "place",
        finding.verdict.word(),
        is_selected.then_some("is-selected")
    );
    let action = Action::Reveal(Place::Finding(finding.id.clone().into()));
    html! {
        <ActButton {class} {action} act={props.act.clone()} title={finding.path.clone()}>
            <span class="where">{ visible(file_name(&finding.path)) }{ " " }{ line_name(finding.side, finding.line) }</span>
            { " " }<span class="verdict">{ verdict_words(finding.verdict) }</span>
            if finding.severity != of_rule {
                { " " }<SeverityBadge severity={finding.severity} />
            }
        </ActButton>
    }
}

/// What stands in good order, folded.
fn evidence(line: &ChecklistLine, act: &Callback<Action>) -> Html {
    if line.evidence.is_empty() {
        return html! {};
    }
    let place = |evidence: &Evidence| {
        let place = Place::Line {
            path: evidence.path.clone().into(),
            side: Side::New,
            line: evidence.line,
        };
        html! {
            <ActButton class="place" action={Action::Reveal(place)} act={act.clone()} title={evidence.path.clone()}>
                <span class="where">{ visible(file_name(&evidence.path)) }{ format!(" line {}", evidence.line) }</span>
                { " " }<Prose text={evidence.note.clone()} />
            </ActButton>
        }
    };
    html! {
        <details class="evidence">
            <summary>{ count(line.evidence.len(), "place") }{ " in good order" }</summary>
            { for line.evidence.iter().take(LISTED).map(place) }
        </details>
    }
}
