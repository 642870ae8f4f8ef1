//! The bar on top: what this is, and what can be done with a review.

use super::export_menu::ExportMenu;
use crate::hooks::use_theme;
use report::Report;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The report of the present text, once it is done.
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) can_share: bool,
    pub(crate) share: Callback<()>,
}

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    let share = props.share.reform(|_: MouseEvent| ());
    html! {
        <header class="top">
            <h1><img src="icons/hunkwise.svg" width="20" height="20" alt="" />{ "Hunkwise" }</h1>
            <p class="topic-name">{ topic::topic().title }</p>
            <div class="tools">
                <button type="button" class="primary" disabled={!props.can_share} onclick={share}>{ "Share" }</button>
                <ExportMenu report={props.report.clone()} />
                <ThemeButton />
            </div>
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
