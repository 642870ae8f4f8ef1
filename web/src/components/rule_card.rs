//! A rule at length: what it asks for, why, when it does not matter, and where it was learned.

use super::act_button::ActButton;
use super::code::Code;
use super::icon::SeverityBadge;
use super::prose::Prose;
use crate::browser::scroll::focus;
use crate::state::Action;
use topic::{KeyFile, ReferencePull};
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// 1 to 10.
    pub(crate) rule: u8,
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
            <h3>{ "What" }</h3>
            <p><Prose text={card.what} /></p>
            <h3>{ "Why" }</h3>
            <p><Prose text={card.why} /></p>
            <h3>{ "When it is safe" }</h3>
            <ul>{ for card.safe.iter().map(|safe| html! { <li><Prose text={*safe} /></li> }) }</ul>
            <h3>{ "Breaks it" }</h3>
            <Code class="bad" text={card.bad} />
            <h3>{ "Keeps it" }</h3>
            <Code class="good" text={card.good} />
            if !card.references.is_empty() {
                <h3>{ "Learned from" }</h3>
                <ul class="references">{ for card.references.iter().map(reference) }</ul>
            }
            if !card.key_files.is_empty() {
                <h3>{ "Key files" }</h3>
                <ul>{ for card.key_files.iter().map(key_file) }</ul>
            }
        </section>
    }
}

fn reference(pull: &ReferencePull) -> Html {
    html! { <li><PullLink number={pull.number} />{ " " }<Prose text={pull.title} /></li> }
}

fn key_file(file: &KeyFile) -> Html {
    html! { <li><code>{ file.path }</code>{ " " }<Prose text={file.shows} /></li> }
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
