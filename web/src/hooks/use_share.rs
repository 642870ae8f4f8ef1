//! The dialog with the link: when it is open, and what its link holds.

use super::WorkerHandle;
use crate::components::ShareDialog;
use crate::input::Origin;
use crate::link;
use crate::state::State;
use report::ToWorker;
use report::permalink::encode;
use yew::prelude::*;

/// What opens the dialog, and the dialog while it is open.
#[hook]
pub(crate) fn use_share(state: &State, worker: &WorkerHandle) -> (Callback<()>, Html) {
    let is_open = use_state_eq(|| false);
    let wants_excerpt = use_state_eq(|| false);
    let set_open = {
        let (is_open, wants_excerpt) = (is_open.setter(), wants_excerpt.setter());
        move |open: bool| {
            wants_excerpt.set(false);
            is_open.set(open);
        }
    };
    let share = use_callback((), {
        let set_open = set_open.clone();
        move |(), ()| set_open(true)
    });
    let close = use_callback((), move |(), ()| set_open(false));
    let choose_excerpt = {
        let (worker, id, wants_excerpt) = (worker.clone(), state.request, wants_excerpt.setter());
        Callback::from(move |wanted| {
            worker.post(&ToWorker::Excerpt { id });
            wants_excerpt.set(wanted);
        })
    };
    let excerpt = state.excerpt.clone().filter(|_| *wants_excerpt);
    let link = use_memo(
        (*is_open, state.request, state.selected.clone(), excerpt),
        |(is_open, _, _, excerpt)| {
            is_open
                .then(|| link::of(state, excerpt.as_ref()))
                .flatten()
                .map(|link| AttrValue::from(encode(&link)))
        },
    );
    let can_choose =
        state.tour().next().is_some() && state.input.origin != Origin::Link { excerpt: true };
    let dialog = html! {
        if let Some(fragment) = (*link).clone() {
            <ShareDialog {fragment} excerpt={can_choose.then_some(*wants_excerpt)} {choose_excerpt} {close} />
        }
    };
    (share, dialog)
}
