//! A link that holds the review, with its length against what chats and mail take.

use super::name_field::NameField;
use crate::browser::{address, handover};
use crate::state::Action;
use crate::words::thousands;
use report::permalink::{CHAT_LENGTH, MAIL_LENGTH};
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The fragment of the link, without its `#`, once it is packed.
    pub(crate) fragment: Option<AttrValue>,
    /// Whether the link carries only the hunks with findings; none where that cannot be chosen.
    pub(crate) excerpt: Option<bool>,
    /// Chooses between the whole diff and the hunks with findings.
    pub(crate) choose_excerpt: Callback<bool>,
    pub(crate) close: Callback<()>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn ShareDialog(props: &Props) -> Html {
    let dialog = use_node_ref();
    use_effect_with(dialog.clone(), |dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            let _ = dialog.show_modal();
        }
    });
    use_effect_with(props.fragment.clone(), |fragment| {
        if let Some(fragment) = fragment {
            address::write_fragment(fragment);
        }
    });
    let address = |fragment: &AttrValue| format!("{}#{fragment}", address::page());
    let link = props.fragment.as_ref().map(address).map(AttrValue::from);
    let onclose = props.close.reform(|_: Event| ());
    let close = props.close.reform(|_: MouseEvent| ());
    let onchange = props
        .choose_excerpt
        .reform(|event: Event| event.target_unchecked_into::<HtmlInputElement>().checked());
    html! {
        <dialog aria-label="Share" ref={dialog} {onclose}>
            <h2>{ "Share this review" }</h2>
            <p>{ "The link holds the diff itself, behind the # that no server ever sees. Whoever has the link can read the diff." }</p>
            if let Some(link) = link {
                <LinkField link={link.clone()} />
                <Length length={link.len()} />
            } else {
                <p role="status">{ "Packing the diff into a link\u{2026}" }</p>
            }
            if let Some(checked) = props.excerpt {
                <label class="choice">
                    <input type="checkbox" {checked} {onchange} />
                    { "Only the hunks with findings; whoever opens the link is told so" }
                </label>
            }
            <NameField act={props.act.clone()} />
            <button type="button" class="close" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}

#[derive(Properties, PartialEq)]
struct LinkFieldProps {
    link: AttrValue,
}

#[component]
fn LinkField(props: &LinkFieldProps) -> Html {
    let field = use_node_ref();
    let said = use_state_eq(|| "");
    let copy = {
        let (link, field, said) = (props.link.clone(), field.clone(), said.setter());
        move |_: MouseEvent| {
            let (link, field, said) = (link.to_string(), field.clone(), said.clone());
            spawn_local(async move {
                if handover::copy(link).await {
                    said.set("Copied.");
                } else {
                    select(&field);
                    said.set("The browser refused to copy. The link is selected: copy it with the keyboard.");
                }
            });
        }
    };
    let onfocus = {
        let field = field.clone();
        move |_: FocusEvent| select(&field)
    };
    html! {
        <>
            <div class="link-field">
                <input aria-label="Link" readonly=true value={props.link.clone()} ref={field} {onfocus} />
                <button type="button" class="primary" onclick={copy}>{ "Copy link" }</button>
            </div>
            <p role="status" class="said">{ *said }</p>
        </>
    }
}

fn select(field: &NodeRef) {
    if let Some(field) = field.cast::<HtmlInputElement>() {
        field.select();
    }
}

#[derive(Properties, PartialEq)]
struct LengthProps {
    /// Characters of the whole link.
    length: usize,
}

#[component]
fn Length(props: &LengthProps) -> Html {
    let length = props.length;
    let limit = |name: &str, most: usize| {
        let (class, word) = if length <= most {
            ("fits", "fits")
        } else {
            ("too-long", "too long for")
        };
        html! { <li {class}>{ format!("{word} {name} ({})", thousands(most)) }</li> }
    };
    html! {
        <div class="length">
            <meter aria-label="Length of the link" min="0" low={CHAT_LENGTH.to_string()} high={MAIL_LENGTH.to_string()}
                max={MAIL_LENGTH.to_string()} optimum="0" value={length.min(MAIL_LENGTH).to_string()} />
            <span>{ format!("{} characters", thousands(length)) }</span>
            <ul>{ limit("chats", CHAT_LENGTH) }{ limit("mail and proxies", MAIL_LENGTH) }</ul>
        </div>
    }
}
