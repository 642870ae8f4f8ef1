//! Bringing a place into view.

use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Scrolls at once to the element that the selector names, and marks it. False where there is none yet.
pub(crate) fn reveal(selector: &str, position: ScrollLogicalPosition, takes_focus: bool) -> bool {
    let Ok(Some(element)) = document().query_selector(selector) else {
        return false;
    };
    let options = ScrollIntoViewOptions::new();
    options.set_block(position);
    element.scroll_into_view_with_scroll_into_view_options(&options);
    mark(&element);
    if takes_focus {
        focus(&element);
    }
    true
}

/// Gives the focus to an element that has none by itself, without moving the page.
pub(crate) fn focus(element: &Element) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        if !element.has_attribute("tabindex") {
            element.set_tab_index(-1);
        }
        let _ = element.focus_with_options(&options);
    }
}

/// Gives the focus to what was jumped to last.
pub(crate) fn focus_marked() {
    if let Ok(Some(element)) = document().query_selector(".is-here") {
        focus(&element);
    }
}

/// Marks the element as the one that was jumped to, and no other.
fn mark(element: &Element) {
    const HERE: &str = "is-here";
    if let Ok(Some(before)) = document().query_selector(".is-here") {
        let _ = before.class_list().remove_1(HERE);
    }
    let _ = element.class_list().add_1(HERE);
}
