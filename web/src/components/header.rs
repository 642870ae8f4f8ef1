//! The bar on top: what this is.

use super::help_dialog::HelpDialog;
use super::profile_dialog::ProfileButton;
use crate::hooks::use_theme;
use crate::state::{Action, Chosen};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) chosen: Chosen,
    /// Whether Help is open.
    pub(crate) helps: bool,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    let help = props.act.reform(|_: MouseEvent| Action::Help(true));
    html! {
        <header class="top">
            <h1><img src="icons/hunkwise.svg" width="20" height="20" alt="" />{ "Hunkwise" }</h1>
            <p class="topic-name">{ topic::topic().title }</p>
            <div class="tools">
                <ProfileButton chosen={props.chosen.clone()} act={props.act.clone()} />
                <ThemeButton />
                <button type="button" onclick={help} title="Keys and filter (?)">{ "Help" }</button>
                if props.helps {
                    <HelpDialog act={props.act.clone()} />
                }
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
