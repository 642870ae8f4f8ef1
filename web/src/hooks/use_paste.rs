//! Paste anywhere on the page. A whole diff replaces what was there instead of being put into its middle,
//! and a lone address is opened; the browser puts anything else where the cursor is, unless it is too large for the box.

use crate::browser::clipboard::text_of;
use crate::github::address::is_address;
use crate::input::{FOLD_AT, Input, Origin};
use crate::link;
use crate::patch_file::LARGEST;
use crate::state::Action;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element};
use yew::prelude::*;

#[hook]
pub(crate) fn use_paste(act: Callback<Action>) {
    use_effect_with(act, |act| {
        let act = act.clone();
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(
            &document(),
            "paste",
            options,
            move |event| {
                let Some(text) = event.dyn_ref().and_then(text_to_take) else {
                    return;
                };
                event.prevent_default();
                if text.len() as u64 > LARGEST {
                    let sentence = "The pasted text is larger than 100 MB and was not taken. Review a part of it, or use the `hunkwise` command.";
                    act.emit(Action::Notice(sentence.into()));
                    return;
                }
                if is_address(&text) {
                    link::open_address(&text, &act);
                    return;
                }
                act.emit(Action::Load {
                    input: Input::new(text, Origin::Pasted),
                    selected: None,
                });
            },
        );
        move || drop(listener)
    });
}

/// The pasted text, unless the browser should put it where the cursor is.
fn text_to_take(event: &ClipboardEvent) -> Option<String> {
    let text = text_of(&event.clipboard_data()?)?;
    let field = event
        .target()?
        .dyn_into::<Element>()
        .ok()?
        .closest("input, textarea, dialog")
        .ok()?;
    let is_ours = match field {
        None => true,
        Some(field) if field.id() == "diff" => {
            text.len() > FOLD_AT || is_whole(&text) || is_address(&text)
        }
        Some(_) => false,
    };
    (is_ours && !text.trim().is_empty()).then_some(text)
}

/// Whether a text begins as a diff or a saved review does.
fn is_whole(text: &str) -> bool {
    const STARTS: [&str; 6] = ["diff ", "--- ", "From ", "commit ", "Index: ", "{"];
    STARTS
        .iter()
        .any(|start| text.trim_start().starts_with(start))
}
