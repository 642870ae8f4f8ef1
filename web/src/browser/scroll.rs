//! Bringing a place into view.

use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Scrolls to the element that the selector names and gives it the focus. False where there is none yet.
pub(crate) fn reveal(selector: &str, position: ScrollLogicalPosition) -> bool {
    let Ok(Some(element)) = document().query_selector(selector) else {
        return false;
    };
    let options = ScrollIntoViewOptions::new();
    options.set_block(position);
    options.set_behavior(if is_calm() {
        ScrollBehavior::Auto
    } else {
        ScrollBehavior::Smooth
    });
    element.scroll_into_view_with_scroll_into_view_options(&options);
    mark(&element);
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus_with_options(&without_scroll());
    }
    true
}

/// Marks the element as the one that was jumped to, and no other.
fn mark(element: &Element) {
    const HERE: &str = "is-here";
    if let Ok(Some(before)) = document().query_selector(".is-here") {
        let _ = before.class_list().remove_1(HERE);
    }
    let _ = element.class_list().add_1(HERE);
}

/// Whether the user asked for no movement.
fn is_calm() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_none_or(|query| query.matches())
}

fn without_scroll() -> web_sys::FocusOptions {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    options
}
