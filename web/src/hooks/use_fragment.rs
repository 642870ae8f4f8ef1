//! The address bar: links that come in by it, at the start and later, and its truth afterwards.

use crate::browser::address;
use crate::input::Origin;
use crate::link;
use crate::state::{Action, Fetched, State};
use gloo::events::EventListener;
use gloo::utils::window;
use report::permalink;
use yew::prelude::*;

#[hook]
pub(crate) fn use_fragment(state: &State, act: Callback<Action>) {
    // What is stored here must be known first: a link never replaces work without a word.
    use_effect_with((act, state.shelf.is_recalled), |(act, is_recalled)| {
        if *is_recalled {
            link::open(&address::fragment(), act);
        }
        let act = act.clone();
        let listener = EventListener::new(&window(), "hashchange", move |_| {
            link::open(&address::fragment(), &act)
        });
        move || drop(listener)
    });
    // A fragment that names another text than the one on the page would mislead whoever copies the address.
    let origin = state.input.origin.clone();
    use_effect_with((state.request, origin), |(request, origin)| {
        let is_true = match origin {
            Origin::Link { .. } => true,
            Origin::GitHub(fetched) => is_of(fetched, &address::fragment()),
            _ => false,
        };
        if *request > 0 && !is_true {
            address::clear_fragment();
        }
    });
    // So would one with other answers, unless it is all that a reload would have left. An address of a pull
    // request holds no answers.
    let is_stored = state.shelf.trouble.is_none() && !state.shelf.forgets;
    use_effect_with(
        (state.shelf.n_changes, is_stored),
        |&(n_changes, is_stored)| {
            if n_changes > 0 && is_stored && permalink::pull(&address::fragment()).is_none() {
                address::clear_fragment();
            }
        },
    );
}

/// Whether a fragment names the pull request that was fetched.
fn is_of(fetched: &Fetched, fragment: &str) -> bool {
    permalink::pull(fragment).is_some_and(|pull| {
        pull.repo.eq_ignore_ascii_case(&fetched.repo) && Some(pull.number) == fetched.pull
    })
}
