//! A link to copy, with its length against what chats and mail take.

use crate::browser::handover;
use crate::words::thousands;
use report::permalink::{CHAT_LENGTH, MAIL_LENGTH};
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) link: AttrValue,
}

#[component]
pub(super) fn LinkField(props: &Props) -> Html {
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
            <Length length={props.link.len()} />
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
            if length > MAIL_LENGTH {
                <p>{ "A link this long is often cut on its way. Export the review as JSON instead: that file opens here." }</p>
            }
        </div>
    }
}
