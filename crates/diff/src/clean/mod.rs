//! Disguises that change the text itself: taken off before the diff is read.
//!
//! Each one is recognised by signs that an undisguised diff does not have. Disguises that only put something before
//! each line (quotes, indentation, the lines of a drawn log) need no cleaning: the reader looks through them.

mod ansi;
mod doubled;
mod html;
mod line_ends;
mod quoted_printable;
mod spaces;

use std::borrow::Cow;

use crate::{Problem, ProblemKind};

/// A text without disguise.
pub(crate) struct Cleaned<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The line of the pasted text for each line; empty where they are the same.
    pub(crate) line_numbers: Vec<u32>,
    pub(crate) problems: Vec<Problem>,
}

/// Takes off every disguise.
pub(crate) fn clean(text: &str) -> Cleaned<'_> {
    let mut cleaned = Cleaned {
        text: Cow::Borrowed(text),
        line_numbers: Vec::new(),
        problems: Vec::new(),
    };
    cleaned.cut_to_addressable();
    cleaned.replace(|text| text.strip_prefix('\u{FEFF}').map(str::to_owned));
    cleaned.replace(line_ends::clean);
    cleaned.replace(ansi::clean);
    cleaned.join(doubled::clean);
    cleaned.join(quoted_printable::clean);
    if cleaned.replace(html::clean) {
        cleaned.problems.push(html::problem());
    }
    cleaned.replace(spaces::clean);
    cleaned
}

/// Whether a text would be taken for an escaped or encoded one.
pub(crate) fn is_disguised(text: &str) -> bool {
    html::clean(text).is_some() || quoted_printable::clean(text).is_some()
}

impl Cleaned<'_> {
    /// Puts a cleaned text in place of the text, if there was something to clean.
    fn replace(&mut self, clean: impl Fn(&str) -> Option<String>) -> bool {
        let Some(text) = clean(&self.text) else {
            return false;
        };
        self.text = Cow::Owned(text);
        true
    }

    /// Puts a text with fewer lines in place of the text. What cleans it says on which line each line stood.
    fn join(&mut self, clean: impl Fn(&str) -> Option<(String, Vec<u32>)>) {
        let Some((text, mut numbers)) = clean(&self.text) else {
            return;
        };
        for number in &mut numbers {
            let before = self.line_numbers.get((*number as usize).saturating_sub(1));
            *number = before.copied().unwrap_or(*number);
        }
        self.text = Cow::Owned(text);
        self.line_numbers = numbers;
    }

    /// Offsets are 32 bits wide; decoding can triple a text at most.
    fn cut_to_addressable(&mut self) {
        const LIMIT: usize = (u32::MAX / 4) as usize;
        if self.text.len() <= LIMIT {
            return;
        }
        let end = self.text.floor_char_boundary(LIMIT);
        let kept = self.text.get(..end).unwrap_or("").to_owned();
        self.problems.push(Problem {
            path: None,
            line: None,
            kind: ProblemKind::TooLong,
            message: "The text is longer than a gigabyte; what lies beyond was not read."
                .to_owned(),
        });
        self.text = Cow::Owned(kept);
    }
}
