//! The worker's life: started when it is needed, watched while it works, replaced once it broke down.

use crate::browser::answers::{Answers, Turn};
use crate::browser::worker::{Worker, spawn};
use crate::state::Action;
use gloo::timers::callback::Timeout;
use report::{FromWorker, ToWorker};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use yew::Callback;

/// Milliseconds without a sign from a worker that has work; then it is stopped.
const PATIENCE: u32 = 30_000;

/// Milliseconds after which a review is ended with what was read by then.
const BUDGET: u32 = 180_000;

/// Milliseconds between two times that the page is told how far the analysis is.
const BEAT: u32 = 100;

pub(crate) struct Life {
    act: Callback<Action>,
    running: RefCell<Option<Running>>,
    /// What the worker has said, as far as it is not read.
    answers: RefCell<Answers>,
    /// Goes on reading.
    turn: RefCell<Option<Timeout>>,
    /// What was read and is not told yet.
    heard: RefCell<Vec<FromWorker>>,
    /// Runs while the page was told of progress a moment ago.
    beat: RefCell<Option<Timeout>>,
    /// Set from within the worker's own callbacks, which must not drop themselves.
    is_broken: Rc<Cell<bool>>,
    /// Whether anything was asked. What goes wrong before that is not worth a word: the first message tries again.
    is_asked: Cell<bool>,
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
    pub(crate) fn new(act: Callback<Action>) -> Self {
        Life {
            act,
            running: RefCell::default(),
            answers: RefCell::default(),
            turn: RefCell::default(),
            heard: RefCell::default(),
            beat: RefCell::default(),
            is_broken: Rc::default(),
            is_asked: Cell::default(),
            watchdog: Rc::default(),
            deadline: RefCell::default(),
            under_way: Cell::default(),
        }
    }

    /// Has the worker loaded before it is needed, so that it listens when the first diff comes.
    pub(crate) fn warm(life: &Rc<Life>) {
        if !life.is_asked.get() && !life.is_broken.get() {
            let mut running = life.running.borrow_mut();
            running.get_or_insert_with(|| Life::start(life));
        }
    }

    pub(crate) fn post(life: &Rc<Life>, message: &ToWorker) {
        life.is_asked.set(true);
        if life.is_broken.take() {
            life.forget();
        }
        let plain = serde_wasm_bindgen::Serializer::json_compatible();
        let Ok(plain) = message.serialize(&plain) else {
            // No file is to blame, and no answer will come.
            life.under_way.take();
            life.stop();
            return life.give_up("What the page asked could not be handed to the analysis.");
        };
        let mut running = life.running.borrow_mut();
        let running = running.get_or_insert_with(|| Life::start(life));
        running.worker.post(plain);
        if matches!(message, ToWorker::Review { .. } | ToWorker::Files { .. }) {
            Life::watch(life);
        }
        if let ToWorker::Review { id, .. } = message {
            life.under_way.take();
            Life::limit(life, *id);
        }
    }

    pub(crate) fn stop(&self) {
        self.watchdog.take();
        self.deadline.take();
        if let Some(running) = self.forget() {
            running.worker.terminate();
        }
    }

    /// Drops the worker with whatever it has said that is not read.
    fn forget(&self) -> Option<Running> {
        drop((self.turn.take(), self.beat.take()));
        drop((self.answers.take(), self.heard.take()));
        self.running.take()
    }

    fn start(life: &Rc<Life>) -> Running {
        let (answered, broken) = (Rc::downgrade(life), Rc::downgrade(life));
        let on_message = Closure::new(move |message| {
            if let Some(life) = answered.upgrade() {
                life.answers.borrow_mut().push(message);
                // What is under way goes on by itself.
                if life.turn.borrow().is_none() {
                    Life::read(&life);
                }
            }
        });
        let on_error = Closure::new(move |sentence: String| {
            if let Some(life) = broken.upgrade() {
                // It may have said before which file was its end.
                Life::read_all(&life);
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

    /// Takes what the worker has said, and while a long answer is under way lets the page do something else between.
    fn read(life: &Rc<Life>) {
        loop {
            let next = life.answers.borrow_mut().next();
            match next {
                Ok(Turn::Answer(answer)) => Life::hear(life, *answer),
                Ok(Turn::Pause) => return Life::read_later(life),
                Ok(Turn::End) => return,
                Err(_) => return life.give_up("An answer of the analysis could not be read."),
            }
        }
    }

    /// The same without a pause.
    fn read_all(life: &Rc<Life>) {
        life.turn.take();
        loop {
            let next = life.answers.borrow_mut().next();
            match next {
                Ok(Turn::Answer(answer)) => Life::hear(life, *answer),
                Ok(Turn::Pause) => {}
                Ok(Turn::End) | Err(_) => return life.tell(),
            }
        }
    }

    fn read_later(life: &Rc<Life>) {
        let reading = Rc::downgrade(life);
        let go_on = move || {
            if let Some(life) = reading.upgrade() {
                life.turn.take();
                Life::read(&life);
            }
        };
        *life.turn.borrow_mut() = Some(Timeout::new(0, go_on));
    }

    fn hear(life: &Rc<Life>, answer: FromWorker) {
        life.note_next(&answer);
        match answer {
            FromWorker::Done { .. } | FromWorker::Failed { .. } => {
                drop((life.watchdog.take(), life.deadline.take()));
            }
            _ if life.watchdog.borrow().is_some() => Life::watch(life),
            _ => {}
        }
        let is_progress = matches!(answer, FromWorker::Progress { .. });
        life.heard.borrow_mut().push(answer);
        if !is_progress || life.beat.borrow().is_none() {
            life.tell();
        }
        if is_progress && life.beat.borrow().is_none() {
            Life::beat(life);
        }
    }

    /// Progress is told from beat to beat: each time the whole page is compared with what is on the screen, and a large
    /// diff has a thousand files.
    fn beat(life: &Rc<Life>) {
        let telling = Rc::downgrade(life);
        let next = move || {
            if let Some(life) = telling.upgrade() {
                life.beat.take();
                if !life.heard.borrow().is_empty() {
                    life.tell();
                    Life::beat(&life);
                }
            }
        };
        *life.beat.borrow_mut() = Some(Timeout::new(BEAT, next));
    }

    /// Tells the page what was heard.
    fn tell(&self) {
        for answer in self.heard.take() {
            self.act.emit(Action::Answer(Box::new(answer)));
        }
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
        if !self.is_asked.get() {
            return;
        }
        let (sentence, file) = (sentence.to_owned().into(), self.under_way.take());
        self.act.emit(Action::BrokeDown { sentence, file });
    }
}
