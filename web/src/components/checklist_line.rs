//! One line of the checklist: severity, title, answer, count, and a way to each place.

use super::act_button::ActButton;
use super::answer_box::AnswerBox;
use super::evidence_list::EvidenceList;
use super::icon::{SeverityBadge, StatusBadge};
use super::prose::Prose;
use super::visible::visible;
use crate::desk::Desk;
use crate::state::{Action, Filtered, Place};
use crate::words::{count, file_name, line_name, verdict_words};
use report::{ChecklistLine, Finding, Report, Severity, Status, Verdict};
use std::rc::Rc;
use yew::prelude::*;

/// Places that a line lists.
pub(super) const LISTED: usize = 30;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// 1 to 10.
    pub(crate) rule: u8,
    pub(crate) report: Option<Rc<Report>>,
    /// Where the findings of the line stand among all of the report.
    pub(crate) places: Option<Rc<Vec<usize>>>,
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
    let findings = findings(props);
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
                if line.is_some() {
                    <span class="tally">{ tally(&findings) }</span>
                }
            </div>
            <ActButton class={classes!("line-title", props.is_open.then_some("is-open"))}
                action={Action::OpenRule(props.rule)} act={props.act.clone()}>
                <span class="rule-id">{ card.id }</span>{ " " }<Prose text={card.title} />
            </ActButton>
            if let Some(line) = line {
                { places(line, findings, card.severity, props) }
                if let Some(report) = &props.report {
                    <EvidenceList rule={props.rule} report={report.clone()} act={props.act.clone()} />
                }
            }
            if desk.is_laid() {
                <AnswerBox line={card.id} work={desk.line(card.id)} is_outdated={desk.is_outdated(card.id)} act={props.act.clone()} />
            }
        </li>
    }
}

fn findings(props: &Props) -> Vec<&Finding> {
    let all = props.report.as_deref().map(|report| &report.findings);
    let places = props.places.iter().flat_map(|places| places.iter());
    places
        .filter_map(|&place| all.and_then(|all| all.get(place)))
        .collect()
}

/// How many findings there are of each verdict.
fn tally(findings: &[&Finding]) -> String {
    let n_of = |verdict| {
        let findings = findings.iter();
        findings
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

fn places(
    line: &ChecklistLine,
    findings: Vec<&Finding>,
    severity: Severity,
    props: &Props,
) -> Html {
    let counted: Vec<&Finding> = findings
        .into_iter()
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
            { visible(file_name(&finding.path)) }{ format!(" {} ", line_name(finding.side, finding.line)) }<span class="verdict">{ verdict_words(finding.verdict) }</span>
            if finding.severity != of_rule {
                { " " }<SeverityBadge severity={finding.severity} />
            }
        </ActButton>
    }
}
