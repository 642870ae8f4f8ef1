//! A link that holds the review.

use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) close: Callback<()>,
}

#[component]
pub(crate) fn ShareDialog(_props: &Props) -> Html {
    html! {}
}
