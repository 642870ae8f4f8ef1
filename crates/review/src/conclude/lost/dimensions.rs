//! Parts that the change takes out of a key.
//!
//! What makes the value need not be shown: that somebody put the part into the key says that values differ by it. Where
//! a check sees the value being made, it stands, and this is silent.

use crate::conclude::seen::{Half, Seen};
use crate::facts::{ExprId, Facts, StmtId, StmtKind};
use crate::plan::Plan;
use crate::rules::{self, Anchor, Check, Context, Hit, HitVerdict, Others, Words};

const CHECK: &str = "key-misses-dimension";

/// Hits at the keys that have lost a part, on the new side of a file.
pub(super) fn lost(plan: &Plan, file: &Seen<'_>) -> Vec<Hit> {
    let (Some(old), Some(new)) = (&file.old, &file.new) else {
        return Vec::new();
    };
    let Some(check) = rules::checks().find(|check| check.id == CHECK) else {
        return Vec::new();
    };
    let told = |stmt: StmtId| {
        let mut sightings = new.sightings.iter();
        sightings.any(|one| one.hit.check.id == CHECK && one.hit.anchor.stmt == stmt)
    };
    let changed = new.changed.iter().map(|&(stmt, _)| stmt);
    changed
        .filter(|&stmt| !told(stmt))
        .filter_map(|stmt| {
            let (name, key) = key_of(new.facts, stmt)?;
            let before = former(old, new, stmt, name)?;
            let part = missing(plan, old.facts, before, new.facts, key)?;
            Some(hit(plan, new.facts, check, (stmt, key), &part))
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
    let mut deleted = old.changed.iter().map(|&(stmt, _)| stmt);
    let same = deleted.find_map(|before| {
        let (known, key) = key_of(old.facts, before)?;
        (known == name && old.scope_names(before) == scope).then_some(key)
    });
    // A function that is not shown may be another one.
    same.filter(|_| !scope.is_empty())
}

/// A part of the old key by which values differ, that nothing in the new one says.
fn missing(plan: &Plan, old: &Facts, before: ExprId, new: &Facts, key: ExprId) -> Option<String> {
    let kept = new.names_behind(key);
    let hides = kept.iter().any(|name| {
        topic::words(name).any(|word| {
            matches!(
                &*word,
                "key" | "hash" | "digest" | "args" | "kwargs" | "request" | "fingerprint"
            )
        })
    });
    let is_call = new.call(key).is_some() && new.pieces(key).is_none();
    if is_call || hides && !names_in(old, before).any(|name| kept.contains(&name)) {
        return None;
    }
    let tells = |name: &String| rules::tells_entries_apart(&plan.profile, name);
    let said = |name: &String| kept.iter().any(|kept| same_phrase(plan, name, kept));
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

fn same_phrase(plan: &Plan, one: &str, other: &str) -> bool {
    let of = |name: &str| rules::told_apart_by(&plan.profile, name);
    one == other || (of(one).is_some() && of(one) == of(other))
}

fn hit(
    plan: &Plan,
    facts: &Facts,
    check: &'static Check,
    (stmt, key): (StmtId, ExprId),
    part: &str,
) -> Hit {
    let context = Context {
        facts,
        others: Others::default(),
        profile: &plan.profile,
    };
    let words = Words::new(
        format!(
            "The change takes `{part}` out of the key `{}`.",
            facts.shown(key)
        ),
        "Somebody put it there so that entries with another one are told apart; now they are one, and whoever comes second gets what was made for the first.",
        format!("Is what is kept the same for each `{part}`? If not, leave it in the key."),
    );
    let verdict = context.where_shared(HitVerdict::Look);
    Hit::new(check, Anchor::stmt(facts, stmt), verdict, words)
}
