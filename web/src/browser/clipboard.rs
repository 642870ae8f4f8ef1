//! Text that was copied elsewhere.

use wasm_bindgen::prelude::*;
use web_sys::DataTransfer;

#[wasm_bindgen]
extern "C" {
    /// The same object; its text stays one of JavaScript.
    type Transfer;

    #[wasm_bindgen(method, catch, js_name = getData)]
    fn data(this: &Transfer, kind: &str) -> Result<JsValue, JsValue>;

    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;

    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsValue) -> Vec<u8>;
}

/// The browser encodes the text: megabytes would take long where it is read letter by letter, as strings are by default.
pub(crate) fn text_of(data: &DataTransfer) -> Option<String> {
    let data = data.unchecked_ref::<Transfer>();
    let bytes = TextEncoder::new().encode(&data.data("text/plain").ok()?);
    String::from_utf8(bytes).ok()
}
