//! A cache that all instances of a class share, keyed by less than what tells them apart.

use super::{CHECK, spells};
use crate::facts::{ExprId, Facts};
use crate::rules::r06_cache_keys::stores::{Store, composed_key};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Words};

pub(super) fn hit(cx: &Context<'_>, store: &Store) -> Option<Hit> {
    let owner = missing_owner(cx.facts, store)?;
    let words = word(cx.facts, store.key, &owner);
    let verdict = cx.where_shared(HitVerdict::Look);
    let anchor = Anchor::stmt(cx.facts, store.stmt);
    Some(Hit::new(&CHECK, anchor, verdict, words))
}

/// What tells instances apart, by the last words of the fields that hold it.
const OWNERS: &[&str] = &[
    "project",
    "project id",
    "tenant",
    "tenant id",
    "account",
    "account id",
    "organization",
    "namespace",
    "region",
    "bucket",
    "database",
    "api key",
    "workspace",
    "workspace id",
    "base url",
];

/// The field of this instance that a value is built with and its key leaves out, in a cache that all instances share.
fn missing_owner(facts: &Facts, store: &Store) -> Option<String> {
    if !store.is_of_class(facts) || is_made_out_of_sight(facts, store.key) {
        return None;
    }
    let mut key = facts.fields_behind(store.key);
    key.extend(facts.fields_behind(composed_key(facts, store.key)));
    let says = |name: &String| OWNERS.iter().any(|owner| ends_with(name, owner));
    let fields = facts.fields_behind(store.value);
    fields
        .into_iter()
        .filter(says)
        .find(|name| !key.contains(name))
}

/// Whether something that is not shown puts the key together.
fn is_made_out_of_sight(facts: &Facts, key: ExprId) -> bool {
    facts.values(key).into_iter().any(|value| {
        facts.call(value).is_some_and(|call| {
            facts.callee_scope(&call).is_none() && !spells(&call) && facts.pieces(value).is_none()
        })
    })
}

/// Whether a name is this phrase, or ends with it.
fn ends_with(name: &str, phrase: &str) -> bool {
    let words: Vec<_> = topic::words(name).collect();
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let from = words.len().checked_sub(phrase.len());
    from.and_then(|from| words.get(from..))
        .is_some_and(|last| last == phrase)
}

fn word(facts: &Facts, key: ExprId, owner: &str) -> Words {
    let key = facts.expr_text(key);
    Words::new(
        format!(
            "All instances share this cache, and its key `{key}` does not hold their `{owner}`."
        ),
        "The value is built with it: an instance with another one finds the entry of the first, or overwrites it under its feet.",
        format!(
            "Can two instances with different `{owner}` live in one process? Then put it into the key, or make the cache in the constructor."
        ),
    )
}
