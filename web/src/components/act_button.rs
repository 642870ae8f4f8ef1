//! A button that does one thing to the state.

use crate::state::Action;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) action: Action,
    pub(crate) act: Callback<Action>,
    #[prop_or_default]
    pub(crate) class: Classes,
    /// What it says to a screen reader, where its content is only a shape.
    #[prop_or_default]
    pub(crate) label: Option<AttrValue>,
    #[prop_or_default]
    pub(crate) title: Option<AttrValue>,
    pub(crate) children: Html,
}

#[component]
pub(crate) fn ActButton(props: &Props) -> Html {
    let action = props.action.clone();
    let onclick = props.act.reform(move |event: MouseEvent| {
        // It may stand inside something that takes clicks itself.
        event.stop_propagation();
        action.clone()
    });
    html! {
        <button type="button" class={props.class.clone()} aria-label={props.label.clone()}
            title={props.title.clone()} {onclick}>{ props.children.clone() }</button>
    }
}
