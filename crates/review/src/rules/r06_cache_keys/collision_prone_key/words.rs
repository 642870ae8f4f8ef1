//! What the check says.

use crate::facts::{ExprId, Facts, Loss};
use crate::rules::Words;

pub(super) fn word(facts: &Facts, loss: Loss, at: ExprId, is_lock: bool) -> Words {
    let text = short(facts.expr_text(at));
    let message = match loss {
        Loss::Replaced => format!("`{text}` makes different ids the same name."),
        Loss::Basename => format!("`{text}` keeps only the last component of the id."),
        Loss::Truncated => format!("`{text}` cuts the id off."),
        Loss::ShortDigest => format!("`{text}` keeps too few digits of the digest."),
        Loss::Hash => {
            format!("`{text}` is no stable name: its result differs from process to process.")
        }
        Loss::Text => {
            format!("`{text}` spells a container, whose order and spelling are not fixed.")
        }
        Loss::LowerCased => format!("`{text}` makes ids that differ in case the same name."),
    };
    let why = match (is_lock, loss) {
        (true, _) => "Workers that use different entries wait for each other under one lock file.",
        (_, Loss::Hash) => {
            "Python salts `hash()` of strings anew in each process, so that workers never find each other's entries; and 64 bits of it are no identity."
        }
        (_, Loss::Text) => {
            "Equal contents get different keys and never hit, or the text grows past any limit."
        }
        _ => {
            "The second id then reads, overwrites or deletes the entry of the first one: a wrong model or another tenant's data, with no error."
        }
    };
    let ask = if is_lock {
        "Can two entries share this name? Add a digest of the full id to the lock's name."
    } else {
        "Add a digest of the full identity (sha256, at least 16 hex digits) to the name; the readable part may stay."
    };
    Words::new(message, why, ask)
}

/// The same where the key says whose entry it is.
pub(super) fn words_of_tenant(words: Words) -> Words {
    Words {
        why: "Two ids of one owner can meet: the second then gets the entry of the first.".to_string(),
        ask: "Does it matter which of the two entries is found? Then take at least 16 hex digits of the digest.".to_string(),
        ..words
    }
}

pub(super) fn word_of_constant(facts: &Facts, key: ExprId, identity: &str) -> Words {
    let key = short(facts.expr_text(key));
    Words::new(
        format!("`{key}` is the same key for each object, whatever its `{identity}`."),
        "The store was handed in, so that other objects use it too: they read and overwrite one another's value.",
        format!(
            "Is the store shared between objects with another `{identity}`? Then put it (a secret: its digest) into the key."
        ),
    )
}

/// The first line of an expression, shortened: it stands inside a sentence.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= 60 && line.len() == text.len() {
        return line.to_string();
    }
    let head: String = line.chars().take(57).collect();
    format!("{head}...")
}
