//! Whether the topic matters for this diff, and the lines that say so.

use super::act_button::ActButton;
use super::prose::Prose;
use super::visible::visible;
use crate::state::{Action, Place};
use crate::words::{count, file_name};
use report::{Report, Side, Signal};
use std::rc::Rc;
use yew::prelude::*;

/// Signals of one group that are listed.
const LISTED: usize = 12;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) report: Rc<Report>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn TopicLine(props: &Props) -> Html {
    let topic = &props.report.topic;
    if let Some(problem) = props.report.no_python() {
        return html! {
            <p class="topic-line">
                <strong>{ "The topic does not apply" }</strong>{ ". " }<Prose text={problem.message.clone()} />
                { " The checklist stays open beside it." }
            </p>
        };
    }
    if topic.signals.is_empty() {
        return html! { <p class="topic-line">{ without_signals(topic.applies) }</p> };
    }
    let groups = groups(&topic.signals);
    let titles: Vec<&str> = groups.iter().map(|(title, _)| *title).collect();
    let verb = if topic.applies {
        "The topic applies"
    } else {
        "The topic does not apply"
    };
    let group = |(title, signals): (&str, Vec<&Signal>)| {
        let more = signals.len().saturating_sub(LISTED);
        html! {
            <div class="signals">
                <span class="signals-title">{ title.to_owned() }</span>
                { for signals.into_iter().take(LISTED).map(|signal| place(signal, &props.act)) }
                if more > 0 {
                    <span>{ format!("and {more} more") }</span>
                }
            </div>
        }
    };
    html! {
        <details class="topic-line">
            <summary>
                <strong>{ verb }</strong>
                { format!(": {} of {}", count(topic.signals.len(), "signal"), titles.join(", ").to_lowercase()) }
            </summary>
            { for groups.into_iter().map(group) }
        </details>
    }
}

fn without_signals(applies: bool) -> Html {
    if applies {
        html! { <><strong>{ "The topic applies" }</strong>{ " because of its findings; no other line signals it." }</> }
    } else {
        html! {
            <>
                <strong>{ "The topic does not apply" }</strong>
                { ": no changed line starts background work, shares runtime state, manages models, writes caches or \
                   holds a stream. The checklist stays open beside it." }
            </>
        }
    }
}

/// Signals by the title of their group, in the topic's order.
fn groups(signals: &[Signal]) -> Vec<(&'static str, Vec<&Signal>)> {
    let of = |id| {
        signals
            .iter()
            .filter(|signal| signal.group == id)
            .collect::<Vec<_>>()
    };
    let groups = topic::topic()
        .groups
        .iter()
        .map(|group| (group.title, of(group.id)));
    groups.filter(|(_, signals)| !signals.is_empty()).collect()
}

fn place(signal: &Signal, act: &Callback<Action>) -> Html {
    let place = Place::Line {
        path: signal.path.clone().into(),
        side: signal.side,
        line: signal.line,
    };
    let minus = if signal.side == Side::Old {
        "\u{2212}"
    } else {
        ""
    };
    html! {
        <ActButton class="place" action={Action::Reveal(place)} act={act.clone()} title={signal.path.clone()}>
            <code>{ visible(&signal.text) }</code>
            { " " }{ visible(file_name(&signal.path)) }{ format!(":{minus}{}", signal.line) }
        </ActButton>
    }
}
