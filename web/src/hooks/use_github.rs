//! Asks GitHub for what the state wants, and stops asking when it no longer does.

use super::WorkerHandle;
use crate::browser::github::{Asker, fetch_change, fetch_whole_files};
use crate::github::{Target, Token};
use crate::state::{Action, Fetch, Fetched, State};
use report::ToWorker;
use std::collections::BTreeSet;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;
use yew::prelude::*;

#[hook]
pub(crate) fn use_github(state: &State, worker: &WorkerHandle, act: Callback<Action>) {
    use_change(state, act.clone());
    use_whole_files(state, act);
    use_sharper_review(state, worker);
}

/// Fetches the change that is asked for; another wish, or none, ends the request.
#[hook]
fn use_change(state: &State, act: Callback<Action>) {
    let (asking, token) = (state.github.asking.clone(), state.github.token.clone());
    let turn = asking.as_ref().map(|asking| asking.turn);
    use_effect_with(turn, move |_| {
        let stop = asking.zip(AbortController::new().ok());
        let stop = stop.map(|(asking, controller)| {
            let asker = asker(&controller, token, &act);
            spawn_local(change(asker, asking.turn, asking.wanted.target, act));
            controller
        });
        move || stop.iter().for_each(AbortController::abort)
    });
}

async fn change(asker: Asker, turn: u32, target: Target, act: Callback<Action>) {
    let stage = act.reform(move |stage| Action::Fetch(Fetch::Stage { turn, stage }));
    let came = match fetch_change(&asker, &target, &stage).await {
        Ok((fetched, text)) => Fetch::Came {
            turn,
            fetched: Rc::new(fetched),
            text: text.into(),
        },
        Err(refusal) => Fetch::Refused { turn, refusal },
    };
    act.emit(Action::Fetch(came));
}

/// Fetches the whole files that are asked for.
#[hook]
fn use_whole_files(state: &State, act: Callback<Action>) {
    let fetched = state.fetched().cloned();
    let (asked, token) = (Rc::clone(&state.whole.asked), state.github.token.clone());
    use_effect_with(state.whole.turn, move |&turn| {
        let wanted = fetched.filter(|_| !asked.is_empty());
        let stop = wanted.zip(AbortController::new().ok());
        let stop = stop.map(|(fetched, controller)| {
            let asker = asker(&controller, token, &act);
            whole_files(asker, &fetched, &asked, turn, act);
            controller
        });
        move || stop.iter().for_each(AbortController::abort)
    });
}

fn whole_files(
    asker: Asker,
    fetched: &Rc<Fetched>,
    paths: &BTreeSet<String>,
    turn: u32,
    act: Callback<Action>,
) {
    let done = act.reform(Action::Whole);
    fetch_whole_files(Rc::new(asker), fetched, paths, turn, done);
}

/// Gives the whole files that have come to the review.
#[hook]
fn use_sharper_review(state: &State, worker: &WorkerHandle) {
    let (id, is_done, worker) = (state.request, state.is_done(), worker.clone());
    use_effect_with(Rc::clone(&state.whole.texts), move |texts| {
        if is_done && !texts.is_empty() {
            let plain = |(path, text): (&String, &AttrValue)| (path.clone(), text.to_string());
            let files = texts.iter().map(plain).collect();
            worker.post(&ToWorker::Files { id, files });
        }
    });
}

fn asker(controller: &AbortController, token: Token, act: &Callback<Action>) -> Asker {
    Asker {
        token,
        signal: controller.signal(),
        tell: act.reform(|limit| Action::Fetch(Fetch::Limit(limit))),
    }
}
