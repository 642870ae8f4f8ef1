//! The window that the page is seen through.

use crate::sheet::ItemKey;
use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, Node};

/// Its height in CSS pixels.
pub(crate) fn height() -> f64 {
    let height = window().inner_height().ok();
    height.and_then(|height| height.as_f64()).unwrap_or(0.0)
}

/// How far the page is scrolled, in CSS pixels.
pub(crate) fn scrolled() -> f64 {
    window().scroll_y().unwrap_or(0.0)
}

pub(crate) fn scroll_to(top: f64) {
    window().scroll_to_with_x_and_y(0.0, top);
}

pub(crate) fn scroll_by(distance: f64) {
    window().scroll_by_with_x_and_y(0.0, distance);
}

/// The items, named by `data-item`, that must not go away: the one with the focus, and the one that the selection
/// begins in.
pub(crate) fn held_items() -> Vec<ItemKey> {
    let focused = document().active_element();
    let selection = window().get_selection().ok().flatten();
    let selection = selection.filter(|selection| !selection.is_collapsed());
    let begin = selection.and_then(|selection| selection.anchor_node());
    let begin = begin.as_ref().and_then(element_of);
    [focused, begin]
        .into_iter()
        .flatten()
        .filter_map(item_of)
        .collect()
}

fn element_of(node: &Node) -> Option<Element> {
    match node.dyn_ref::<Element>() {
        Some(element) => Some(element.clone()),
        None => node.parent_element(),
    }
}

fn item_of(element: Element) -> Option<ItemKey> {
    let item = element.closest("[data-item]").ok().flatten()?;
    item.get_attribute("data-item")?.parse().ok()
}
