//! How the text comes and goes.

use super::{Action, Filter, Phase, State, Tab, WholeFiles};
use crate::import::Import;
use crate::input::{Input, Origin};
use report::{Report, Work};
use std::rc::Rc;
use yew::AttrValue;

impl State {
    pub(super) fn edit(&mut self, text: AttrValue) {
        match Import::from(Input::new(text, Origin::Typed)) {
            Import::Text(input) => {
                if self.input.folded {
                    self.keep_replaced();
                }
                self.input = input;
                self.begin();
            }
            import => self.import(import, None),
        }
    }

    pub(super) fn load(&mut self, input: Input, selected: Option<AttrValue>) {
        self.import(Import::from(input), selected);
    }

    fn import(&mut self, import: Import, selected: Option<AttrValue>) {
        match import {
            Import::Text(input) => self.put(input, selected),
            Import::Diff { input, work } => {
                self.shelf.offer(work);
                self.put(input, selected);
            }
            Import::Report {
                input,
                report,
                work,
            } => self.open_report(input, *report, work),
            Import::Work(work) => self.act(Action::LoadWork(work)),
            Import::Broken(sentence) => self.notice = Some(sentence.into()),
        }
    }

    fn put(&mut self, input: Input, selected: Option<AttrValue>) {
        self.keep_replaced();
        self.input = input;
        self.selected = selected;
        self.tab = if self.input.is_blank() {
            Tab::Input
        } else {
            Tab::Checklist
        };
        self.begin();
    }

    /// Shows a report without its diff.
    fn open_report(&mut self, input: Input, report: Report, work: Box<Work>) {
        self.shelf.offer(work);
        self.put(input, None);
        self.files = Rc::default();
        self.files_of = self.request;
        self.report = None;
        self.take_report(report);
        let sentence = "This report came without its diff, so its findings are shown without their lines. \
            Paste the diff itself to see them in place.";
        self.notice = Some(sentence.into());
    }

    fn keep_replaced(&mut self) {
        if !self.input.is_blank() {
            self.replaced = Some(std::mem::take(&mut self.input));
        }
    }

    pub(super) fn undo(&mut self) {
        if let Some(input) = self.replaced.take() {
            self.load(input, None);
        }
    }

    /// Starts a request for the present text. What stands on the page stays until the new diff is read.
    pub(super) fn begin(&mut self) {
        self.request += 1;
        self.notice = None;
        self.excerpt = None;
        self.link = None;
        // A filter left over would hide findings of another text.
        self.filter = Filter::default();
        self.asks_reason = None;
        self.github.settle();
        // The turn goes on, so that files of the text before never become files of this one.
        self.whole = WholeFiles {
            turn: self.whole.turn + 1,
            ..WholeFiles::default()
        };
        self.phase = Phase::Working { done: 0, total: 0 };
        if !self.input.is_blank() {
            self.begin_review();
        } else {
            self.shelf.put_on_page(None);
            let (input, replaced) = (std::mem::take(&mut self.input), self.replaced.take());
            *self = State {
                input,
                replaced,
                github: std::mem::take(&mut self.github),
                whole: std::mem::take(&mut self.whole),
                request: self.request,
                rule: self.rule,
                shelf: std::mem::take(&mut self.shelf),
                n_wishes: self.n_wishes,
                chosen: std::mem::take(&mut self.chosen),
                ..State::default()
            };
        }
    }
}
