//! The token for GitHub, with what becomes of it.

use crate::github::{Limit, Token};
use crate::state::{Action, Fetch};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) token: Token,
    /// What GitHub said last about the requests that are left.
    pub(crate) limit: Option<Limit>,
    pub(crate) act: Callback<Action>,
}

/// Not in a form: browsers offer to store what is sent by one.
#[component]
pub(crate) fn TokenField(props: &Props) -> Html {
    let oninput = props.act.reform(|event: InputEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        Action::Fetch(Fetch::TypeToken(field.value().into()))
    });
    html! {
        <div class="token">
            <label>
                <span>{ "GitHub token" }</span>
                <input type="password" autocomplete="off" spellcheck="false" value={props.token.typed().to_owned()} {oninput} />
            </label>
            <p>
                { "Only for private repositories or more requests; reading pull requests and contents is all that it needs. \
                   It stays in this tab\u{2019}s memory until you reload or close it, and is sent to api.github.com alone." }
            </p>
            if let Some(limit) = &props.limit {
                <p>{ limit.words() }</p>
            }
        </div>
    }
}
