//! The address bar: links that come in by it, at the start and later, and its truth afterwards.

use crate::browser::address;
use crate::input::Origin;
use crate::link;
use crate::state::{Action, State};
use gloo::events::EventListener;
use gloo::utils::window;
use yew::prelude::*;

#[hook]
pub(crate) fn use_fragment(state: &State, act: Callback<Action>) {
    use_effect_with(act, |act| {
        link::open(&address::fragment(), act);
        let act = act.clone();
        let listener = EventListener::new(&window(), "hashchange", move |_| {
            link::open(&address::fragment(), &act)
        });
        move || drop(listener)
    });
    // A fragment that names another text than the one on the page would mislead whoever copies the address.
    let came_by_link = matches!(state.input.origin, Origin::Link { .. });
    use_effect_with((state.request, came_by_link), |&(request, came_by_link)| {
        if request > 0 && !came_by_link {
            address::clear_fragment();
        }
    });
}
