//! A review without findings: what that rests on, line by line.

use super::icon::StatusBadge;
use crate::words::count;
use report::{ChecklistLine, Report, Status};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) report: Rc<Report>,
}

#[component]
pub(crate) fn NothingFound(props: &Props) -> Html {
    let report = &props.report;
    // Without Python the topic's line says all there is to say.
    if report.counted().next().is_some() || report.no_python().is_some() {
        return html! {};
    }
    html! {
        <div class="nothing">
            <p><strong>{ "Nothing to report." }</strong>{ " What that rests on:" }</p>
            <ul>{ for [Status::Clear, Status::NotApplicable, Status::NotRead].map(|status| lines(status, report)) }</ul>
            <p class="faint">{ "A diff shows parts of files. What stands outside of it was not seen." }</p>
        </div>
    }
}

/// The checklist lines with one answer, and why they have it.
fn lines(status: Status, report: &Report) -> Html {
    let lines: Vec<&ChecklistLine> = report
        .checklist
        .iter()
        .filter(|line| line.status == status)
        .collect();
    if lines.is_empty() {
        return html! {};
    }
    let ids: Vec<&str> = lines.iter().map(|line| line.id.as_str()).collect();
    html! {
        <li><StatusBadge {status} />{ " " }<strong>{ ids.join(", ") }</strong>{ format!(": {}", because(status, &lines)) }</li>
    }
}

fn because(status: Status, lines: &[&ChecklistLine]) -> String {
    let places = lines.iter().map(|line| line.evidence.len()).sum();
    let folded = lines.iter().map(|line| line.findings.len()).sum::<usize>();
    match status {
        Status::Clear if folded > 0 => {
            format!(
                "{} in good order, {} excused or there before",
                count(places, "place"),
                count(folded, "finding")
            )
        }
        Status::Clear => format!(
            "{} in good order, listed in the checklist",
            count(places, "place")
        ),
        Status::NotApplicable => {
            "what they ask about does not occur in the changed lines".to_owned()
        }
        _ => "something of the diff could not be read, so nobody knows".to_owned(),
    }
}
