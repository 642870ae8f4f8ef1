//! Which entries of a list of equal heights are in view, in an element that scrolls and is no higher than the window.

use crate::browser::viewport;
use gloo::events::EventListener;
use gloo::utils::window;
use web_sys::Element;
use yew::prelude::*;

/// Entries that are drawn above and below the view.
const MARGIN: usize = 6;
/// The drawn part follows the view in steps of so many entries.
const STEP: usize = 5;

/// The first entry to draw, and the end.
#[hook]
pub(crate) fn use_rail_part(list: NodeRef, entry: f64) -> (usize, usize) {
    let part = use_state_eq(|| part_at(0, entry));
    use_effect_with((), {
        let part = part.setter();
        move |()| {
            let list = list.cast::<Element>();
            let follow = |list: Element| {
                let look = {
                    let list = list.clone();
                    move |_: &Event| part.set(part_at(list.scroll_top(), entry))
                };
                let resize = EventListener::new(&window(), "resize", look.clone());
                (EventListener::new(&list, "scroll", look), resize)
            };
            let listeners = list.map(follow);
            move || drop(listeners)
        }
    });
    *part
}

/// `scrolled` in CSS pixels.
fn part_at(scrolled: i32, entry: f64) -> (usize, usize) {
    let above = (f64::from(scrolled) / entry) as usize / STEP * STEP;
    let shown = (viewport::height() / entry) as usize + STEP;
    (above.saturating_sub(MARGIN), above + shown + MARGIN)
}
