//! A box for the reviewer's own words, as high as they are.

use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) label: AttrValue,
    /// What stands in the empty box; the label where there is nothing more to say.
    #[prop_or_default]
    pub(crate) placeholder: Option<AttrValue>,
    pub(crate) words: AttrValue,
    pub(crate) set: Callback<String>,
    #[prop_or_default]
    pub(crate) node: NodeRef,
}

#[component]
pub(crate) fn WordsBox(props: &Props) -> Html {
    let oninput = props
        .set
        .reform(|event: InputEvent| event.target_unchecked_into::<HtmlTextAreaElement>().value());
    let placeholder = props.placeholder.clone().unwrap_or(props.label.clone());
    html! {
        <textarea class="words" aria-label={props.label.clone()} {placeholder} rows="1" ref={props.node.clone()}
            value={props.words.clone()} {oninput} />
    }
}
