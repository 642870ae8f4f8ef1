//! What is on the shelf and what the store holds of it, as far as this tab knows: what differs is to be written.

use crate::browser::session;
use crate::browser::store::{Row, Store};
use crate::kept::Kept;
use crate::state::Shelf;
use gloo::timers::callback::Timeout;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::AttrValue;

#[derive(Default)]
pub(super) struct Ledger {
    pub(super) store: Option<Rc<Store>>,
    /// What the store holds, as far as this tab knows.
    pub(super) stored: BTreeMap<String, Stored>,
    pub(super) shelf: Shelf,
    pub(super) text: AttrValue,
    pub(super) timer: Option<Timeout>,
    /// A write is under way; what changes meanwhile is written after it.
    pub(super) is_writing: bool,
    pub(super) is_changed: bool,
    pub(super) said: Option<&'static str>,
}

pub(super) struct Stored {
    pub(super) revision: u32,
    pub(super) kept: Rc<Kept>,
    /// The fingerprint of the text that is stored, if one is.
    pub(super) text: Option<String>,
    /// What was refused, so that it is not tried again before it changes.
    pub(super) refused: Option<Rc<Kept>>,
}

impl Ledger {
    pub(super) fn revision(&self, id: &str) -> u32 {
        self.stored.get(id).map_or(0, |stored| stored.revision)
    }

    pub(super) fn is_on_page(&self, kept: &Kept) -> bool {
        self.shelf.current.as_ref() == Some(&kept.id)
    }

    /// Whether the review on the page began or ended since it was stored.
    pub(super) fn turns_running(&self) -> bool {
        self.shelf.on_page().is_some_and(|kept| {
            let stored = self.stored.get(&kept.id);
            stored.is_none_or(|stored| stored.kept.is_running != kept.is_running)
        })
    }

    /// Reviews that the store holds otherwise or not at all.
    pub(super) fn changed(&self) -> Vec<Rc<Kept>> {
        let is_changed = |kept: &&Rc<Kept>| match self.stored.get(&kept.id) {
            Some(stored) => !stored.is_like(kept) && stored.refused.as_ref() != Some(kept),
            None => true,
        };
        let kept = self.shelf.kept.iter().filter(|_| !self.shelf.forgets);
        kept.filter(is_changed).cloned().collect()
    }

    /// Ids of reviews that were taken off the shelf.
    pub(super) fn gone(&self) -> Vec<String> {
        let ids = self.stored.keys();
        ids.filter(|id| self.shelf.get(id).is_none())
            .cloned()
            .collect()
    }

    /// The revision that a review is written over, and its text where that is not stored yet.
    pub(super) fn to_write(&self, kept: &Kept) -> (u32, Option<AttrValue>) {
        let stored = self.stored.get(&kept.id);
        let has_text = stored.is_some_and(|stored| stored.text.as_ref() == Some(&kept.text));
        let text = (self.is_on_page(kept) && !has_text).then(|| self.text.clone());
        (self.revision(&kept.id), text)
    }

    pub(super) fn was_written(&mut self, kept: Rc<Kept>, row: Option<Row>, has_text: bool) {
        let before = self.stored.remove(&kept.id).and_then(|stored| stored.text);
        let stored = Stored {
            revision: row.map_or(1, |row| row.revision),
            text: if has_text {
                Some(kept.text.clone())
            } else {
                before
            },
            refused: None,
            kept,
        };
        self.stored.insert(stored.kept.id.clone(), stored);
        session::set_unstored(None);
    }

    pub(super) fn was_refused(&mut self, kept: Rc<Kept>) {
        if let Some(stored) = self.stored.get_mut(&kept.id) {
            stored.refused = Some(kept);
        }
    }
}

impl Stored {
    pub(super) fn of(row: Row) -> Self {
        Stored {
            revision: row.revision,
            text: row.has_text.then(|| row.kept.text.clone()),
            kept: Rc::new(row.kept),
            refused: None,
        }
    }

    /// When it was written does not matter.
    pub(super) fn is_like(&self, kept: &Rc<Kept>) -> bool {
        let updated = self.kept.updated;
        let alike = || {
            *self.kept
                == Kept {
                    updated,
                    ..Kept::clone(kept)
                }
        };
        Rc::ptr_eq(&self.kept, kept) || alike()
    }
}
