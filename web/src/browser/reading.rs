//! Where the reader is by now, after they scrolled away from what they were brought to.

use super::viewport;
use crate::state::{Action, Here, SearchAction};
use gloo::utils::{document, window};
use report::Side;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The height of a file's head, which sticks to the top of the window, in CSS pixels.
const HEAD: f64 = 30.0;
/// A head that begins so little below the top of the window is that of the file that is read.
const NEAR: f64 = 24.0;

const CHOSEN: &str = "article[aria-current=true]";
const JUMPED_TO: &str = ".is-here";

thread_local! {
    static IS_ON_THE_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Whether a place is about to be brought into view: until it is, that is where the reader is.
pub(crate) fn set_on_the_way(is_on_the_way: bool) {
    IS_ON_THE_WAY.set(is_on_the_way);
}

/// What has to be known before a step is taken: where from. Nothing where it goes on from the last place.
pub(crate) fn before(action: &Action) -> Option<Here> {
    let stays = match action {
        Action::Step(_) | Action::StepFile(_) if IS_ON_THE_WAY.get() => true,
        Action::Step(_) => is_in_window(CHOSEN),
        Action::StepFile(_) => is_in_window(CHOSEN) || is_in_window(JUMPED_TO),
        Action::Search(SearchAction::Open) => false,
        _ => true,
    };
    if stays { None } else { here() }
}

/// What is first in the window, below what sticks to its top.
pub(crate) fn here() -> Option<Here> {
    let top = stuck() + HEAD + 1.0;
    let elements = document()
        .query_selector_all(".item-head, .row, article.finding")
        .ok()?;
    (0..elements.length())
        .filter_map(|index| elements.get(index)?.dyn_into::<Element>().ok())
        .find(|element| element.get_bounding_client_rect().bottom() > top)
        .and_then(|element| place(&element))
}

fn place(element: &Element) -> Option<Here> {
    if let Some(id) = element.id().strip_prefix("finding-") {
        return Some(Here::Finding(id.to_owned().into()));
    }
    let section = element.closest("section.file").ok().flatten()?;
    let file = section.id().strip_prefix("file-")?.parse().ok()?;
    let line = |name: &str| element.get_attribute(name)?.parse().ok();
    let at = |side, line| Here::Line { file, side, line };
    let row = line("data-new").map(|line| at(Side::New, line));
    let row = row.or_else(|| line("data-old").map(|line| at(Side::Old, line)));
    let is_near = element.get_bounding_client_rect().top() < stuck() + NEAR;
    Some(row.unwrap_or(Here::Head { file, is_near }))
}

/// How much of the window's top is covered, in CSS pixels.
fn stuck() -> f64 {
    let head = document().query_selector(".item-head").ok().flatten();
    let style = head.and_then(|head| window().get_computed_style(&head).ok().flatten());
    let top = style.and_then(|style| style.get_property_value("top").ok());
    let pixels = top.and_then(|top| top.strip_suffix("px")?.parse().ok());
    pixels.unwrap_or(0.0)
}

/// Whether any of an element is seen, or of a file its head where the file begins.
fn is_in_window(selector: &str) -> bool {
    let Ok(Some(element)) = document().query_selector(selector) else {
        return false;
    };
    let rect = element.get_bounding_client_rect();
    let (top, bottom) = match element.tag_name().as_str() {
        "SECTION" => (rect.top(), rect.top() + HEAD),
        _ => (rect.top(), rect.bottom()),
    };
    bottom > stuck() && top < viewport::height() && rect.height() > 0.0
}
