//! The review topic as data: when it applies, its checklist with a card for each rule,
//! what never blocks, and the names of the repository that is reviewed.
//!
//! Nothing here decides anything. A rule asks this crate which names count, and how two names are compared;
//! the page and the command print its texts. Both link it, so it holds no code that needs more than a glob matcher and a
//! reader of JSON.

mod cards;
mod model;
mod not_blocking;
mod pattern;
mod profile;
mod triggers;

pub use model::{
    KeyFile, NotBlocking, ReferencePull, RuleCard, Signal, SignalKind, Topic, TriggerGroup,
};
pub use pattern::{
    begins_with_word, ends_in_word, has_word, name_matches, path_matches, says, words,
};
pub use profile::{
    BUILTIN_PROFILE, Cache, Containers, Futures, Guard, Keys, LeakyConstructor, Locks, OnlyWith,
    Outage, PackageHelpers, Profile, ProfileError, Role, SharedHelper, TorchScript, Twin, Where,
};

/// The topic that this build reviews.
pub fn topic() -> &'static Topic {
    &TOPIC
}

static TOPIC: Topic = Topic {
    id: "concurrency-and-resource-safety",
    version: "1",
    title: "Concurrency, resources, artifacts and caches",
    groups: triggers::GROUPS,
    not_blocking: not_blocking::CONDITIONS,
    rules: cards::CARDS,
};

#[cfg(test)]
mod tests;
