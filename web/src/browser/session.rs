//! What this tab and this browser remember in a few bytes: the review that was on the page, words that were
//! not stored yet, whether anything is to be stored at all.

use crate::kept::Kept;
use gloo::storage::{LocalStorage, SessionStorage, Storage};
use gloo::utils::window;
use report::Work;
use serde::{Deserialize, Serialize};

/// Id of the review on this tab's page.
const REVIEW: &str = "hunkwise.review";
/// Work that the store may not have got.
const UNSTORED: &str = "hunkwise.unstored";
/// Id of the review whose analysis ended last, should the store not have got that any more.
const ENDED: &str = "hunkwise.ended";
const REMEMBER: &str = "hunkwise.remember";
const NAME: &str = "hunkwise.name";

/// Work that was done while the page was being closed, and what it was before.
#[derive(Serialize, Deserialize)]
pub(crate) struct Unstored {
    pub(crate) id: String,
    base: Work,
    work: Work,
}

impl Unstored {
    pub(crate) fn of(base: &Work, kept: &Kept) -> Self {
        Unstored {
            id: kept.id.clone(),
            base: base.clone(),
            work: kept.work.clone(),
        }
    }

    /// Lays it over what the store holds.
    pub(crate) fn lay_over(&self, kept: &mut Kept) {
        let stored = std::mem::replace(&mut kept.work, self.work.clone());
        kept.work.merge(&self.base, &stored);
    }
}

pub(crate) fn review() -> Option<String> {
    get_of_tab(REVIEW)
}

pub(crate) fn set_review(id: Option<&str>) {
    set_of_tab(REVIEW, id);
}

pub(crate) fn unstored() -> Option<Unstored> {
    get_of_tab(UNSTORED)
}

pub(crate) fn set_unstored(unstored: Option<&Unstored>) {
    set_of_tab(UNSTORED, unstored);
}

/// Whether the analysis of this review ended, as far as the tab remembers.
pub(crate) fn has_ended(id: &str) -> bool {
    get_of_tab(ENDED).is_some_and(|ended: String| ended == id)
}

pub(crate) fn set_ended(id: Option<&str>) {
    set_of_tab(ENDED, id);
}

/// Whether reviews are to be stored.
pub(crate) fn remembers() -> bool {
    let stored = is_storing().then(|| LocalStorage::get(REMEMBER).ok());
    stored.flatten().unwrap_or(true)
}

pub(crate) fn set_remembers(remembers: bool) {
    if is_storing() {
        let _ = LocalStorage::set(REMEMBER, remembers);
    }
}

/// The name that the reviewer wrote last.
pub(crate) fn name() -> Option<String> {
    let stored = is_storing().then(|| LocalStorage::get(NAME).ok());
    stored.flatten()
}

pub(crate) fn set_name(name: &str) {
    if is_storing() {
        let _ = LocalStorage::set(NAME, name);
    }
}

fn get_of_tab<T: for<'a> Deserialize<'a>>(key: &str) -> Option<T> {
    is_storing()
        .then(|| SessionStorage::get(key).ok())
        .flatten()
}

/// A value that does not fit, or may not be stored, is left out: it is a second net.
fn set_of_tab(key: &str, value: Option<impl Serialize>) {
    if !is_storing() {
        return;
    }
    match value {
        Some(value) => drop(SessionStorage::set(key, value)),
        None => SessionStorage::delete(key),
    }
}

/// Whether there are storages at all: asking for one throws where cookies are blocked.
fn is_storing() -> bool {
    matches!(window().local_storage(), Ok(Some(_)))
}
