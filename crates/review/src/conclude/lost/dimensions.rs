//! Parts that the change takes out of a key.
//!
//! What makes the value need not be shown: that somebody put the part into the key says that values differ by it. Where
//! a check sees the value being made, it stands, and this is silent.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{ExprId, Facts, StmtId, StmtKind, tells_entries_apart, told_apart_by};
use crate::rules::{Anchor, Hit, HitVerdict, KEY_MISSES_DIMENSION, Words};
use topic::Profile;

/// Hits at the keys that have lost a part, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let is_told = |&stmt: &StmtId| sides.is_told(Told::By(KEY_MISSES_DIMENSION), stmt);
    new.changed_stmts()
        .filter(|stmt| !is_told(stmt))
        .filter_map(|stmt| {
            let (name, key) = key_of(new.facts, stmt)?;
            let before = former(old, new, stmt, name)?;
            let part = missing(sides, before, key)?;
            Some(Loss::gone(hit(sides, stmt, key, &part)))
        })
        .collect()
}

/// `key = f"..."`, `return f"..."` of `def cache_key(...)`: what it is called, and its value.
fn key_of(facts: &Facts, stmt: StmtId) -> Option<(&str, ExprId)> {
    let says_key = |name: &&str| topic::words(name).last().as_deref() == Some("key");
    let (name, value) = match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, value, .. } => {
            let [target] = targets[..] else {
                return None;
            };
            (facts.last_name(target), (*value)?)
        }
        StmtKind::Return(value) => (facts.function_name(stmt), (*value)?),
        _ => return None,
    };
    let is_plain = facts.string(value).is_none() && !topic::says(name?, "api key");
    Some((name.filter(says_key)?, value)).filter(|_| is_plain)
}

/// The deleted statement of the same function that made the key before.
fn former(old: &Half<'_>, new: &Half<'_>, stmt: StmtId, name: &str) -> Option<ExprId> {
    let scope = new.scope_names(stmt);
    let same = old.changed_stmts().find_map(|before| {
        let (known, key) = key_of(old.facts, before)?;
        (known == name && old.scope_names(before) == scope).then_some(key)
    });
    // A function that is not shown may be another one.
    same.filter(|_| !scope.is_empty())
}

/// A part of the old key by which values differ, that nothing in the new one says.
fn missing(sides: &Sides<'_>, before: ExprId, key: ExprId) -> Option<String> {
    let (old, new) = (sides.old.facts, sides.new.facts);
    let kept = new.names_behind(key);
    let hides = kept
        .iter()
        .any(|name| topic::has_word(name, "key hash digest args kwargs request fingerprint"));
    let is_call = new.call(key).is_some() && new.pieces(key).is_none();
    if is_call || hides && !names_in(old, before).any(|name| kept.contains(&name)) {
        return None;
    }
    let tells = |name: &String| tells_entries_apart(sides.profile, name);
    let said = |name: &String| {
        kept.iter()
            .any(|kept| same_phrase(sides.profile, name, kept))
    };
    let mut parts = names_in(old, before);
    parts.find(|name| tells(name) && !said(name))
}

/// The names that stand in the key itself.
fn names_in(facts: &Facts, key: ExprId) -> impl Iterator<Item = String> {
    let parts = facts.within(key).collect::<Vec<_>>().into_iter();
    parts.filter_map(|part| {
        let name = facts
            .name(part)
            .or_else(|| facts.attribute(part).map(|(_, name)| name));
        name.map(str::to_string)
    })
}

fn same_phrase(profile: &Profile, one: &str, other: &str) -> bool {
    let of = |name: &str| told_apart_by(profile, name);
    one == other || (of(one).is_some() && of(one) == of(other))
}

fn hit(sides: &Sides<'_>, stmt: StmtId, key: ExprId, part: &str) -> Hit {
    let facts = sides.new.facts;
    let words = Words::new(
        format!(
            "The change takes `{part}` out of the key `{}`.",
            facts.shown(key)
        ),
        "Somebody put it there so that entries with another one are told apart; now they are one, and whoever comes second gets what was made for the first.",
        format!("Is what is kept the same for each `{part}`? If not, leave it in the key."),
    );
    let verdict = sides.context().where_shared(HitVerdict::Look);
    let anchor = Anchor::stmt(facts, stmt);
    Hit::new(KEY_MISSES_DIMENSION, anchor, verdict, words)
}
