//! Keys of the whole page. Which there are is said in `keys`.

use crate::keys::meaning;
use crate::state::{Action, SearchAction};
use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

#[hook]
pub(crate) fn use_keys(act: Callback<Action>) {
    use_effect_with(act, |act| {
        let act = act.clone();
        let options = EventListenerOptions::enable_prevent_default();
        let on_key = move |event: &Event| {
            let key = event.dyn_ref::<KeyboardEvent>().filter(|key| is_free(key));
            let action = key.and_then(|key| meaning(&key.key()));
            let action = action.or_else(|| find(event.dyn_ref()?));
            if let Some(action) = action {
                // A key that leads into a field is not to be written there.
                event.prevent_default();
                act.emit(action);
            }
        };
        let listener = EventListener::new_with_options(&document(), "keydown", options, on_key);
        move || drop(listener)
    });
}

/// The browser's own search does not see what is not drawn. Where it would miss something its key opens ours, and
/// pressed there once more the browser's.
fn find(key: &KeyboardEvent) -> Option<Action> {
    let is_find = (key.ctrl_key() || key.meta_key()) && !key.shift_key() && !key.alt_key();
    let is_there = |selector: &str| !matches!(document().query_selector(selector), Ok(None));
    let is_ours = is_find && key.key() == "f" && is_there(".sheet.is-partial");
    let is_elsewhere = is_ours && (is_there(".search :focus") || is_there("dialog[open]"));
    (is_ours && !is_elsewhere).then_some(Action::Search(SearchAction::Open))
}

/// Whether the key is not part of a shortcut, and not meant for a field or a dialog.
fn is_free(key: &KeyboardEvent) -> bool {
    let target = key
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let taken = |element: Element| element.closest("input, textarea, select, dialog, [role=menu]");
    let is_taken = target.is_some_and(|element| !matches!(taken(element), Ok(None)));
    // A click beside what takes the focus leaves an open dialog without it.
    let has_dialog = !matches!(document().query_selector("dialog[open]"), Ok(None));
    !is_taken && !has_dialog && !key.ctrl_key() && !key.meta_key() && !key.alt_key()
}
