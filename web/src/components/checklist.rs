//! The checklist: every line of the topic with its answer, or before a review the lines alone.

use super::checklist_line::Line;
use super::filter_box::FilterBox;
use super::progress::Progress;
use crate::desk::Desk;
use crate::hooks::use_late;
use crate::state::{Action, Filtered};
use report::{Report, Severity};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) filtered: Filtered,
    /// Id of the selected finding.
    pub(crate) selected: Option<AttrValue>,
    /// The rule whose card is open.
    pub(crate) rule: Option<u8>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Checklist(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let report = use_late(&props.report);
    let places = use_memo(report.clone(), |report| {
        let places = report.as_deref().map(Report::places_by_line);
        let places = places.unwrap_or_default().into_iter();
        places.map(Rc::new).collect::<Vec<_>>()
    });
    html! {
        <section class="checklist" aria-label="Checklist">
            <div class="checklist-head">
                <h2>{ "Checklist" }</h2>
                if desk.is_laid() {
                    <Progress act={props.act.clone()} />
                }
                if report.is_some() && (props.filtered.n_all > 0 || props.filtered.shown.is_some()) {
                    <FilterBox filtered={props.filtered.clone()} act={props.act.clone()} />
                }
            </div>
            { for [Severity::Block, Severity::Flag, Severity::Nit].map(|severity| group(severity, &report, &places, props)) }
        </section>
    }
}

fn group(
    severity: Severity,
    report: &Option<Rc<Report>>,
    places: &[Rc<Vec<usize>>],
    props: &Props,
) -> Html {
    let cards = topic::topic()
        .rules
        .iter()
        .filter(|card| card.severity == severity);
    let line = |card: &'static topic::RuleCard| {
        let of_rule = |report: &Report| {
            let mut lines = report.checklist.iter();
            lines.position(|line| line.rule == card.number)
        };
        let places = report
            .as_deref()
            .and_then(of_rule)
            .and_then(|line| places.get(line));
        html! {
            <Line key={card.number} rule={card.number} report={report.clone()} places={places.cloned()} filtered={props.filtered.clone()}
                selected={props.selected.clone()} is_open={props.rule == Some(card.number)} act={props.act.clone()} />
        }
    };
    html! {
        <>
            <h3>{ meaning(severity) }</h3>
            <ul class="lines">{ for cards.map(line) }</ul>
        </>
    }
}

fn meaning(severity: Severity) -> &'static str {
    match severity {
        Severity::Block => "BLOCK: must not be merged so",
        Severity::Flag => "FLAG: to be settled with the author",
        Severity::Nit => "NIT: worth a word",
    }
}
