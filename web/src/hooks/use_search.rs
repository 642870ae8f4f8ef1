//! Has the worker look for what is searched in the diff.

use super::WorkerHandle;
use crate::state::{SEARCH_LIMIT, State};
use report::ToWorker;
use yew::prelude::*;

#[hook]
pub(crate) fn use_search(state: &State, worker: &WorkerHandle) {
    let worker = worker.clone();
    let find = state.can_search().then(|| ToWorker::Find {
        id: state.request,
        text: state.search.words.to_string(),
        limit: SEARCH_LIMIT,
    });
    use_effect_with(state.search.n_asked, move |&n_asked| {
        if let Some(find) = find.filter(|_| n_asked > 0) {
            worker.post(&find);
        }
    });
}
