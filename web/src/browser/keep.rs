//! Small things that the browser keeps for the next visit, where it allows that.

use gloo::storage::{LocalStorage, Storage};
use gloo::utils::window;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What was kept under this key, if it can still be read.
pub(crate) fn kept<T: DeserializeOwned>(key: &str) -> Option<T> {
    let kept = is_storing().then(|| LocalStorage::get(key).ok());
    kept.flatten()
}

/// Keeps a thing, or forgets it where there is none. False where the browser refuses.
pub(crate) fn keep<T: Serialize>(key: &str, thing: Option<&T>) -> bool {
    if !is_storing() {
        return false;
    }
    match thing {
        Some(thing) => LocalStorage::set(key, thing).is_ok(),
        None => {
            LocalStorage::delete(key);
            true
        }
    }
}

/// Whether there is a storage at all: asking for one throws where cookies are blocked.
fn is_storing() -> bool {
    matches!(window().local_storage(), Ok(Some(_)))
}
