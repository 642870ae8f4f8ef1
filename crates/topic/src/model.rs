//! The shapes of the topic's data.

use report::Severity;
use report::export::{Gravity, Question, Wording};

/// One review topic.
#[derive(Debug)]
pub struct Topic {
    pub id: &'static str,
    /// Raised whenever a text or a name here changes what a review says.
    pub version: &'static str,
    pub title: &'static str,
    pub groups: [TriggerGroup; 5],
    pub not_blocking: [NotBlocking; 4],
    /// In checklist order, R1 to R10.
    pub rules: [RuleCard; 10],
}

impl Topic {
    /// The card of rule `number`, 1 to 10.
    pub fn rule(&self, number: u8) -> Option<&RuleCard> {
        self.rules.iter().find(|card| card.number == number)
    }

    /// The card with this checklist id, `R1` to `R10`, in either case.
    pub fn rule_by_id(&self, id: &str) -> Option<&RuleCard> {
        self.rules
            .iter()
            .find(|card| card.id.eq_ignore_ascii_case(id))
    }

    /// The words of a written review, with what the reviewer calls a BLOCK.
    pub fn wording(&'static self, block: Gravity) -> Wording {
        Wording {
            block,
            title: self.title,
            question: |rule| {
                let card = crate::topic().rule(rule)?;
                Some(Question {
                    asks: card.asks,
                    settled_if: card.settled_if,
                })
            },
        }
    }

    /// The trigger group with this id.
    pub fn group(&self, id: &str) -> Option<&TriggerGroup> {
        self.groups.iter().find(|group| group.id == id)
    }
}

/// One kind of content that makes the topic matter.
#[derive(Debug)]
pub struct TriggerGroup {
    /// Kebab-case.
    pub id: &'static str,
    pub title: &'static str,
    /// Any of these in a changed line of code triggers.
    pub signals: &'static [Signal],
    /// Globs of paths where this content usually lives. A path alone never triggers.
    pub path_hints: &'static [&'static str],
}

/// A name that triggers, and what kind of name it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    pub kind: SignalKind,
    /// Compared by [`crate::says`] where the kind is `Word`, else by [`crate::name_matches`].
    pub pattern: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignalKind {
    /// The callee of a call or of a decorator, resolved through imports.
    Call,
    /// What an import statement brings in. One that only moved is no signal.
    Import,
    /// A whole identifier: variable, attribute, parameter or keyword argument, of a read or a definition.
    Name,
    /// Whole words of an identifier, as `lock` is one of `state_lock` and none of `clock`. Imports do not count.
    Word,
}

/// One line of the checklist with all that a reviewer can read about it.
#[derive(Debug)]
pub struct RuleCard {
    /// 1 to 10.
    pub number: u8,
    /// `R1` to `R10`.
    pub id: &'static str,
    /// The rule's own; a check may carry its own.
    pub severity: Severity,
    /// The checklist line.
    pub title: &'static str,
    /// What the rule asks for.
    pub what: &'static str,
    /// What happens where it is broken.
    pub why: &'static str,
    /// What to ask the author about a look, as a sentence.
    pub asks: &'static str,
    /// The answer that settles the look, as a clause that goes on from "if": then there is nothing to change.
    pub settled_if: &'static str,
    /// When it does not matter, or is already met.
    pub safe: &'static [&'static str],
    /// Python that breaks the rule. Reviewed as a new file, a check of this rule fires.
    pub bad: &'static str,
    /// The same, mended. Reviewed as a new file, no check of this rule fires.
    pub good: &'static str,
    pub key_files: &'static [KeyFile],
    pub references: &'static [ReferencePull],
}

impl RuleCard {
    /// The pull requests to name at a finding of `check`: those of the whole rule, and those of this very check.
    pub fn references_of(&self, check: &str) -> Vec<u32> {
        self.references
            .iter()
            .filter(|pull| pull.checks.is_empty() || pull.checks.contains(&check))
            .map(|pull| pull.number)
            .collect()
    }
}

impl KeyFile {
    /// Its address.
    pub fn url(&self) -> String {
        report::export::key_file_url(self.path)
    }
}

/// A file of the reviewed repository that shows how the rule is met there.
#[derive(Debug)]
pub struct KeyFile {
    pub path: &'static str,
    /// What to see in it.
    pub shows: &'static str,
}

/// A pull request that the rule was learned from.
#[derive(Debug)]
pub struct ReferencePull {
    pub number: u32,
    pub title: &'static str,
    /// The checks that it is about; empty where it is about the whole rule.
    pub checks: &'static [&'static str],
}

impl ReferencePull {
    /// Its address.
    pub fn url(&self) -> String {
        report::export::pull_url(self.number)
    }
}

/// A condition under which a matched pattern is no reason to hold a change up.
#[derive(Debug)]
pub struct NotBlocking {
    /// Kebab-case.
    pub id: &'static str,
    /// The rules that it can excuse.
    pub rules: &'static [u8],
    pub title: &'static str,
    pub text: &'static str,
}
