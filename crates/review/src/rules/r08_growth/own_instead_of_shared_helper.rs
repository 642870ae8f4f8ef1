//! A bounded cache as a class of one's own, where the package has one.

use crate::facts::{Call, ExprKind, Facts, ScopeId, ScopeKind};
use crate::rules::{Check, Context, HitVerdict, Outcome, own_helper};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: own_helper::ID,
    rule: 8,
    severity: Severity::Flag,
    references: &[],
    summary: "A class that keeps the last used entries, where the package has a bounded cache to share.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let Some(helper) = own_helper::helper(cx, Role::BoundedCache) else {
        return;
    };
    let facts = cx.facts;
    let classes = facts.scope_ids().filter(|&scope| {
        facts.scope(scope).kind == ScopeKind::Class && facts.canonical(scope) == scope
    });
    for class in classes.filter(|&class| is_map(facts, class)) {
        let evicts = facts
            .calls_of_class(class)
            .find(|call| evicts_oldest(facts, call));
        let hit = evicts.and_then(|call| {
            let place = (class, call.stmt());
            own_helper::hit(cx, &CHECK, place, helper, HitVerdict::Violation)
        });
        out.hits.extend(hit);
    }
}

/// A class with no more to it than entries by one key: expiry and keys in two levels are more.
fn is_map(facts: &Facts, class: ScopeId) -> bool {
    let has = |names: &[&str]| {
        let mut methods = names.iter().filter_map(|name| facts.method(class, name));
        methods.any(|method| facts.scope(method).params.len() <= 3)
    };
    let says_more = |method: ScopeId| own_helper::says(facts, method, &["expire", "ttl", "stale"]);
    let public = facts.methods(class).filter(|&method| {
        facts
            .scope_name(method)
            .is_some_and(|name| !name.starts_with('_'))
    });
    has(&["get", "__getitem__"])
        && has(&["set", "put", "add", "__setitem__"])
        && public.count() <= 6
        && !facts.methods(class).any(says_more)
}

/// `self._entries.popitem(last=False)`: what an ordered dict has for "the oldest goes".
fn evicts_oldest(facts: &Facts, call: &Call<'_>) -> bool {
    let oldest = call
        .keyword("last")
        .is_some_and(|value| matches!(facts.expr(value).kind, ExprKind::False));
    let on_self = call.receiver().is_some_and(|receiver| {
        facts.self_attribute(receiver).is_some() || facts.name(receiver) == Some("self")
    });
    call.method() == Some("popitem") && oldest && on_self
}
