//! Text that leaves the page by the user's hand: onto the clipboard or into a file.

use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Puts text onto the clipboard. False where the browser refuses.
pub(crate) async fn copy(text: String) -> bool {
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    // Outside of a secure context there is no clipboard at all.
    if clipboard.is_ok_and(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    let written = window().navigator().clipboard().write_text(&text);
    JsFuture::from(written).await.is_ok()
}

/// Offers text as a file to save. False where the browser refuses.
pub(crate) fn save(name: &str, kind: &str, text: &str) -> bool {
    try_save(name, kind, text).is_ok()
}

fn try_save(name: &str, kind: &str, text: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}
