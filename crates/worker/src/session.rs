//! The current review and how far it is.

use crate::stub as review;
use report::{FromWorker, ToWorker};
use review::{FileFacts, Plan};
use syntax::Tree;

/// Holds the newest review. Nothing in it knows JavaScript.
#[derive(Default)]
pub(crate) struct Session {
    /// A text that nobody has looked at yet.
    unread: Option<(u32, String)>,
    current: Option<Review>,
}

struct Review {
    id: u32,
    plan: Plan,
    /// One for each file that is analysed, in the plan's order.
    facts: Vec<FileFacts>,
    is_done: bool,
}

impl Session {
    /// A new text only waits: reading it is the next step's work. Everything else is answered at once.
    pub(crate) fn receive(&mut self, message: ToWorker) -> Option<FromWorker> {
        match message {
            ToWorker::Review { id, text } => {
                self.unread = Some((id, text));
                self.current = None;
                None
            }
            ToWorker::Rows { id, file, from, to } => Some(self.rows(id, file, from, to)),
            ToWorker::Excerpt { id } => Some(self.excerpt(id)),
        }
    }

    pub(crate) fn has_work(&self) -> bool {
        self.unread.is_some() || self.current.as_ref().is_some_and(|review| !review.is_done)
    }

    /// Reads the text, or analyses one more file, or concludes.
    pub(crate) fn step(&mut self, parse: &mut dyn FnMut(&str) -> Tree) -> Option<FromWorker> {
        if let Some((id, text)) = self.unread.take() {
            let review = Review::new(id, &text);
            let view = review::view(&review.plan);
            self.current = Some(review);
            return Some(FromWorker::View { id, view });
        }
        let review = self.current.as_mut().filter(|review| !review.is_done)?;
        Some(review.step(parse))
    }

    fn rows(&self, id: u32, file: u32, from: u32, to: u32) -> FromWorker {
        match &self.current {
            Some(review) => FromWorker::Rows {
                id,
                file,
                from,
                rows: review::rows(&review.plan, file, from, to),
            },
            None => gone(id),
        }
    }

    fn excerpt(&self, id: u32) -> FromWorker {
        match &self.current {
            Some(review) => FromWorker::Excerpt {
                id,
                text: review::excerpt(&review.plan),
            },
            None => gone(id),
        }
    }
}

impl Review {
    fn new(id: u32, text: &str) -> Review {
        Review {
            id,
            plan: review::plan(text),
            facts: Vec::new(),
            is_done: false,
        }
    }

    fn step(&mut self, parse: &mut dyn FnMut(&str) -> Tree) -> FromWorker {
        let (id, done, total) = (self.id, self.facts.len(), self.plan.n_files());
        if done < total {
            self.facts.push(review::file_facts(&self.plan, done, parse));
            return FromWorker::Progress {
                id,
                done: done as u32 + 1,
                total: total as u32,
            };
        }
        self.is_done = true;
        let report = review::conclude(&self.plan, &self.facts);
        FromWorker::Done { id, report }
    }
}

fn gone(id: u32) -> FromWorker {
    FromWorker::Failed {
        id,
        message: "The review that this belongs to was replaced by a newer one.".to_owned(),
    }
}
