//! The text under review and where it came from.

use crate::state::Fetched;
use report::Source;
use std::rc::Rc;
use yew::AttrValue;

/// Bytes from which on a text is not put into the box: the browser lays out every line of it there,
/// which holds up the page for as long as the analysis takes.
pub(crate) const FOLD_AT: usize = 200_000;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Input {
    pub(crate) text: AttrValue,
    pub(crate) origin: Origin,
    /// Whether the box shows a summary instead of the text.
    pub(crate) folded: bool,
    pub(crate) n_lines: usize,
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
            n_lines: text.lines().count(),
            text,
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
            self.text.clone()
        }
    }
}
