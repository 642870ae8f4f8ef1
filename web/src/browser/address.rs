//! The fragment of the page's address. Nothing else of the address is ever read or written.

use gloo::utils::{history, window};
use wasm_bindgen::JsValue;

/// Characters beyond which browsers cut or refuse an address.
const LONGEST: usize = 1_000_000;

/// Without the `#`; empty where there is none.
pub(crate) fn fragment() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.strip_prefix('#')
        .map(str::to_owned)
        .unwrap_or_default()
}

/// The page's address without query and fragment.
pub(crate) fn page() -> String {
    let location = window().location();
    let origin = location.origin().unwrap_or_default();
    format!("{origin}{}", location.pathname().unwrap_or_default())
}

/// Writes the fragment, without a new entry in the history and without a `hashchange`.
/// An address that would be too long is left alone.
pub(crate) fn write_fragment(fragment: &str) {
    if fragment.len() <= LONGEST {
        replace(&format!("#{fragment}"));
    }
}

/// Takes the fragment away, so that the address never names what the page no longer shows.
pub(crate) fn clear_fragment() {
    if !fragment().is_empty() {
        replace(&page());
    }
}

fn replace(url: &str) {
    // Browsers refuse this when it is done too often; the address is then merely old.
    let _ = history().replace_state_with_url(&JsValue::NULL, "", Some(url));
}
