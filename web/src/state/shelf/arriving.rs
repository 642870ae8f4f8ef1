//! Whose version a text is once it is analysed: of a kept review, which is carried on, or of none.

use super::{Arrival, News, Question, Shelf};
use crate::kept::Kept;
use report::{Version, Work};
use std::rc::Rc;

impl Shelf {
    /// The analysis ended. Says whose version the text is, or asks.
    pub(in crate::state) fn finish(
        &mut self,
        title: Option<String>,
        version: Version,
        arrival: Arrival,
    ) {
        let Some(kept) = self.on_page().cloned() else {
            return;
        };
        self.change(|kept| {
            kept.is_running = false;
            kept.title = title.unwrap_or(std::mem::take(&mut kept.title));
        });
        let is_known = kept.work.version.is_some();
        let last = (!is_known).then(|| self.predecessor(&version, arrival));
        self.change(|kept| kept.work.version = Some(version));
        match last.flatten() {
            Some(last) => self.carry(&last, arrival),
            None if !is_known => self.ask_whether_same(arrival),
            None => {}
        }
        self.settle_offer();
    }

    /// The kept review that this is the next version of.
    fn predecessor(&self, version: &Version, arrival: Arrival) -> Option<String> {
        if arrival == Arrival::Excerpt {
            return None;
        }
        let last = self.last.as_deref().and_then(|id| self.get(id));
        let others = self.kept.iter().filter(|kept| !self.is_older(&kept.id));
        let mut candidates = last.into_iter().chain(others);
        let follows = |kept: &&Rc<Kept>| {
            let is_other = self.current.as_ref() != Some(&kept.id);
            let of = kept.work.version.as_ref();
            is_other && of.is_some_and(|of| version.follows(of))
        };
        candidates.find(follows).map(|kept| kept.id.clone())
    }

    /// Lays the work of an older version over the one on the page. The older one stays as it was, so that
    /// nothing is lost should they be two reviews after all; the one before it goes.
    pub(super) fn carry(&mut self, older: &str, arrival: Arrival) {
        let Some(older) = self.get(older).cloned() else {
            return;
        };
        let is_typed = arrival == Arrival::Typed && self.last.as_ref() == Some(&older.id);
        self.change(|kept| {
            let own = std::mem::take(&mut kept.work);
            let version = own.version.clone().unwrap_or_default();
            kept.work = match is_typed {
                true => Work {
                    version: Some(version),
                    ..older.work.clone()
                },
                false => older.work.carried_to(version),
            };
            kept.work.merge(
                &Work::default(),
                &Work {
                    version: None,
                    before: None,
                    ..own
                },
            );
            kept.older = if is_typed {
                older.older.clone()
            } else {
                Some(older.id.clone())
            };
        });
        if is_typed {
            self.remove(&older.id);
        } else {
            if let Some(oldest) = &older.older {
                self.remove(oldest);
            }
            self.change_one(&older.id, |kept| kept.older = None);
            self.news = Some(News::Carried);
        }
    }

    fn ask_whether_same(&mut self, arrival: Arrival) {
        if !matches!(arrival, Arrival::Typed | Arrival::Given) {
            return;
        }
        let last = self.last.as_deref().and_then(|id| self.get(id));
        let Some(last) = last.filter(|last| !last.has_no_entry()) else {
            return;
        };
        let versions = (
            &last.work.version,
            self.on_page().map(|kept| &kept.work.version),
        );
        let is_other_pull = match versions {
            (Some(last), Some(Some(now))) => now.same_pull(last) == Some(false),
            _ => false,
        };
        if !is_other_pull {
            self.question = Some(Question::SameReview(last.id.clone()));
        }
    }
}
