//! Files dropped anywhere on the page.

use crate::browser::intake::read_files;
use crate::state::Action;
use gloo::file::FileList;
use yew::prelude::*;

/// What to do while files are dragged over the page, and when they are let go.
#[hook]
pub(crate) fn use_drop(act: Callback<Action>) -> (Callback<DragEvent>, Callback<DragEvent>) {
    let readers = use_mut_ref(Vec::new);
    let ondragover = use_callback((), |event: DragEvent, ()| event.prevent_default());
    let ondrop = use_callback(act, move |event: DragEvent, act| {
        event.prevent_default();
        let files = event.data_transfer().and_then(|data| data.files());
        if let Some(files) = files.filter(|files| files.length() > 0) {
            *readers.borrow_mut() = read_files(&FileList::from(files), act.reform(Action::from));
        }
    });
    (ondragover, ondrop)
}
