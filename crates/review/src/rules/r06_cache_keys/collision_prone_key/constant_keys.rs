//! One literal key for objects that have an identity.

use super::CHECK;
use super::words::word_of_constant;
use crate::facts::{ExprId, Facts, ScopeId};
use crate::rules::r06_cache_keys::stores::stores;
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};

/// A literal key in a store that was handed in, by an object that holds a tenant, api key or id: all of its like share it.
pub(super) fn constant_keys(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for store in stores(facts) {
        let Some(literal) = literal(facts, store.key) else {
            continue;
        };
        let owner = facts.class_of(facts.stmt(store.stmt).scope);
        let Some(identity) = owner.and_then(|class| identity_of(cx, class)) else {
            continue;
        };
        if seen.contains(&literal) || !store.is_injected(facts) {
            continue;
        }
        seen.push(literal);
        let anchor = Anchor::expr(facts, literal);
        let words = word_of_constant(facts, literal, &identity);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
        hit.causes.push(facts.stmt(store.stmt).head);
        out.hits
            .push(hit.with_related(facts.stmt(store.stmt).head, "stored under it here"));
    }
}

/// `"usage"`, or a constant like `LAST_REPORT_KEY` whose text is not shown.
fn literal(facts: &Facts, key: ExprId) -> Option<ExprId> {
    match facts.values(key).into_iter().next() {
        Some(value) if facts.string(value).is_some() => Some(value),
        _ => Some(key).filter(|&key| facts.name(key).is_some() && facts.is_constant_name(key)),
    }
}

/// The attribute that tells two instances of a class apart.
fn identity_of(cx: &Context<'_>, class: ScopeId) -> Option<String> {
    let facts = cx.facts;
    let says = |name: &str| {
        ["tenant", "api key", "workspace", "user id", "session id"]
            .iter()
            .any(|phrase| topic::says(name, phrase))
    };
    facts.expr_ids().find_map(|id| {
        let name = facts.self_attribute(id).filter(|name| says(name))?;
        let own = facts.class_of(facts.expr(id).scope) == Some(class);
        own.then(|| name.to_string())
    })
}
