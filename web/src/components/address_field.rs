//! The address of a pull request or commit, which is fetched once the user opens it.

use super::bookmarklet::Bookmarklet;
use super::token_field::TokenField;
use crate::link;
use crate::state::{Action, Fetch, GitHub};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) github: GitHub,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn AddressField(props: &Props) -> Html {
    let address = props.github.address.clone();
    let oninput = props.act.reform(|event: InputEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        Action::Fetch(Fetch::TypeAddress(field.value().into()))
    });
    let onsubmit = {
        let (address, act) = (address.clone(), props.act.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            link::open_address(&address, &act);
        }
    };
    html! {
        <form class="address" {onsubmit}>
            <input aria-label="Pull request address" inputmode="url" autocomplete="off" autocapitalize="off" spellcheck="false"
                placeholder="https://github.com/OWNER/NAME/pull/NUMBER" value={address} {oninput} />
            <button type="submit">{ "Open" }</button>
        </form>
    }
}

/// What few need: the token, and the bookmark that opens this page from GitHub's.
#[component]
pub(crate) fn GitHubMore(props: &Props) -> Html {
    let github = &props.github;
    html! {
        <details class="github-more">
            <summary>{ "Private repository, bookmark" }</summary>
            <div class="github-parts">
                <TokenField token={github.token.clone()} limit={github.limit.clone()} act={props.act.clone()} />
                <Bookmarklet />
            </div>
        </details>
    }
}
