//! Copying selected code by hand: only code, without numbers and signs, and in two columns only one side.

use crate::browser::selection::{Selected, selected};
use crate::state::Action;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element, Event};
use yew::prelude::*;

/// The attribute of the list that says which side is selected.
const SELECTS: &str = "data-selects";

#[hook]
pub(crate) fn use_code_copy(list: NodeRef, act: Callback<Action>) {
    use_effect_with(act, move |act| {
        let act = act.clone();
        let options = EventListenerOptions::enable_prevent_default();
        let copied_from = list.clone();
        let copy = EventListener::new_with_options(&document(), "copy", options, move |event| {
            if let (Some(event), Some(list)) = (event.dyn_ref(), copied_from.cast()) {
                copy(event, &list, &act);
            }
        });
        let press = EventListener::new(&document(), "pointerdown", move |event| {
            if let Some(list) = list.cast::<Element>() {
                let _ = list.set_attribute(SELECTS, pressed_side(event));
            }
        });
        move || drop((copy, press))
    });
}

fn copy(event: &ClipboardEvent, list: &Element, act: &Callback<Action>) {
    let side = match list.get_attribute(SELECTS).as_deref() {
        Some("old") => ".pair > .row:first-child:not(.none)",
        Some("new") => ".pair > .row:last-child:not(.none)",
        _ => ".row",
    };
    match (selected(list, side), event.clipboard_data()) {
        (Selected::Code(text), Some(clipboard))
            if clipboard.set_data("text/plain", &text).is_ok() =>
        {
            event.prevent_default();
        }
        (Selected::Rows { file, rows }, _) => {
            event.prevent_default();
            act.emit(Action::CopyRows { file, rows });
        }
        _ => {}
    }
}

/// The side that a selection begins in; in one column it has both.
fn pressed_side(event: &Event) -> &'static str {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let is_in = |selector: &str| {
        let of = target.as_ref().map(|target| target.closest(selector));
        matches!(of, Some(Ok(Some(_))))
    };
    match (
        is_in(".pair > .row:first-child"),
        is_in(".pair > .row:last-child"),
    ) {
        (true, _) => "old",
        (_, true) => "new",
        _ => "both",
    }
}
