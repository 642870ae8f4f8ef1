//! The worker, as our own JavaScript starts it.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/worker_client.js")]
extern "C" {
    /// A started worker. It is never repaired: after an error it is gone.
    pub(crate) type Worker;

    /// `on_error` takes a sentence and is called at most once.
    pub(crate) fn spawn(
        on_message: &Closure<dyn FnMut(JsValue)>,
        on_error: &Closure<dyn FnMut(String)>,
    ) -> Worker;

    /// Takes a `ToWorker`.
    #[wasm_bindgen(method)]
    pub(crate) fn post(this: &Worker, message: JsValue);

    #[wasm_bindgen(method)]
    pub(crate) fn terminate(this: &Worker);
}
