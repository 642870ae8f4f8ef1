//! Code on its way from the worker to the clipboard.

use super::State;
use crate::words::count;
use std::ops::Range;
use yew::AttrValue;

/// What was asked for last, and how far it is.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Copying {
    /// Index of the file, and its rows.
    pub(crate) wanted: Option<(u32, Range<u32>)>,
    /// Tells one request from the next.
    pub(crate) turn: u32,
    /// The code, once it is there.
    pub(crate) text: Option<AttrValue>,
}

impl Copying {
    pub(super) fn ask(&mut self, file: u32, rows: Range<u32>) {
        *self = Copying {
            wanted: Some((file, rows)),
            turn: self.turn + 1,
            text: None,
        };
    }

    pub(super) fn take(&mut self, text: AttrValue) {
        self.text = Some(text);
    }
}

impl State {
    pub(super) fn copied(&mut self, done: bool) {
        let n_lines = self
            .copying
            .text
            .as_deref()
            .map_or(0, |text| text.split('\n').count());
        let sentence = match done {
            true => format!("Copied {}.", count(n_lines, "line")),
            false => {
                "The browser did not allow to copy. Select the code and copy it by hand.".to_owned()
            }
        };
        self.notice = Some(sentence.into());
        self.copying.text = None;
    }
}
