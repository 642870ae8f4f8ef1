//! Where a fetched text comes from. What the page keeps of a review is keyed by it.

use super::State;
use crate::github::{Target, address::is_sha};
use crate::input::Origin;
use report::Source;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A pull request, commit or comparison as it was when the page fetched it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fetched {
    pub(crate) target: Target,
    /// `owner/name` of the repository that takes the change.
    pub(crate) repo: String,
    pub(crate) pull: Option<u32>,
    /// Commit before the change; none for the first commit of a repository.
    pub(crate) base: Option<String>,
    /// Commit with the change.
    pub(crate) head: String,
    /// `owner/name` of the repository that holds the head: a fork, or `repo` itself.
    pub(crate) head_repo: String,
    /// Of the pull request, or the first line of a commit's message. May be empty.
    pub(crate) title: String,
    /// What GitHub did not give, a sentence each.
    pub(crate) left_out: Vec<String>,
    /// Paths of files that it listed without their lines: too large, or binary.
    pub(crate) without_patch: Vec<String>,
}

impl Fetched {
    /// Of that change, with nothing known about it yet.
    pub(crate) fn new(target: &Target) -> Self {
        let repo = target.repo().to_owned();
        Fetched {
            target: target.clone(),
            head_repo: repo.clone(),
            repo,
            pull: None,
            base: None,
            head: String::new(),
            title: String::new(),
            left_out: Vec::new(),
            without_patch: Vec::new(),
        }
    }

    /// What may have moved on since: the pull request, or a comparison by the name of a branch. A commit never does.
    pub(crate) fn moving(&self) -> Option<Target> {
        if let Some(number) = self.pull {
            let repo = self.repo.clone();
            return Some(Target::Pull { repo, number });
        }
        match &self.target {
            Target::Compare { head, .. } if !is_sha(head) => Some(self.target.clone()),
            _ => None,
        }
    }

    /// Whether the other is of the same change at the same commit.
    pub(crate) fn is_as_before(&self, other: &Fetched) -> bool {
        self.repo == other.repo && self.pull == other.pull && self.head == other.head
    }

    /// What the report says about it.
    pub(crate) fn source(&self) -> Source {
        Source {
            repo: Some(self.repo.clone()),
            pull: self.pull,
            base: self.base.clone(),
            head: Some(self.head.clone()),
        }
    }
}

impl State {
    /// The change that the present text was fetched from, as long as nobody edited it.
    pub(crate) fn fetched(&self) -> Option<&Rc<Fetched>> {
        match &self.input.origin {
            Origin::GitHub(fetched) => Some(fetched),
            _ => None,
        }
    }
}
