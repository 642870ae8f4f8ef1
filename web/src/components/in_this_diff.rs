//! What a rule rests on in the diff at hand: its findings, and the lines that keep it.

use super::act_button::ActButton;
use super::icon::StatusBadge;
use super::prose::Prose;
use super::visible::visible;
use crate::state::{Action, Place};
use crate::words::{count, file_name, line_name, verdict_words};
use report::{Evidence, Finding, Report, Side};
use std::rc::Rc;
use yew::prelude::*;

/// Places of one kind that are listed.
const LISTED: usize = 12;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// 1 to 10.
    pub(super) rule: u8,
    pub(super) report: Rc<Report>,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn InThisDiff(props: &Props) -> Html {
    let report = &props.report;
    let mut lines = report.checklist.iter().zip(report.places_by_line());
    let Some((line, places)) = lines.find(|(line, _)| line.rule == props.rule) else {
        return html! {};
    };
    let findings: Vec<&Finding> = places
        .into_iter()
        .filter_map(|place| report.findings.get(place))
        .collect();
    let more = findings.len().saturating_sub(LISTED) + line.evidence.len().saturating_sub(LISTED);
    html! {
        <>
            <h3>{ "In this diff" }</h3>
            <p><StatusBadge status={line.status} /></p>
            if findings.is_empty() && line.evidence.is_empty() {
                <p>{ "No changed line that was read has to do with it." }</p>
            } else {
                <ul class="here">
                    { for findings.iter().take(LISTED).map(|finding| found(finding, &props.act)) }
                    { for line.evidence.iter().take(LISTED).map(|evidence| kept(evidence, &props.act)) }
                </ul>
            }
            if more > 0 {
                <p class="faint">{ format!("and {} more, in the checklist", count(more, "place")) }</p>
            }
        </>
    }
}

fn found(finding: &Finding, act: &Callback<Action>) -> Html {
    let place = Place::Finding(finding.id.clone().into());
    let told = match (&finding.reason, finding.verdict.counts()) {
        (Some(reason), false) => reason.clone(),
        _ => finding.message.clone(),
    };
    html! {
        <li>
            { link(place, &finding.path, line_name(finding.side, finding.line), act) }
            { " " }<em>{ verdict_words(finding.verdict) }</em>{ ": " }<Prose text={told} />
        </li>
    }
}

fn kept(evidence: &Evidence, act: &Callback<Action>) -> Html {
    let place = Place::Line {
        path: evidence.path.clone().into(),
        side: Side::New,
        line: evidence.line,
    };
    html! {
        <li>
            { link(place, &evidence.path, line_name(Side::New, evidence.line), act) }
            { " " }<em>{ "in good order" }</em>{ ": " }<Prose text={evidence.note.clone()} />
        </li>
    }
}

fn link(place: Place, path: &str, line: String, act: &Callback<Action>) -> Html {
    html! {
        <ActButton class="place" action={Action::Reveal(place)} act={act.clone()} title={path.to_owned()}>
            { visible(file_name(path)) }{ " " }{ line }
        </ActButton>
    }
}
