//! What somebody wants to share: how much of the diff, and whether what they did goes with it.

use crate::input::Origin;
use crate::state::State;
use report::Work;
use report::permalink::{Content, Reference};
use yew::AttrValue;

/// What a link holds of the diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Holding {
    #[default]
    Whole,
    /// The hunks that carry findings.
    Excerpt,
    /// Where the diff lies.
    Reference,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sharing {
    pub(crate) holding: Holding,
    pub(crate) with_work: bool,
    /// The text holds what looks like a secret, and is to be shared all the same.
    pub(crate) despite_secrets: bool,
}

impl Default for Sharing {
    fn default() -> Sharing {
        Sharing {
            holding: Holding::Whole,
            with_work: true,
            despite_secrets: false,
        }
    }
}

impl Sharing {
    /// What the link carries of the diff, once it is there.
    pub(crate) fn content(&self, state: &State) -> Option<Content> {
        let was_excerpt = state.input.origin == Origin::Link { excerpt: true };
        let diff = |text: &AttrValue, excerpt| Content::Diff {
            text: text.to_string(),
            excerpt,
        };
        match self.holding {
            Holding::Whole => Some(diff(&state.input.text, was_excerpt)),
            Holding::Excerpt => Some(diff(state.excerpt.as_ref()?, true)),
            Holding::Reference => reference(state).map(Content::Reference),
        }
    }

    /// The text that goes into the link.
    pub(crate) fn text<'a>(&self, state: &'a State) -> Option<&'a AttrValue> {
        match self.holding {
            Holding::Whole => Some(&state.input.text),
            Holding::Excerpt => state.excerpt.as_ref(),
            Holding::Reference => None,
        }
    }

    pub(crate) fn work(&self, state: &State) -> Work {
        match self.with_work {
            true => state.kept().work.without_versions(),
            false => Work::default(),
        }
    }
}

/// Where the diff on the page lies, if that is known.
pub(crate) fn reference(state: &State) -> Option<Reference> {
    let source = &state.found.as_deref()?.source;
    Some(Reference {
        repo: source.repo.clone()?,
        base: source.base.clone()?,
        head: source.head.clone()?,
        pull: source.pull,
    })
}
