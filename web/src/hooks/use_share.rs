//! The dialog with the link: when it is open, and what its link holds.

use super::WorkerHandle;
use crate::components::ShareDialog;
use crate::input::Origin;
use crate::link;
use crate::state::{Action, State};
use report::ToWorker;
use yew::prelude::*;

/// What opens the dialog, and the dialog while it is open.
#[hook]
pub(crate) fn use_share(
    state: &State,
    worker: &WorkerHandle,
    act: Callback<Action>,
) -> (Callback<()>, Html) {
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
    use_packed_link(state, worker, act.clone(), *is_open, excerpt);
    let can_choose =
        state.tour().next().is_some() && state.input.origin != Origin::Link { excerpt: true };
    let dialog = html! {
        if *is_open && state.is_done() {
            <ShareDialog fragment={state.link.clone()} excerpt={can_choose.then_some(*wants_excerpt)} {choose_excerpt} {close} act={act} />
        }
    };
    (share, dialog)
}

/// Asks the worker for the link while the dialog is open, and again whenever it would hold something else.
#[hook]
fn use_packed_link(
    state: &State,
    worker: &WorkerHandle,
    act: Callback<Action>,
    is_open: bool,
    excerpt: Option<AttrValue>,
) {
    let (worker, content) = (worker.clone(), state.clone());
    use_effect_with(
        (
            is_open,
            state.request,
            state.selected.clone(),
            state.kept(),
            excerpt,
        ),
        move |&(is_open, id, _, _, ref excerpt)| {
            act.emit(Action::DropLink);
            if let Some(link) = link::of(&content, excerpt.as_ref()).filter(|_| is_open) {
                worker.post(&ToWorker::Link {
                    id,
                    link: Box::new(link),
                });
            }
        },
    );
}
