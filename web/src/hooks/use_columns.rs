//! Whether old and new stand in one column or in two; kept between visits where the browser allows it.

use gloo::events::EventListener;
use gloo::storage::{LocalStorage, Storage};
use gloo::utils::window;
use wasm_bindgen::JsValue;
use web_sys::MediaQueryList;
use yew::prelude::*;

const KEY: &str = "hunkwise.split";
/// Below this width two columns have no room.
const ROOM: &str = "(min-width: 56.25rem)";

#[derive(Clone, PartialEq)]
pub(crate) struct Columns {
    wants_split: UseStateHandle<bool>,
    has_room: UseStateHandle<bool>,
}

impl Columns {
    pub(crate) fn is_split(&self) -> bool {
        *self.wants_split && *self.has_room
    }

    pub(crate) fn have_room(&self) -> bool {
        *self.has_room
    }

    pub(crate) fn choose(&self, split: bool) -> Callback<MouseEvent> {
        let wants_split = self.wants_split.setter();
        Callback::from(move |_| {
            if is_storing() {
                let _ = LocalStorage::set(KEY, split);
            }
            wants_split.set(split);
        })
    }
}

#[hook]
pub(crate) fn use_columns() -> Columns {
    let wants_split = use_state_eq(|| is_storing() && LocalStorage::get(KEY).unwrap_or(false));
    let has_room = use_state_eq(|| room().is_some_and(|room| room.matches()));
    use_effect_with((), {
        let has_room = has_room.setter();
        move |()| {
            let listener = room().map(|room| {
                let now = room.clone();
                EventListener::new(&room, "change", move |_| has_room.set(now.matches()))
            });
            move || drop(listener)
        }
    });
    Columns {
        wants_split,
        has_room,
    }
}

fn room() -> Option<MediaQueryList> {
    let query: Result<_, JsValue> = window().match_media(ROOM);
    query.ok().flatten()
}

/// Whether there is a storage at all: asking for one throws where cookies are blocked.
fn is_storing() -> bool {
    matches!(window().local_storage(), Ok(Some(_)))
}
