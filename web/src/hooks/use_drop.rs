//! Files and addresses dropped anywhere on the page.

use crate::browser::intake::read_files;
use crate::github::address::is_address;
use crate::link;
use crate::state::Action;
use gloo::file::FileList;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// What to do while files are dragged over the page, and when they are let go.
#[hook]
pub(crate) fn use_drop(act: Callback<Action>) -> (Callback<DragEvent>, Callback<DragEvent>) {
    let readers = use_mut_ref(Vec::new);
    let ondragover = use_callback((), |event: DragEvent, ()| event.prevent_default());
    let ondrop = use_callback(act, move |event: DragEvent, act| {
        let Some(data) = event.data_transfer() else {
            return;
        };
        let files = data.files().filter(|files| files.length() > 0);
        let text = data.get_data("text/plain").unwrap_or_default();
        // Marked text goes where it is dropped, as the browser does it.
        if files.is_none() && !is_address(&text) && is_in_field(&event) {
            return;
        }
        event.prevent_default();
        if let Some(files) = files {
            *readers.borrow_mut() = read_files(&FileList::from(files), act.reform(Action::from));
        } else if is_address(&text) {
            link::open_address(&text, act);
        }
    });
    (ondragover, ondrop)
}

fn is_in_field(event: &DragEvent) -> bool {
    let element = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    element.is_some_and(|element| matches!(element.closest("input, textarea"), Ok(Some(_))))
}
