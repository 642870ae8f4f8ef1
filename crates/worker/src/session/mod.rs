//! What each message asks of the current review. Nothing here knows JavaScript.

mod current;
#[cfg(test)]
mod tests;

use current::{Current, Waiting};
use report::permalink;
use report::{FromWorker, ToWorker};
use review::Plan;
use std::collections::BTreeMap;
use syntax::Tree;
use topic::Profile;

/// Holds the newest review; an older one is forgotten wherever it stands.
#[derive(Default)]
pub(crate) struct Session {
    waiting: Option<Waiting>,
    current: Option<Current>,
    /// The review before the one that waits: what it knows of files that did not change is taken over.
    before: Option<Current>,
}

impl Session {
    /// A new text only waits, since reading it is a step of its own. Everything else is answered at once.
    pub(crate) fn receive(&mut self, message: ToWorker) -> Option<FromWorker> {
        Some(match message {
            ToWorker::Review {
                id,
                text,
                source,
                files,
                profile,
                left_out,
                skipped,
            } => {
                self.wait(Waiting {
                    id,
                    text,
                    source,
                    files,
                    profile,
                    left_out,
                    skipped,
                });
                return None;
            }
            ToWorker::Conclude { id } => {
                self.end(id);
                return None;
            }
            ToWorker::Files { id, files } => return self.take_files(id, files),
            ToWorker::Profile { id, text } => profile(id, &text),
            ToWorker::Rows { id, file, from, to } => self.rows(id, file, from, to),
            ToWorker::WholeRows { id, file, from, to } => self.whole_rows(id, file, from, to),
            ToWorker::Text { id, file, from, to } => self.text(id, file, from, to),
            ToWorker::Find { id, text, limit } => self.find(id, &text, limit),
            ToWorker::Excerpt { id } => self.excerpt(id),
            ToWorker::Link { id, link } => FromWorker::Link {
                id,
                fragment: permalink::encode(&link),
            },
        })
    }

    /// Whether there is anything to do but wait for messages.
    pub(crate) fn has_work(&self) -> bool {
        let is_under_way = |current: &Current| !current.is_done();
        self.waiting.is_some() || self.current.as_ref().is_some_and(is_under_way)
    }

    /// Reads the waiting text, or analyses one more file, or concludes.
    pub(crate) fn step(&mut self, parse: &mut dyn FnMut(&str) -> Tree) -> Option<FromWorker> {
        if let Some(waiting) = self.waiting.take() {
            let id = waiting.id;
            return Some(match Current::new(waiting, self.before.take()) {
                Ok(current) => self.current.insert(current).view(),
                Err(error) => failed(id, &error.to_string()),
            });
        }
        self.current.as_mut()?.step(parse)
    }

    fn wait(&mut self, waiting: Waiting) {
        self.waiting = Some(waiting);
        // Of several that were replaced unread the last one that was begun counts.
        self.before = self.current.take().or(self.before.take());
    }

    fn end(&mut self, id: u32) {
        if let Some(current) = self.current.as_mut().filter(|current| current.id == id) {
            current.leave_out_rest();
        }
    }

    /// Adds to the review with that id, whether it waits, is under way or concluded. An older one is gone.
    fn take_files(&mut self, id: u32, files: BTreeMap<String, String>) -> Option<FromWorker> {
        if let Some(waiting) = self.waiting.as_mut().filter(|waiting| waiting.id == id) {
            waiting.files.get_or_insert_default().extend(files);
        } else if let Some(current) = self.current.as_mut().filter(|current| current.id == id) {
            return Some(current.take_files(files));
        }
        None
    }

    fn rows(&self, id: u32, file: u32, from: u32, to: u32) -> FromWorker {
        self.of_plan(id, |plan| FromWorker::Rows {
            id,
            file,
            from,
            rows: review::rows(plan, file as usize, from as usize, to as usize),
        })
    }

    fn whole_rows(&self, id: u32, file: u32, from: u32, to: u32) -> FromWorker {
        self.of_plan(id, |plan| FromWorker::WholeRows {
            id,
            file,
            from,
            rows: review::whole_rows(plan, file as usize, from as usize, to as usize),
        })
    }

    fn text(&self, id: u32, file: u32, from: u32, to: u32) -> FromWorker {
        self.of_plan(id, |plan| FromWorker::Text {
            id,
            text: review::text(plan, file as usize, from as usize, to as usize),
        })
    }

    fn find(&self, id: u32, text: &str, limit: u32) -> FromWorker {
        self.of_plan(id, |plan| {
            let review::Found { rows, total } = review::find(plan, text, limit as usize);
            FromWorker::Found { id, rows, total }
        })
    }

    /// An answer that needs nothing but the diff.
    fn of_plan(&self, id: u32, answer: impl FnOnce(&Plan) -> FromWorker) -> FromWorker {
        match self.read(id) {
            Ok(current) => answer(&current.plan),
            Err(sentence) => failed(id, sentence),
        }
    }

    fn excerpt(&self, id: u32) -> FromWorker {
        let current = match self.read(id) {
            Ok(current) => current,
            Err(sentence) => return failed(id, sentence),
        };
        let Some(report) = &current.report else {
            return failed(id, "The diff can be cut once all of it was reviewed.");
        };
        let text = review::excerpt(&current.plan, report);
        FromWorker::Excerpt { id, text }
    }

    /// The review with that id: what asks for an older one must not be given rows of another diff.
    fn read(&self, id: u32) -> Result<&Current, &'static str> {
        if let Some(current) = self.current.as_ref().filter(|current| current.id == id) {
            return Ok(current);
        }
        let waiting = self.waiting.as_ref().map(|waiting| waiting.id);
        let newest = waiting.or(self.current.as_ref().map(|current| current.id));
        Err(match newest {
            Some(newest) if newest != id => REPLACED,
            _ => UNREAD,
        })
    }
}

/// Whether a text is a profile's.
fn profile(id: u32, text: &str) -> FromWorker {
    match Profile::from_json(text) {
        Ok(Profile { name, .. }) => FromWorker::Profile { id, name },
        Err(error) => FromWorker::NoProfile {
            id,
            message: error.to_string(),
        },
    }
}

const REPLACED: &str = "A newer review has replaced the one that this belongs to.";
const UNREAD: &str = "The diff that this belongs to was not read yet.";

fn failed(id: u32, sentence: &str) -> FromWorker {
    let message = sentence.to_owned();
    FromWorker::Failed { id, message }
}
