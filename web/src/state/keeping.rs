//! The reviews that are kept, as actions: what the store says, what the reviewer wants opened or deleted,
//! and how the review of a text begins and ends.

use super::{Arrival, Fetched, Phase, Reply, State};
use crate::input::{Input, Origin};
use crate::kept::{Kept, title_of};
use report::{Source, Version, Work, fingerprint};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::AttrValue;

/// What happens to the reviews that are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ShelfAction {
    /// The browser's store holds these, the last one first.
    Recalled(Vec<Kept>),
    /// Why nothing, or not everything, is stored; none once all is.
    Trouble(Option<AttrValue>),
    /// Puts the review with this id onto the page.
    Open(String),
    /// Puts this one, which the tab had last, back onto a page that shows nothing yet.
    Resume(String),
    /// The text of the review that was wanted; none where it is not stored.
    Opened {
        id: String,
        text: Option<String>,
    },
    /// Another tab wrote this. The work is what both tabs had last.
    Copy {
        base: Box<Work>,
        theirs: Box<Kept>,
    },
    Delete(String),
    DeleteAll,
    /// Another tab deleted this one.
    Deleted(String),
    Reply(Reply),
    DropNews,
    DropTrouble,
    /// Whether reviews are to be stored.
    Remember(bool),
}

impl State {
    pub(super) fn shelve(&mut self, action: ShelfAction) {
        match action {
            ShelfAction::Recalled(stored) => self.recall(stored),
            ShelfAction::Trouble(sentence) => {
                self.shelf.is_recalled = true;
                self.shelf.trouble = sentence;
            }
            ShelfAction::Open(id) => self.shelf.wanted = Some(id),
            ShelfAction::Resume(id) => {
                let is_free = self.input.is_blank() && self.shelf.get(&id).is_some();
                self.shelf.wanted = Some(id).filter(|_| is_free);
            }
            ShelfAction::Remember(remembers) => self.shelf.forgets = !remembers,
            ShelfAction::Opened { id, text } => self.opened(&id, text),
            ShelfAction::Copy { base, theirs } => self.take_copy(&base, *theirs),
            ShelfAction::Delete(id) => self.shelf.remove(&id),
            ShelfAction::DeleteAll => self.shelf = self.shelf.emptied(),
            ShelfAction::Deleted(id) => self.deleted(&id),
            ShelfAction::Reply(reply) => self.shelf.reply(reply),
            ShelfAction::DropTrouble => self.shelf.trouble = None,
            ShelfAction::DropNews => self.shelf.news = None,
        }
        self.lay_work_over();
    }

    fn recall(&mut self, stored: Vec<Kept>) {
        self.shelf.recall(stored);
        if self.found.is_some() && self.phase == Phase::Done {
            self.finish_review();
        }
    }

    /// Puts a stored text onto the page. One whose analysis did not end last time is not run by itself.
    fn opened(&mut self, id: &str, text: Option<String>) {
        if self.shelf.wanted.take().as_deref() != Some(id) {
            return;
        }
        let Some(kept) = self.shelf.get(id).cloned() else {
            return;
        };
        let Some(text) = text else {
            let sentence = "The text of this review was too large to be stored here. \
                Paste it again: the answers and notes come back with it.";
            self.notice = Some(sentence.into());
            return;
        };
        let fetched = kept.fetched.clone().map(Rc::new);
        let input = Input::new(text, fetched.map_or(Origin::Kept, Origin::GitHub));
        if !kept.is_running {
            return self.load(input, None);
        }
        self.input = input;
        self.shelf.put_on_page(Some(id.to_owned()));
        let sentence = "The review of this text did not end when the page was open last, so it was not begun again by itself.";
        self.phase = Phase::Failed(sentence.into());
    }

    fn take_copy(&mut self, base: &Work, theirs: Kept) {
        let is_working = matches!(self.phase, Phase::Working { .. });
        if self.shelf.take_copy(base, theirs, is_working) > 0 {
            let sentence = "Another tab answered some of the same lines differently. \
                The answers of this tab stay, and notes of both.";
            self.notice = Some(sentence.into());
        }
    }

    fn deleted(&mut self, id: &str) {
        if self.shelf.current.as_deref() == Some(id) {
            let sentence = "This review was deleted in another tab. It goes on here, and is stored again with the next change.";
            self.notice = Some(sentence.into());
        } else {
            self.shelf.remove(id);
        }
    }

    /// Somebody's work comes in, for the review on the page or for the next one.
    pub(super) fn load_work(&mut self, work: Box<Work>) {
        self.shelf.offer(work);
        if self.is_done() {
            self.shelf.settle_offer();
            self.lay_work_over();
        } else if self.input.is_blank() {
            let sentence = "The answers and notes were read. Paste the diff that they belong to.";
            self.notice = Some(sentence.into());
        }
    }

    /// A text was put in, and its analysis begins.
    pub(super) fn begin_review(&mut self) {
        let title = title_of_input(&self.input);
        let text = fingerprint(&self.input.text);
        self.shelf.begin(&title, text, self.input.n_lines);
        if let Some(fetched) = self.fetched().cloned() {
            self.shelf
                .change(|kept| kept.fetched = Some(Fetched::clone(&fetched)));
        }
    }

    /// The analysis of the text ended with `found`.
    pub(super) fn finish_review(&mut self) {
        let Some(found) = self.found.clone() else {
            return;
        };
        if found.is_empty() {
            self.shelf.finish_empty();
            return;
        }
        let paths = self.files.iter().map(|file| &file.view);
        let paths = paths.filter(|view| view.python).map(|view| &view.path);
        let paths: BTreeSet<String> = paths.cloned().collect();
        let fetched = self.fetched();
        let title = fetched.map(|fetched| format!("{} {}", fetched.target, fetched.title));
        let title = title.or_else(|| title_of(&found, &paths));
        let kept = self.kept();
        let mut version = Version::of(&found, kept.text.clone(), paths);
        // The same text may come back without its address.
        if let Some(fetched) = kept
            .fetched
            .as_ref()
            .filter(|_| version.source == Source::default())
        {
            version.source = fetched.source();
        }
        self.shelf
            .finish(title, version, arrival(&self.input.origin));
    }
}

fn title_of_input(input: &Input) -> String {
    match &input.origin {
        Origin::File(name) => name.to_string(),
        Origin::Sample(title) => title.to_string(),
        _ => "Text without a review".to_owned(),
    }
}

fn arrival(origin: &Origin) -> Arrival {
    match origin {
        Origin::Typed => Arrival::Typed,
        Origin::Link { excerpt: true } => Arrival::Excerpt,
        Origin::Link { excerpt: false }
        | Origin::Report { .. }
        | Origin::Sample(_)
        | Origin::Kept => Arrival::Shown,
        _ => Arrival::Given,
    }
}
