//! The worker's life: started at the first message, watched while it works, replaced once it broke down.

use crate::browser::worker::{Worker, spawn};
use crate::state::Action;
use gloo::timers::callback::Timeout;
use report::{FromWorker, ToWorker};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use yew::prelude::*;

/// Milliseconds without a sign from a worker that has work; then it is stopped.
const PATIENCE: u32 = 30_000;

/// Milliseconds after which a review is ended with what was read by then.
const BUDGET: u32 = 180_000;

/// Takes messages for the worker. Clones are the same worker.
#[derive(Clone)]
pub(crate) struct WorkerHandle(Rc<Life>);

/// Starts nothing yet: the first message does.
#[hook]
pub(crate) fn use_worker(act: Callback<Action>) -> WorkerHandle {
    let life = use_memo((), |()| WorkerHandle(Rc::new(Life::new(act))));
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

struct Life {
    act: Callback<Action>,
    running: RefCell<Option<Running>>,
    /// Set from within the worker's own callbacks, which must not drop themselves.
    is_broken: Rc<Cell<bool>>,
    watchdog: Rc<RefCell<Option<Timeout>>>,
    /// Ends a review that goes on and on.
    deadline: RefCell<Option<Timeout>>,
    /// The file that the worker reads now, by its index in the view, as far as it has said so.
    under_way: Cell<Option<u32>>,
}

/// A worker with the functions that it calls.
struct Running {
    worker: Worker,
    _on_message: Closure<dyn FnMut(JsValue)>,
    _on_error: Closure<dyn FnMut(String)>,
}

impl Life {
    fn new(act: Callback<Action>) -> Self {
        Life {
            act,
            running: RefCell::default(),
            is_broken: Rc::default(),
            watchdog: Rc::default(),
            deadline: RefCell::default(),
            under_way: Cell::default(),
        }
    }

    fn post(life: &Rc<Life>, message: &ToWorker) {
        if life.is_broken.take() {
            life.running.take();
        }
        let mut running = life.running.borrow_mut();
        let running = running.get_or_insert_with(|| Life::start(life));
        let plain = serde_wasm_bindgen::Serializer::json_compatible();
        if let Ok(message_to_post) = message.serialize(&plain) {
            running.worker.post(message_to_post);
        }
        if matches!(message, ToWorker::Review { .. } | ToWorker::Files { .. }) {
            Life::watch(life);
        }
        if let ToWorker::Review { id, .. } = message {
            life.under_way.take();
            Life::limit(life, *id);
        }
    }

    fn stop(&self) {
        self.watchdog.take();
        self.deadline.take();
        if let Some(running) = self.running.take() {
            running.worker.terminate();
        }
    }

    fn start(life: &Rc<Life>) -> Running {
        let (answered, broken) = (Rc::downgrade(life), Rc::downgrade(life));
        let on_message = Closure::new(move |message| {
            if let Some(life) = answered.upgrade() {
                Life::hear(&life, message);
            }
        });
        let on_error = Closure::new(move |sentence: String| {
            if let Some(life) = broken.upgrade() {
                life.give_up(&sentence);
            }
        });
        let worker = spawn(&on_message, &on_error);
        Running {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        }
    }

    fn hear(life: &Rc<Life>, message: JsValue) {
        let Ok(answer) = serde_wasm_bindgen::from_value::<FromWorker>(message) else {
            life.give_up("An answer of the analysis could not be read.");
            return;
        };
        life.note_next(&answer);
        match answer {
            FromWorker::Done { .. } | FromWorker::Failed { .. } => {
                drop((life.watchdog.take(), life.deadline.take()));
            }
            _ if life.watchdog.borrow().is_some() => Life::watch(life),
            _ => {}
        }
        life.act.emit(Action::Answer(Box::new(answer)));
    }

    fn note_next(&self, answer: &FromWorker) {
        match answer {
            FromWorker::View { next, .. }
            | FromWorker::Progress { next, .. }
            | FromWorker::Known { next, .. } => self.under_way.set(*next),
            FromWorker::Done { .. } => self.under_way.set(None),
            _ => {}
        }
    }

    /// From now on the review with this id has so much time.
    fn limit(life: &Rc<Life>, id: u32) {
        let limited = Rc::downgrade(life);
        let end = move || {
            if let Some(life) = limited.upgrade() {
                Life::post(&life, &ToWorker::Conclude { id });
            }
        };
        *life.deadline.borrow_mut() = Some(Timeout::new(BUDGET, end));
    }

    /// From now on, or again, the worker has to give a sign in time.
    fn watch(life: &Rc<Life>) {
        let watched = Rc::downgrade(life);
        let bark = move || {
            if let Some(life) = watched.upgrade() {
                life.stop();
                life.give_up("The analysis gave no sign for 30 seconds and was stopped.");
            }
        };
        *life.watchdog.borrow_mut() = Some(Timeout::new(PATIENCE, bark));
    }

    fn give_up(&self, sentence: &str) {
        self.is_broken.set(true);
        if let Ok(mut watchdog) = self.watchdog.try_borrow_mut() {
            watchdog.take();
        }
        self.deadline.take();
        let (sentence, file) = (sentence.to_owned().into(), self.under_way.take());
        self.act.emit(Action::BrokeDown { sentence, file });
    }
}
