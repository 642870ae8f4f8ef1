//! The dialog with the link: when it is open, and what its link holds.

use super::WorkerHandle;
use crate::components::ShareDialog;
use crate::input::Origin;
use crate::link;
use crate::sharing::{Holding, Sharing, reference};
use crate::state::{Action, State};
use report::{Secret, ToWorker, secrets};
use yew::prelude::*;

/// What opens the dialog, and the dialog while it is open.
#[hook]
pub(crate) fn use_share(
    state: &State,
    worker: &WorkerHandle,
    act: Callback<Action>,
) -> (Callback<()>, Html) {
    let sharing = use_state_eq(|| None::<Sharing>);
    let share = use_callback((), {
        let sharing = sharing.setter();
        move |(), ()| sharing.set(Some(Sharing::default()))
    });
    let close = use_callback((), {
        let sharing = sharing.setter();
        move |(), ()| sharing.set(None)
    });
    let set = {
        let (worker, id, sharing) = (worker.clone(), state.request, sharing.setter());
        Callback::from(move |wanted: Sharing| {
            if wanted.holding == Holding::Excerpt {
                worker.post(&ToWorker::Excerpt { id });
            }
            sharing.set(Some(wanted));
        })
    };
    let wanted = (*sharing).clone().filter(|_| state.is_done());
    let secrets = use_secrets(state, wanted.as_ref());
    use_packed_link(
        state,
        worker,
        act.clone(),
        wanted.clone().filter(|_| secrets.is_empty()),
    );
    let kept = state.kept();
    let dialog = html! {
        if let Some(sharing) = wanted {
            <ShareDialog {sharing} {secrets} fragment={state.link.clone()} can_cut={can_cut(state)} reference={reference(state)}
                n_done={kept.work.lines.len() + kept.work.findings.len()}
                {set} {close} {act} />
        }
    };
    (share, dialog)
}

/// Whether there are findings whose hunks could go alone.
fn can_cut(state: &State) -> bool {
    state.tour().next().is_some() && state.input.origin != Origin::Link { excerpt: true }
}

/// What the text to share seems to hold, unless it is to be shared all the same.
#[hook]
fn use_secrets(state: &State, wanted: Option<&Sharing>) -> Vec<Secret> {
    let guarded = wanted.filter(|sharing| !sharing.despite_secrets);
    let text = guarded.and_then(|sharing| sharing.text(state)).cloned();
    let found = use_memo(text, |text| text.as_ref().map(|text| secrets(text)));
    (*found).clone().unwrap_or_default()
}

/// Asks the worker for the link while the dialog is open, and again whenever it would hold something else.
#[hook]
fn use_packed_link(
    state: &State,
    worker: &WorkerHandle,
    act: Callback<Action>,
    wanted: Option<Sharing>,
) {
    let (worker, content) = (worker.clone(), state.clone());
    let excerpt = state.excerpt.clone();
    let of = (state.request, state.selected.clone(), state.kept());
    use_effect_with((wanted, excerpt, of), move |(wanted, _, (id, ..))| {
        act.emit(Action::DropLink);
        let link = wanted
            .as_ref()
            .and_then(|sharing| link::of(&content, sharing));
        if let Some(link) = link.map(Box::new) {
            worker.post(&ToWorker::Link { id: *id, link });
        }
    });
}
