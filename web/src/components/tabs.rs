//! On narrow screens: which of three things is shown.

use crate::state::{Action, Tab};
use yew::prelude::*;

const TABS: [(Tab, &str); 3] = [
    (Tab::Checklist, "Checklist"),
    (Tab::Changes, "Changes"),
    (Tab::Input, "Input"),
];

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) tab: Tab,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Tabs(props: &Props) -> Html {
    let tab = |(tab, name): (Tab, &'static str)| {
        let is_chosen = tab == props.tab;
        let onclick = props.act.reform(move |_: MouseEvent| Action::ShowTab(tab));
        let onkeydown = {
            let act = props.act.clone();
            move |event: KeyboardEvent| {
                if let Some(neighbour) = neighbour(tab, &event.key()) {
                    act.emit(Action::ShowTab(neighbour));
                }
            }
        };
        html! {
            <button type="button" role="tab" aria-selected={is_chosen.to_string()} {onclick} {onkeydown}>
                { name }
            </button>
        }
    };
    html! { <nav class="tabs" aria-label="View"><div role="tablist" aria-label="View">{ for TABS.into_iter().map(tab) }</div></nav> }
}

fn neighbour(tab: Tab, key: &str) -> Option<Tab> {
    match (key, tab) {
        ("ArrowRight", Tab::Checklist) | ("ArrowLeft", Tab::Input) => Some(Tab::Changes),
        ("ArrowRight", Tab::Changes) | ("ArrowLeft", Tab::Checklist) => Some(Tab::Input),
        ("ArrowRight", Tab::Input) | ("ArrowLeft", Tab::Changes) => Some(Tab::Checklist),
        _ => None,
    }
}
