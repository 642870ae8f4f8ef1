//! Links that come in by the address bar, at the start and while the page is open.

use crate::browser::address;
use crate::state::Action;
use gloo::events::EventListener;
use gloo::utils::window;
use yew::prelude::*;

#[hook]
pub(crate) fn use_fragment(act: Callback<Action>) {
    use_effect_with(act, |act| {
        open(act);
        let act = act.clone();
        let listener = EventListener::new(&window(), "hashchange", move |_| open(&act));
        move || drop(listener)
    });
}

fn open(_act: &Callback<Action>) {
    let _fragment = address::fragment();
}
