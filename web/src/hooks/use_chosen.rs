//! Keeps what was chosen between visits, and asks the worker about a profile.

use super::WorkerHandle;
use crate::browser::keep::{keep, kept};
use crate::state::{Action, Chosen, State};
use report::ToWorker;
use report::export::Gravity;
use std::rc::Rc;
use yew::prelude::*;

const PROFILE: &str = "hunkwise.profile";
const GRAVITY: &str = "hunkwise.block-as";

/// What was chosen at an earlier visit.
pub(crate) fn chosen_before() -> Chosen {
    let word: Option<String> = kept(GRAVITY);
    let gravity = [Gravity::Critical, Gravity::High]
        .into_iter()
        .find(|gravity| Some(gravity.word()) == word.as_deref());
    Chosen {
        profile: kept(PROFILE).map(Rc::new),
        gravity: gravity.unwrap_or_default(),
        ..Chosen::default()
    }
}

#[hook]
pub(crate) fn use_chosen(state: &State, worker: &WorkerHandle, act: Callback<Action>) {
    let (worker, id) = (worker.clone(), state.request);
    use_effect_with(state.chosen.offered.clone(), move |offered| {
        if let Some(text) = offered {
            let text = text.to_string();
            worker.post(&ToWorker::Profile { id, text });
        }
    });
    let is_first = use_mut_ref(|| true);
    let chosen = (state.chosen.profile.clone(), state.chosen.gravity);
    use_effect_with(chosen, move |(profile, gravity)| {
        // What was just read need not be written.
        if is_first.replace(false) {
            return;
        }
        let is_kept = keep(PROFILE, profile.as_deref());
        if keep(GRAVITY, Some(&gravity.word())) && is_kept {
            return;
        }
        let sentence =
            "Your choice holds until this page is closed: the browser does not let it be kept.";
        act.emit(Action::Notice(sentence.into()));
    });
}
