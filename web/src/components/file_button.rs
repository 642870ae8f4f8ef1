//! A button that opens the browser's file chooser.

use gloo::file::FileList;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) label: AttrValue,
    #[prop_or_default]
    pub(super) class: Classes,
    /// Id of the chooser itself.
    #[prop_or_default]
    pub(super) id: Option<AttrValue>,
    /// Kinds of files that it offers; all where there is none.
    #[prop_or_default]
    pub(super) accept: Option<AttrValue>,
    #[prop_or_default]
    pub(super) multiple: bool,
    pub(super) onfiles: Callback<FileList>,
}

#[component]
pub(super) fn FileButton(props: &Props) -> Html {
    let chooser = use_node_ref();
    let open = {
        let chooser = chooser.clone();
        move |_: MouseEvent| {
            if let Some(chooser) = chooser.cast::<HtmlInputElement>() {
                chooser.click();
            }
        }
    };
    let onfiles = props.onfiles.clone();
    let onchange = move |event: Event| {
        let chooser: HtmlInputElement = event.target_unchecked_into();
        if let Some(files) = chooser.files() {
            onfiles.emit(FileList::from(files));
        }
        // So that the same file can be chosen again after it changed.
        chooser.set_value("");
    };
    html! {
        <>
            <button type="button" class={props.class.clone()} onclick={open}>{ &props.label }</button>
            <input type="file" class="unseen" id={props.id.clone()} accept={props.accept.clone()}
                multiple={props.multiple} tabindex="-1" aria-hidden="true" ref={chooser} {onchange} />
        </>
    }
}
