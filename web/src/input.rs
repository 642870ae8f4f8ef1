//! The text under review and where it came from.

use crate::state::Fetched;
use report::Source;
use std::ops::Deref;
use std::rc::Rc;
use yew::AttrValue;

/// Bytes from which on a text is not put into the box: the browser lays out every line of it there,
/// which holds up the page for as long as the analysis takes.
pub(crate) const FOLD_AT: usize = 200_000;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Input {
    pub(crate) text: Text,
    pub(crate) origin: Origin,
    /// Whether the box shows a summary instead of the text.
    pub(crate) folded: bool,
    pub(crate) n_lines: usize,
}

/// A text that costs nothing to compare with itself: the page asks after each message whether it changed, and it may
/// have megabytes.
#[derive(Clone, Debug, Eq, Default)]
pub(crate) struct Text(AttrValue);

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0.as_str(), other.0.as_str()) || self.0 == other.0
    }
}

impl Deref for Text {
    type Target = AttrValue;

    fn deref(&self) -> &AttrValue {
        &self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Origin {
    #[default]
    Typed,
    Pasted,
    File(AttrValue),
    Sample(AttrValue),
    /// A permalink, and whether its text is only the hunks that carry findings.
    Link {
        excerpt: bool,
    },
    /// A saved review, whose diff came from there. Without a diff the text is the document itself.
    Report {
        source: Rc<Source>,
        has_diff: bool,
    },
    /// A review that was kept from before.
    Kept,
    /// A change on GitHub.
    GitHub(Rc<Fetched>),
}

impl Input {
    pub(crate) fn new(text: impl Into<AttrValue>, origin: Origin) -> Self {
        let text = text.into();
        Input {
            folded: text.len() > FOLD_AT,
            n_lines: n_lines(&text),
            text: Text(text),
            origin,
        }
    }

    /// Whether there is nothing to review.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// What the box shows.
    pub(crate) fn boxed(&self) -> AttrValue {
        if self.folded {
            AttrValue::default()
        } else {
            AttrValue::clone(&self.text)
        }
    }
}

/// As many as [`str::lines`] gives, which takes its time with each of a hundred thousand.
fn n_lines(text: &str) -> usize {
    let ends = text.bytes().filter(|&byte| byte == b'\n').count();
    let is_open = !text.is_empty() && !text.ends_with('\n');
    ends + usize::from(is_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_an_iterator_over_them_would() {
        for text in ["", "\n", "a", "a\n", "a\r\nb", "a\n\n", "\n\nb\r"] {
            assert_eq!(n_lines(text), text.lines().count(), "{text:?}");
        }
    }

    #[test]
    fn texts_are_alike_by_what_they_say_and_not_only_by_where_they_lie() {
        let text = |text: &str| Input::new(text.to_owned(), Origin::Pasted).text;
        assert_eq!(text("a diff"), text("a diff"));
        assert_ne!(text("a diff"), text("a dift"));
        // The same beginning of one text.
        let all: &'static str = "a diff of more";
        let begin = Input::new(all.get(..6).unwrap_or_default(), Origin::Pasted).text;
        assert_ne!(begin, Input::new(all, Origin::Pasted).text);
    }
}
