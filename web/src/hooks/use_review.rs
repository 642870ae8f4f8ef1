//! Keeps the worker busy with what the state asks for: the newest text, and code to copy; and with the rows that
//! are drawn.

use super::WorkerHandle;
use crate::browser::handover;
use crate::diff_file::{CHUNK, ChunkId};
use crate::input::Origin;
use crate::state::{Action, Phase, State};
use gloo::timers::callback::Timeout;
use report::{Source, ToWorker};
use std::collections::BTreeSet;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// Milliseconds to wait for the next keystroke.
const PAUSE: u32 = 200;

#[hook]
pub(crate) fn use_review(
    state: &State,
    worker: &WorkerHandle,
    act: Callback<Action>,
) -> Callback<Vec<ChunkId>> {
    use_newest_text(state, worker);
    use_copying(state, worker, act);
    use_rows(state, worker)
}

/// Posts each new text once; while typing, only after a pause. A worker that has nothing to do is left
/// alone, and one that was told to stop is ended.
#[hook]
fn use_newest_text(state: &State, worker: &WorkerHandle) {
    let waiting = use_mut_ref(|| None::<Timeout>);
    let (input, worker) = (state.input.clone(), worker.clone());
    let (profile, kept) = (state.chosen.profile.clone(), state.kept());
    let is_cancelled = state.phase == Phase::Cancelled;
    // A report that came without its diff is there already.
    let is_wanted = matches!(state.phase, Phase::Working { .. });
    use_effect_with((state.request, is_cancelled), move |&(id, is_cancelled)| {
        waiting.take();
        if is_cancelled {
            worker.stop();
        } else if is_wanted && !input.is_blank() {
            let pause = if input.origin == Origin::Typed {
                PAUSE
            } else {
                0
            };
            let fetched = match &input.origin {
                Origin::GitHub(fetched) => Some(fetched),
                _ => None,
            };
            let review = ToWorker::Review {
                id,
                text: input.text.to_string(),
                source: source_of(&input.origin),
                files: None,
                profile: profile.map(|profile| profile.text.clone()),
                left_out: fetched.map_or_else(Vec::new, |fetched| fetched.left_out.clone()),
                skipped: kept.skipped.iter().copied().collect(),
            };
            let post = move || worker.post(&review);
            *waiting.borrow_mut() = Some(Timeout::new(pause, post));
        }
    });
}

/// Where the diff was taken from, as far as the page knows.
fn source_of(origin: &Origin) -> Source {
    match origin {
        Origin::Report { source, .. } => Source::clone(source),
        Origin::GitHub(fetched) => fetched.source(),
        _ => Source::default(),
    }
}

/// Takes the chunks that are drawn, and asks for each once.
#[hook]
fn use_rows(state: &State, worker: &WorkerHandle) -> Callback<Vec<ChunkId>> {
    let asked = use_mut_ref(|| (0, BTreeSet::new()));
    let id = state.request;
    let is_current =
        state.files_of == id && !matches!(state.phase, Phase::Cancelled | Phase::Failed(_));
    use_callback(
        (worker.clone(), id, is_current),
        move |chunks: Vec<ChunkId>, (worker, id, is_current)| {
            if !is_current {
                return;
            }
            let (asked_of, asked) = &mut *asked.borrow_mut();
            if asked_of != id {
                *asked_of = *id;
                asked.clear();
            }
            for chunk in chunks {
                if asked.insert(chunk) {
                    worker.post(&rows(*id, chunk));
                }
            }
        },
    )
}

fn rows(id: u32, chunk: ChunkId) -> ToWorker {
    let (file, from) = (chunk.file, chunk.number * CHUNK);
    match chunk.is_whole {
        false => ToWorker::Rows {
            id,
            file,
            from,
            to: from + CHUNK,
        },
        true => ToWorker::WholeRows {
            id,
            file,
            from: from + 1,
            to: from + 1 + CHUNK,
        },
    }
}

/// Fetches code that is to be copied, and puts it onto the clipboard.
#[hook]
fn use_copying(state: &State, worker: &WorkerHandle, act: Callback<Action>) {
    let (worker, id, copying) = (worker.clone(), state.request, state.copying.clone());
    use_effect_with(copying.turn, move |_| {
        if let Some((file, rows)) = copying.wanted {
            let (from, to) = (rows.start, rows.end);
            worker.post(&ToWorker::Text { id, file, from, to });
        }
    });
    use_effect_with(state.copying.text.clone(), move |text| {
        if let Some(text) = text {
            let text = text.to_string();
            spawn_local(async move { act.emit(Action::Copied(handover::copy(text).await)) });
        }
    });
}
