//! Which entries of a list of equal heights are in view, in an element that scrolls.

use gloo::events::EventListener;
use web_sys::Element;
use yew::prelude::*;

/// Entries that are drawn above and below the view.
const MARGIN: usize = 15;
/// The drawn part follows the view in steps of so many entries.
const STEP: usize = 10;

/// The first entry to draw, and the end.
#[hook]
pub(crate) fn use_rail_part(list: NodeRef, entry: f64) -> (usize, usize) {
    let part = use_state_eq(|| (0, 3 * MARGIN + STEP));
    use_effect_with((), {
        let part = part.setter();
        move |()| {
            let listener = list.cast::<Element>().map(|element| {
                let list = element.clone();
                EventListener::new(&element, "scroll", move |_| part.set(part_of(&list, entry)))
            });
            move || drop(listener)
        }
    });
    *part
}

fn part_of(list: &Element, entry: f64) -> (usize, usize) {
    let above = (f64::from(list.scroll_top()) / entry) as usize;
    let shown = (f64::from(list.client_height()) / entry) as usize;
    let first = (above / STEP * STEP).saturating_sub(MARGIN);
    (first, above / STEP * STEP + STEP + shown + MARGIN)
}
