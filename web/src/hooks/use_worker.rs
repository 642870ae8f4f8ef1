//! The worker, started by the first message or by the first sign that one is to come.

use crate::browser::intake;
use crate::state::Action;
use crate::worker_life::Life;
use report::ToWorker;
use std::rc::Rc;
use yew::prelude::*;

/// Takes messages for the worker. Clones are the same worker.
#[derive(Clone)]
pub(crate) struct WorkerHandle(Rc<Life>);

/// Starts nothing yet: the first message does, or the first sign that one is to come.
#[hook]
pub(crate) fn use_worker(act: Callback<Action>) -> WorkerHandle {
    let life = use_memo((), |()| WorkerHandle(Rc::new(Life::new(act))));
    use_effect_with((), {
        let life = Rc::downgrade(&life.0);
        move |()| {
            let reached_for = intake::on_reaching(move || {
                if let Some(life) = life.upgrade() {
                    Life::warm(&life);
                }
            });
            move || drop(reached_for)
        }
    });
    WorkerHandle::clone(&life)
}

impl WorkerHandle {
    pub(crate) fn post(&self, message: &ToWorker) {
        Life::post(&self.0, message);
    }

    /// Ends the worker and whatever it was doing.
    pub(crate) fn stop(&self) {
        self.0.stop();
    }
}

impl PartialEq for WorkerHandle {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
