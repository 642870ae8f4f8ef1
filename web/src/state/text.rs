//! How the text comes and goes.

use super::{Phase, State, Tab, WholeFiles};
use crate::input::{Input, Origin};
use yew::AttrValue;

impl State {
    pub(super) fn edit(&mut self, text: AttrValue) {
        if self.input.folded {
            self.keep_replaced();
        }
        self.input = Input::new(text, Origin::Typed);
        self.begin();
    }

    pub(super) fn load(&mut self, input: Input, selected: Option<AttrValue>) {
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
                ..State::default()
            };
        }
    }
}
