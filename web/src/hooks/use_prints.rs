//! Whether the page is being put on paper.

use gloo::events::EventListener;
use gloo::utils::window;
use web_sys::MediaQueryList;
use yew::prelude::*;

/// Turns true before the browser lays the page out for paper, early enough for what is drawn then.
#[hook]
pub(crate) fn use_prints() -> bool {
    let prints = use_state_eq(|| false);
    use_effect_with((), {
        let prints = prints.setter();
        move |()| {
            let on = |event: &'static str, now: bool| {
                let prints = prints.clone();
                EventListener::new(&window(), event, move |_| prints.set(now))
            };
            let around = (on("beforeprint", true), on("afterprint", false));
            // A preview may tell nothing but this.
            let medium = medium().map(|medium| {
                let now = medium.clone();
                EventListener::new(&medium, "change", move |_| prints.set(now.matches()))
            });
            move || drop((around, medium))
        }
    });
    *prints
}

fn medium() -> Option<MediaQueryList> {
    window().match_media("print").ok().flatten()
}
