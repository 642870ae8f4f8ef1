//! A rule at length: what it asks for, why, when it does not matter, and where it was learned.

use super::act_button::ActButton;
use super::code::Code;
use super::icon::SeverityBadge;
use super::in_this_diff::InThisDiff;
use super::prose::Prose;
use super::visible::path;
use crate::browser::scroll::focus;
use crate::state::Action;
use gloo::utils::window;
use report::Report;
use std::rc::Rc;
use topic::{KeyFile, ReferencePull};
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// 1 to 10.
    pub(crate) rule: u8,
    /// What was found, once there is something.
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn RuleCard(props: &Props) -> Html {
    let section = use_node_ref();
    // Whoever opened the card wants to read it: its scroll begins anew, and the keyboard is in it.
    use_effect_with((props.rule, section.clone()), |(_, section)| {
        if let Some(section) = section.cast::<Element>() {
            section.set_scroll_top(0);
            focus(&section);
        }
    });
    let onkeydown = {
        let act = props.act.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                act.emit(Action::CloseRule);
            }
        }
    };
    // Where the card covers the changes, it makes room for what it leads to.
    let leave = {
        let act = props.act.clone();
        Callback::from(move |action: Action| {
            act.emit(action);
            if is_covering() {
                act.emit(Action::CloseRule);
            }
        })
    };
    let Some(card) = topic::topic().rule(props.rule) else {
        return html! {};
    };
    html! {
        <section class="rule-card" aria-label="Rule" tabindex="-1" ref={section} {onkeydown}>
            <header>
                <SeverityBadge severity={card.severity} />
                <h2>{ card.id }{ " " }<Prose text={card.title} /></h2>
                <ActButton class="quiet" action={Action::CloseRule} act={props.act.clone()}>{ "Close" }</ActButton>
            </header>
            <h3>{ "What it asks for" }</h3>
            <p><Prose text={card.what} /></p>
            <h3>{ "What breaks" }</h3>
            <p><Prose text={card.why} /></p>
            if let Some(report) = &props.report {
                <InThisDiff rule={props.rule} report={report.clone()} act={leave.clone()} />
            }
            <h3>{ "When it is safe" }</h3>
            <ul>{ for card.safe.iter().map(|safe| html! { <li><Prose text={*safe} /></li> }) }</ul>
            <h3>{ "Wrong" }</h3>
            <Code class="bad" text={card.bad} />
            <h3>{ "Right" }</h3>
            <Code class="good" text={card.good} />
            if !card.references.is_empty() {
                <h3>{ "Learned from these pull requests" }</h3>
                <ul class="references">{ for card.references.iter().map(reference) }</ul>
            }
            if !card.key_files.is_empty() {
                <h3>{ "Files that do it right" }</h3>
                <ul>{ for card.key_files.iter().map(key_file) }</ul>
            }
            <p class="faint from">{ "Both are of " }{ topic::BUILTIN_PROFILE }{ "." }</p>
        </section>
    }
}

/// Whether the screen is so narrow that the card lies over the rest.
fn is_covering() -> bool {
    let narrow = window().match_media("(max-width: 56.24rem)");
    narrow.is_ok_and(|narrow| narrow.is_some_and(|narrow| narrow.matches()))
}

fn reference(pull: &ReferencePull) -> Html {
    html! { <li><PullLink number={pull.number} />{ " " }<Prose text={pull.title} /></li> }
}

fn key_file(file: &KeyFile) -> Html {
    html! {
        <li>
            <a href={file.url()} target="_blank" rel="noopener noreferrer"><code>{ path(file.path) }</code></a>
            { " " }<Prose text={file.shows} />
        </li>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct PullLinkProps {
    pub(crate) number: u32,
}

/// A link to a reference pull request, named by its number.
#[component]
pub(crate) fn PullLink(props: &PullLinkProps) -> Html {
    let rules = topic::topic().rules.iter();
    let pull = rules
        .flat_map(|card| card.references)
        .find(|pull| pull.number == props.number);
    let name = format!("#{}", props.number);
    match pull {
        Some(pull) => html! {
            <a href={pull.url()} title={pull.title} target="_blank" rel="noopener noreferrer">{ name }</a>
        },
        None => html! { <span>{ name }</span> },
    }
}
