//! What a value is worth as a part of a path or of a key: where it comes from, and what of it gets lost on the way.

mod calls;
mod cuts;
mod declared;
mod decorators;
mod dimensions;
mod forms;
mod validation;
mod walk;

pub(crate) use dimensions::{says_owner, tells_entries_apart, told_apart_by};

use super::Facts;
use super::hir::*;
use std::cell::Cell;
use topic::Profile;
use walk::{DEPTH, STEPS, Walk};

/// A value as a part of a path or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyPart {
    pub(crate) source: Source,
    /// The first step that makes two values equal which were not.
    pub(crate) loss: Option<(Loss, ExprId)>,
    /// A digest of an identity is in it: what else was lost does not matter.
    pub(crate) has_digest: bool,
}

/// Where a part comes from. Ordered: the most dangerous last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Constant,
    /// A digest, a number, a name made by a helper.
    Safe,
    /// From outside, but what is dangerous in a path was taken out or refused.
    Checked,
    Unknown,
    /// From outside, as it came; the name that says so.
    Raw(ExprId),
}

/// How a value loses what tells it from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// `replace("/", "_")`, `re.sub(...)`: different characters become one.
    Replaced,
    /// Only the last component stays.
    Basename,
    Truncated,
    /// Fewer than sixteen hex digits of a digest.
    ShortDigest,
    /// `hash()`: 64 bits that differ from process to process.
    Hash,
    /// `str()` of a container: its order and spelling.
    Text,
    LowerCased,
}

impl Facts {
    /// What an expression is worth as a part of a path or key.
    pub(crate) fn key_part(&self, id: ExprId, profile: &Profile) -> KeyPart {
        let walk = Walk {
            facts: self,
            profile,
            steps: &Cell::new(STEPS),
        };
        walk.formatted(id, walk.part(id, DEPTH))
    }

    /// `link.filename` is the last part of an address, behind its last slash.
    pub(crate) fn is_end_of_link(&self, id: ExprId) -> bool {
        self.attribute(id)
            .is_some_and(|(object, _)| self.last_name(object) == Some("link"))
    }
}

impl KeyPart {
    pub(super) fn of(source: Source) -> KeyPart {
        KeyPart {
            source,
            loss: None,
            has_digest: false,
        }
    }

    /// What another file made of it, as seen from the call.
    pub(super) fn seen_at(self, call: ExprId) -> KeyPart {
        KeyPart {
            source: match self.source {
                Source::Raw(_) => Source::Raw(call),
                source => source,
            },
            loss: self.loss.map(|(loss, _)| (loss, call)),
            ..self
        }
    }

    pub(super) fn losing(self, loss: Loss, at: ExprId) -> KeyPart {
        // The last component of a name that a helper made is not the name.
        let counts = self.source > Source::Safe
            || (self.source == Source::Safe && loss == Loss::Basename && !self.has_digest);
        let loss = self.loss.or(counts.then_some((loss, at)));
        KeyPart { loss, ..self }
    }

    /// What was dangerous in a path is gone.
    pub(super) fn checked(self) -> KeyPart {
        KeyPart {
            source: match self.source {
                Source::Raw(_) | Source::Unknown => Source::Checked,
                source => source,
            },
            ..self
        }
    }

    pub(super) fn digest() -> KeyPart {
        KeyPart {
            has_digest: true,
            ..KeyPart::of(Source::Safe)
        }
    }

    /// Both are in it.
    pub(super) fn and(self, other: KeyPart) -> KeyPart {
        KeyPart {
            source: self.source.max(other.source),
            loss: self.loss.or(other.loss),
            has_digest: self.has_digest || other.has_digest,
        }
    }

    /// Either is it. A digest on one way speaks for the other: long ids are hashed, short ones stay readable.
    pub(super) fn or(self, other: KeyPart) -> KeyPart {
        self.and(other)
    }

    /// Either, by how many components there are: the last one alone is all that a short id has.
    pub(super) fn or_of_few(self, other: KeyPart) -> KeyPart {
        let takes_last = |part: &KeyPart| matches!(part.loss, Some((Loss::Basename, _)));
        let falls_back = (takes_last(&self) && other.loss.is_none())
            || (takes_last(&other) && self.loss.is_none());
        let either = self.or(other);
        match falls_back {
            true => KeyPart {
                loss: None,
                ..either
            },
            false => either,
        }
    }

    /// The loss that counts.
    pub(crate) fn real_loss(self) -> Option<(Loss, ExprId)> {
        self.loss.filter(|_| !self.has_digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_of;

    fn part_of(text: &str) -> KeyPart {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "use").unwrap();
        facts.key_part(call.positional(0).unwrap(), &Profile::builtin())
    }

    #[test]
    fn ids_are_raw_until_they_are_checked() {
        let part = part_of("def f(model_id):\n    use(f'{model_id}.json')\n");
        assert!(matches!(part.source, Source::Raw(_)));
        let part = part_of(
            "def f(model_id):\n    if not PATTERN.fullmatch(model_id):\n        raise ValueError\n    use(model_id)\n",
        );
        assert_eq!(part.source, Source::Checked);
        let part = part_of(
            "def f(model_id):\n    if not model_id:\n        raise ValueError\n    use(model_id)\n",
        );
        assert!(matches!(part.source, Source::Raw(_)));
        let part = part_of("def f(user_id: int):\n    use(user_id)\n");
        assert_eq!(part.source, Source::Safe);
    }

    #[test]
    fn losses_are_found_through_helpers() {
        let part = part_of(
            "def slug(model_id):\n    return model_id.replace('/', '_')\ndef f(model_id):\n    use(slug(model_id))\n",
        );
        assert!(matches!(part.real_loss(), Some((Loss::Replaced, _))));
        let part = part_of("def f(model_id):\n    use(model_id[:40])\n");
        assert!(matches!(part.real_loss(), Some((Loss::Truncated, _))));
    }

    #[test]
    fn a_digest_of_sixteen_digits_keeps_identity() {
        let text = |digits: u32| {
            format!(
                "import hashlib\nN = {digits}\ndef f(model_id):\n    d = hashlib.sha256(model_id.encode()).hexdigest()[:N]\n    use(f'{{model_id[:8].lower()}}-{{d}}')\n"
            )
        };
        assert_eq!(part_of(&text(16)).real_loss(), None);
        assert!(part_of(&text(8)).real_loss().is_some());
    }
}
