//! Keys of the whole page: `j` and `k` step through the findings.

use crate::state::{Action, Step};
use gloo::events::EventListener;
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

#[hook]
pub(crate) fn use_keys(act: Callback<Action>) {
    use_effect_with(act, |act| {
        let act = act.clone();
        let listener = EventListener::new(&document(), "keydown", move |event| {
            let key = event.dyn_ref::<KeyboardEvent>().filter(|key| is_free(key));
            if let Some(action) = key.and_then(|key| meaning(&key.key())) {
                act.emit(action);
            }
        });
        move || drop(listener)
    });
}

fn meaning(key: &str) -> Option<Action> {
    match key {
        "j" => Some(Action::Step(Step::Next)),
        "k" => Some(Action::Step(Step::Previous)),
        _ => None,
    }
}

/// Whether the key is not part of a shortcut, and not meant for a field or a dialog.
fn is_free(key: &KeyboardEvent) -> bool {
    let target = key
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let taken = |element: Element| element.closest("input, textarea, select, dialog, [role=menu]");
    let is_taken = target.is_some_and(|element| !matches!(taken(element), Ok(None)));
    !is_taken && !key.ctrl_key() && !key.meta_key() && !key.alt_key()
}
