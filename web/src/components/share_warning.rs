//! The diff seems to hold a secret: said before there is a link.

use report::Secret;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) secrets: Vec<Secret>,
    /// Shares it all the same.
    pub(super) go_on: Callback<()>,
}

#[component]
pub(super) fn ShareWarning(props: &Props) -> Html {
    let go_on = props.go_on.reform(|_: MouseEvent| ());
    let secret = |secret: &Secret| {
        html! { <li>{ format!("line {} of the diff: {}", secret.line, secret.kind) }</li> }
    };
    html! {
        <div class="share-warning" role="alert">
            <p><strong>{ "This diff seems to hold a secret." }</strong>
                { " Whoever gets the link can read it, for as long as the link exists. If it is real, take it out of the diff, \
                   and have it replaced: it is in the change already." }</p>
            <ul>{ for props.secrets.iter().map(secret) }</ul>
            <button type="button" onclick={go_on}>{ "Make the link all the same" }</button>
        </div>
    }
}
