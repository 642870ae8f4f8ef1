//! The worker's answers, read piece by piece: that to a large diff would hold up the page if it were read in one go.

use gloo::utils::document;
use js_sys::{Array, Date, Reflect};
use report::FromWorker;
use serde_wasm_bindgen::{Error, from_value};
use std::collections::VecDeque;
use wasm_bindgen::prelude::*;

/// Milliseconds to read before the page may do something else.
const TURN: f64 = 8.0;

/// Elements of a list that are not worth a turn of their own.
const SHORT: u32 = 100;

/// Answers in the order in which they came. What came behind a long one waits for it.
#[derive(Default)]
pub(crate) struct Answers {
    waiting: VecDeque<JsValue>,
    long: Option<Long>,
}

/// What reading has brought.
pub(crate) enum Turn {
    Answer(Box<FromWorker>),
    /// A long answer is under way, and the page should do something else before it goes on.
    Pause,
    /// All is read.
    End,
}

impl Answers {
    pub(crate) fn push(&mut self, answer: JsValue) {
        self.waiting.push_back(answer);
    }

    /// Reads the next answer, or as much of it as a turn has time for.
    pub(crate) fn next(&mut self) -> Result<Turn, Error> {
        if let Some(mut long) = self.long.take() {
            if long.is_read() {
                return Ok(Turn::Answer(long.answer));
            }
            long.read()?;
            self.long = Some(long);
            return Ok(Turn::Pause);
        }
        let Some(message) = self.waiting.pop_front() else {
            return Ok(Turn::End);
        };
        let items = take_long_list(&message);
        let answer = Box::new(from_value(message)?);
        let Some(items) = items else {
            return Ok(Turn::Answer(answer));
        };
        self.long = Some(Long {
            answer,
            items,
            n_read: 0,
        });
        Ok(Turn::Pause)
    }
}

/// An answer whose long list is not all read.
struct Long {
    answer: Box<FromWorker>,
    items: Array,
    n_read: u32,
}

impl Long {
    fn is_read(&self) -> bool {
        self.n_read == self.items.length()
    }

    fn read(&mut self) -> Result<(), Error> {
        // Nobody waits for a page that is not seen, and its timers are slow.
        let end = match document().hidden() {
            true => f64::INFINITY,
            false => Date::now() + TURN,
        };
        while !self.is_read() && Date::now() < end {
            let item = self.items.get(self.n_read);
            self.n_read += 1;
            match &mut *self.answer {
                FromWorker::View { view, .. } => view.files.push(from_value(item)?),
                FromWorker::Done { report, .. } => report.findings.push(from_value(item)?),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Takes the list out of a message that grows with the diff, if it is long.
fn take_long_list(message: &JsValue) -> Option<Array> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let (holder, name) = match get(message, "type")?.as_string()?.as_str() {
        "view" => (get(message, "view")?, "files"),
        "done" => (get(message, "report")?, "findings"),
        _ => return None,
    };
    let list = get(&holder, name)?.dyn_into::<Array>().ok()?;
    if list.length() <= SHORT {
        return None;
    }
    Reflect::set(&holder, &name.into(), &Array::new()).ok()?;
    Some(list)
}
