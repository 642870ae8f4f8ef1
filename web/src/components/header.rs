//! The bar on top: what this is.

use crate::hooks::use_theme;
use yew::prelude::*;

#[component]
pub(crate) fn Header() -> Html {
    html! {
        <header class="top">
            <h1><img src="icons/hunkwise.svg" width="20" height="20" alt="" />{ "Hunkwise" }</h1>
            <p class="topic-name">{ topic::topic().title }</p>
            <div class="tools"><ThemeButton /></div>
        </header>
    }
}

#[component]
fn ThemeButton() -> Html {
    let (theme, go_on) = use_theme();
    let onclick = go_on.reform(|_: MouseEvent| ());
    html! {
        <button type="button" {onclick} title="Light, dark, or as the system says">
            { "Theme" }<span class="value" aria-hidden="true">{ theme.word() }</span>
        </button>
    }
}
