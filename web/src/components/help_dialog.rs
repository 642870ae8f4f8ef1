//! The keys of the page, and what the filter understands.

use crate::keys::{KEYS, Key};
use crate::state::Action;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn HelpDialog(props: &Props) -> Html {
    let dialog = use_node_ref();
    use_effect_with(dialog.clone(), |dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            let _ = dialog.show_modal();
        }
    });
    let onclose = props.act.reform(|_: Event| Action::Help(false));
    // Closed by the browser, so that the focus goes back to where it was.
    let close = {
        let dialog = dialog.clone();
        move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        }
    };
    html! {
        <dialog aria-label="Help" ref={dialog} {onclose}>
            <h2>{ "Keys" }</h2>
            <dl class="keys">
                { for KEYS.iter().map(entry) }
            </dl>
            <p>{ "They rest while you write in a field; Escape leaves a reason, a rule card or this help." }</p>
            <h2>{ "Find" }</h2>
            <p>
                { "Enter and Shift+Enter go from hit to hit, Escape leaves at the hit. Of a long diff only what is near the window is \
                   drawn, so there Ctrl+F or \u{2318}F opens this search, and pressed once more the browser\u{2019}s own." }
            </p>
            <h2>{ "Filter" }</h2>
            <p>
                { "Its words are looked for in message, path, check and rule, such as R4; every word has to be there. " }
                { for ["is:block", "is:flag", "is:nit", "is:look", "is:open"].map(|word| html! { <><code>{ word }</code>{ " " }</> }) }
                { "keep what is of that severity, what is to look at, and what has no decision yet. \
                   Enter goes to the next finding that is left, Escape clears." }
            </p>
            <button type="button" class="close" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}

fn entry(key: &Key) -> Html {
    html! { <div><dt><kbd>{ key.key }</kbd></dt><dd>{ key.words }</dd></div> }
}
