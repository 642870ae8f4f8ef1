//! A value that is made for the user of a request, under a key that knows nothing of users.

use super::holds_everything;
use crate::facts::{ExprId, Facts, says_owner};
use crate::rules::r06_cache_keys::stores::{Store, composed_key};

/// `request.user` in what the value is made of, as it is written there.
pub(super) fn missing(facts: &Facts, store: &Store) -> Option<String> {
    let mut key = facts.names_behind(store.key);
    key.extend(facts.names_behind(composed_key(facts, store.key)));
    let knows = |id: ExprId| facts.last_name(id).is_some_and(tells);
    let told = key.iter().any(|name| tells(name)) || parts(facts, store.key).any(knows);
    if told || holds_everything(facts, store.key, &key) {
        return None;
    }
    let user = parts(facts, store.value).find(|&id| is_user(facts, id))?;
    facts.dotted(user)
}

fn is_user(facts: &Facts, id: ExprId) -> bool {
    facts
        .attribute(id)
        .is_some_and(|(object, name)| name == "user" && facts.last_name(object) == Some("request"))
}

fn tells(name: &str) -> bool {
    says_owner(name)
        || ["username", "session", "email", "owner"]
            .iter()
            .any(|word| topic::says(name, word))
}

/// All expressions that a value is made of.
fn parts(facts: &Facts, value: ExprId) -> impl Iterator<Item = ExprId> + '_ {
    let values = facts.values(value).into_iter().chain([value]);
    values.flat_map(|value| facts.within(value))
}
