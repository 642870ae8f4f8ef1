//! Keeps the browser's store and the reviews on the shelf alike, in both directions.

use crate::browser::{address, session};
use crate::shelf_keeper::ShelfKeeper;
use crate::state::{Action, ShelfAction, State};
use gloo::events::EventListener;
use gloo::utils::{document, window};
use std::rc::Rc;
use yew::prelude::*;

#[hook]
pub(crate) fn use_shelf(state: &State, act: Callback<Action>) {
    let keeper = use_memo((), |()| ShelfKeeper::new(act.clone()));
    use_effect_with((), {
        let keeper = keeper.clone();
        move |()| ShelfKeeper::start(&keeper)
    });
    use_storing(state, &keeper);
    use_wanted(state, &keeper);
    use_resuming(state, act);
}

/// Stores what changed after a pause, and at once when the page may be about to close.
#[hook]
fn use_storing(state: &State, keeper: &Rc<ShelfKeeper>) {
    let (shelf, text) = (state.shelf.clone(), state.input.text.clone());
    use_effect_with((shelf, text), {
        let keeper = keeper.clone();
        move |(shelf, text)| ShelfKeeper::take(&keeper, shelf, text)
    });
    use_effect_with((), {
        let keeper = keeper.clone();
        move |()| {
            let hide = {
                let keeper = keeper.clone();
                move |_: &Event| ShelfKeeper::hurry(&keeper)
            };
            let hidden = EventListener::new(&document(), "visibilitychange", hide.clone());
            let closed = EventListener::new(&window(), "pagehide", hide);
            move || drop((hidden, closed))
        }
    });
}

/// Fetches the text of the review that was asked for.
#[hook]
fn use_wanted(state: &State, keeper: &Rc<ShelfKeeper>) {
    let keeper = keeper.clone();
    use_effect_with(state.shelf.wanted.clone(), move |wanted| {
        if let Some(id) = wanted {
            ShelfKeeper::fetch(&keeper, id.clone());
        }
    });
}

/// Puts the review that this tab had last back onto the page, unless a link is to be opened, and notes which
/// one it has now.
#[hook]
fn use_resuming(state: &State, act: Callback<Action>) {
    let (current, is_recalled) = (state.shelf.current.clone(), state.shelf.is_recalled);
    use_effect_with(is_recalled, move |&is_recalled| {
        let had = session::review().filter(|_| is_recalled && address::fragment().is_empty());
        if let Some(id) = had {
            act.emit(Action::Shelf(ShelfAction::Resume(id)));
        }
    });
    // Before anything was put in, the one of last time must not be forgotten.
    let is_begun = current.is_some() || state.request > 0;
    use_effect_with((current, is_begun), |(current, is_begun)| {
        if *is_begun {
            session::set_review(current.as_deref());
        }
    });
}
