//! Keeps the worker busy with what the state asks for: the newest text, and the rows that are shown.

use super::WorkerHandle;
use crate::diff_file::CHUNK;
use crate::input::Origin;
use crate::state::{Phase, State};
use gloo::timers::callback::Timeout;
use report::{Source, ToWorker};
use std::collections::BTreeSet;
use yew::prelude::*;

/// Milliseconds to wait for the next keystroke.
const PAUSE: u32 = 200;

#[hook]
pub(crate) fn use_review(state: &State, worker: &WorkerHandle) {
    use_newest_text(state, worker);
    use_shown_rows(state, worker);
}

/// Posts each new text once; while typing, only after a pause. A worker that has nothing to do is left
/// alone, and one that was told to stop is ended.
#[hook]
fn use_newest_text(state: &State, worker: &WorkerHandle) {
    let waiting = use_mut_ref(|| None::<Timeout>);
    let (input, worker) = (state.input.clone(), worker.clone());
    let is_cancelled = state.phase == Phase::Cancelled;
    use_effect_with((state.request, is_cancelled), move |&(id, is_cancelled)| {
        waiting.take();
        if is_cancelled {
            worker.stop();
        } else if id > 0 && !input.is_blank() {
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
                source: fetched.map_or_else(Source::default, |fetched| fetched.source()),
                files: None,
                profile: None,
                left_out: fetched.map_or_else(Vec::new, |fetched| fetched.left_out.clone()),
            };
            let post = move || worker.post(&review);
            *waiting.borrow_mut() = Some(Timeout::new(pause, post));
        }
    });
}

/// Asks for the chunks that are shown and not loaded, each once.
#[hook]
fn use_shown_rows(state: &State, worker: &WorkerHandle) {
    let asked = use_mut_ref(|| (0, BTreeSet::new()));
    let (files, worker, id) = (state.files.clone(), worker.clone(), state.request);
    let is_current =
        state.files_of == id && !matches!(state.phase, Phase::Cancelled | Phase::Failed(_));
    use_effect_with((files, id, is_current), move |(files, id, is_current)| {
        let (asked_of, chunks) = &mut *asked.borrow_mut();
        if asked_of != id {
            *asked_of = *id;
            chunks.clear();
        }
        for (file, chunk) in files
            .iter()
            .flat_map(|file| file.missing().map(|chunk| (file.index, chunk)))
        {
            if *is_current && chunks.insert((file, chunk)) {
                let (from, to) = (chunk * CHUNK, (chunk + 1) * CHUNK);
                worker.post(&ToWorker::Rows {
                    id: *id,
                    file,
                    from,
                    to,
                });
            }
        }
    });
}
