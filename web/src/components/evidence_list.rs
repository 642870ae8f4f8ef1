//! What stands in good order for a checklist line, folded.

use super::act_button::ActButton;
use super::checklist_line::LISTED;
use super::prose::Prose;
use super::visible::visible;
use crate::state::{Action, Place};
use crate::words::{count, file_name};
use report::{Evidence, Report, Side};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// So many are there while the list is folded too, where the browser's own search finds and opens them.
const FEW: usize = 10;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// 1 to 10.
    pub(super) rule: u8,
    pub(super) report: Rc<Report>,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn EvidenceList(props: &Props) -> Html {
    let is_open = use_state_eq(|| false);
    let ontoggle = {
        let is_open = is_open.setter();
        move |event: Event| {
            let details: Element = event.target_unchecked_into();
            is_open.set(details.has_attribute("open"));
        }
    };
    let mut lines = props.report.checklist.iter();
    let line = lines.find(|line| line.rule == props.rule);
    let evidence = line.map_or(&[][..], |line| &line.evidence);
    if evidence.is_empty() {
        return html! {};
    }
    html! {
        <details class="evidence" {ontoggle}>
            <summary>{ count(evidence.len(), "place") }{ " in good order" }</summary>
            if *is_open || evidence.len() <= FEW {
                { for evidence.iter().take(LISTED).map(|evidence| place(evidence, &props.act)) }
            }
        </details>
    }
}

fn place(evidence: &Evidence, act: &Callback<Action>) -> Html {
    let place = Place::Line {
        path: evidence.path.clone().into(),
        side: Side::New,
        line: evidence.line,
    };
    html! {
        <ActButton class="place" action={Action::Reveal(place)} act={act.clone()} title={evidence.path.clone()}>
            { visible(file_name(&evidence.path)) }{ format!(" line {} ", evidence.line) }<Prose text={evidence.note.clone()} />
        </ActButton>
    }
}
