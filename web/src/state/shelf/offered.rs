//! Somebody's work that comes to a review, and the reviewer's replies to what only they can know.

use super::{Arrival, News, Question, Reply, Shelf};
use report::{Version, Work};

impl Shelf {
    /// Somebody's work, to be laid over the review on the page or over the next one.
    pub(in crate::state) fn offer(&mut self, work: Box<Work>) {
        self.offer = Some(work);
    }

    /// Takes in work that waits, unless that would touch work on the page.
    pub(in crate::state) fn settle_offer(&mut self) {
        let Some(kept) = self.on_page().cloned() else {
            return;
        };
        let Some(theirs) = self.offer.take() else {
            return;
        };
        if kept.has_no_entry() {
            if !theirs.is_empty() {
                self.news = Some(News::Came {
                    by: theirs.reviewer.clone(),
                });
            }
            self.change(|kept| take(&mut kept.work, *theirs));
        } else if kept.work.differs_from(&theirs) {
            self.question = Some(Question::Theirs(theirs));
        }
    }

    pub(in crate::state) fn reply(&mut self, reply: Reply) {
        match (reply, self.question.take()) {
            (Reply::CarryOver, Some(Question::SameReview(id))) => self.carry(&id, Arrival::Given),
            (Reply::TakeTheirs, Some(Question::Theirs(theirs))) => {
                self.change(|kept| take(&mut kept.work, *theirs));
            }
            (Reply::Merge, Some(Question::Theirs(theirs))) => {
                self.change(|kept| kept.work.join(theirs.signed()));
            }
            (Reply::StartNew, None) => self.start_anew(),
            _ => {}
        }
    }

    /// Takes back that the review on the page carries on an older one.
    fn start_anew(&mut self) {
        self.news = None;
        self.change(|kept| {
            kept.older = None;
            kept.work = Work {
                version: kept.work.version.take(),
                reviewer: kept.work.reviewer.take(),
                ..Work::default()
            };
        });
    }
}

/// Replaces the work by somebody's. What they had seen in another version is what came before.
fn take(work: &mut Work, theirs: Work) {
    let theirs = theirs.signed();
    let is_other = |of: &Version| work.version.as_ref().is_some_and(|now| now.text != of.text);
    if let Some(of) = theirs.version.filter(is_other) {
        work.before = Some(of);
    }
    work.lines = theirs.lines;
    work.findings = theirs.findings;
}
