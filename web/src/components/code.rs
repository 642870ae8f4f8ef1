//! A piece of Python as a card shows it.

use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) text: &'static str,
    pub(crate) class: &'static str,
}

#[component]
pub(crate) fn Code(props: &Props) -> Html {
    html! { <pre class={classes!("example", props.class)} tabindex="0"><code>{ props.text.trim_matches('\n') }</code></pre> }
}
