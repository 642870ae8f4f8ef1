//! What a written review takes from elsewhere: the reviewer's choice of words, and the topic's.

use crate::finding::Severity;

/// The words of a review that is written for people.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// What a BLOCK is called.
    pub block: Gravity,
    /// The topic's title.
    pub title: &'static str,
    /// What to ask about the looks of a rule, 1 to 10.
    pub question: fn(u8) -> Option<Question>,
}

/// What a finding that must not be merged is called. The reviewer decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gravity {
    Critical,
    #[default]
    High,
}

/// A question to the author, and the answer that changes the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question, as a sentence.
    pub asks: &'static str,
    /// A clause that goes on from "if": then there is nothing to change.
    pub settled_if: &'static str,
}

impl Gravity {
    /// The word that readers of a review see.
    pub fn word(self) -> &'static str {
        match self {
            Gravity::Critical => "Critical",
            Gravity::High => "High",
        }
    }
}

impl Wording {
    /// What a finding of this severity is called.
    pub(super) fn grade(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Block => self.block.word(),
            Severity::Flag => "Medium",
            Severity::Nit => "Nit",
        }
    }
}
