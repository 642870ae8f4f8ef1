//! The review in the browser's worker: messages in, messages out.
//!
//! The worker decides nothing. It keeps the newest review, hands its texts to the parser that JavaScript
//! loaded, and cuts the work into turns, so that a newer message is heard between two files.

mod parser;
mod session;

use parser::{Parser, PythonParser};
use report::{FromWorker, ToWorker};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The worker's state, driven by `worker.js`.
#[wasm_bindgen]
pub struct Session {
    session: session::Session,
    parser: PythonParser,
    post: js_sys::Function,
}

#[wasm_bindgen]
impl Session {
    /// Says that the worker is ready. `parser` is what `loadParser` of parse.js gives; `post` takes each answer.
    #[wasm_bindgen(constructor)]
    pub fn new(parser: Parser, post: js_sys::Function) -> Result<Session, JsValue> {
        console_error_panic_hook::set_once();
        let session = Session {
            session: session::Session::default(),
            parser: PythonParser::new(parser),
            post,
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        session.post(&FromWorker::Ready { version })?;
        Ok(session)
    }

    /// Takes a message of the page; returns whether work waits for [`Session::step`].
    pub fn receive(&mut self, message: JsValue) -> Result<bool, JsValue> {
        let message: ToWorker = serde_wasm_bindgen::from_value(message)?;
        if let Some(answer) = self.session.receive(message) {
            self.post(&answer)?;
        }
        Ok(self.session.has_work())
    }

    /// Does the next piece of the current review; returns whether there is more.
    pub fn step(&mut self) -> Result<bool, JsValue> {
        let answer = self.session.step(&mut |text| self.parser.parse(text));
        if let Some(answer) = answer {
            self.post(&answer)?;
        }
        Ok(self.session.has_work())
    }

    /// Posts plain objects, with null where JSON has null.
    fn post(&self, message: &FromWorker) -> Result<(), JsValue> {
        let message = message.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?;
        self.post.call1(&JsValue::NULL, &message)?;
        Ok(())
    }
}
