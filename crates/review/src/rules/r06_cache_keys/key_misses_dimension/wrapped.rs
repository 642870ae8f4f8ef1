//! Wrappers of a decorator that keep what the wrapped function answers, by a key that does not say for whom.

use super::hit_of;
use crate::facts::{Call, ExprId, Facts, ScopeId, says_owner};
use crate::rules::r06_cache_keys::stores::{Store, composed_key, stores};
use crate::rules::{Context, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for store in stores(facts) {
        let Some(owner) = answer_of_wrapped(facts, &store)
            .and_then(|decorator| owner_read(facts, decorator))
            .filter(|_| !says_whole(facts, store.key))
        else {
            continue;
        };
        let words = word(facts, store.key, owner);
        out.hits.push(hit_of(cx, &store, words).with_related(
            facts.expr(owner).span,
            "the wrapped function answers by it here",
        ));
    }
}

/// The outermost function of the decorator, where the kept value is what the wrapped function returned.
fn answer_of_wrapped(facts: &Facts, store: &Store) -> Option<ScopeId> {
    let inner = facts.function_of(facts.stmt(store.stmt).scope)?;
    let calls = facts.values(store.value).into_iter();
    let mut calls = calls.filter_map(|value| facts.awaited_call(value));
    let of_outer = |call: &Call<'_>| {
        facts
            .parameter(call.function)
            .is_some_and(|(function, _)| function != inner)
    };
    calls.find(of_outer)?;
    let mut outermost = facts.function_of(facts.scope(inner).parent?)?;
    while let Some(around) = facts
        .scope(outermost)
        .parent
        .and_then(|up| facts.function_of(up))
    {
        outermost = around;
    }
    Some(outermost)
}

/// Where a function of the file that is wrapped so reads whose request it is, and works with it.
fn owner_read(facts: &Facts, decorator: ScopeId) -> Option<ExprId> {
    let is_it = |&id: &ExprId| {
        let target = facts.call(id).map_or(id, |call| call.function);
        facts.definition(target) == Some(decorator)
    };
    let wrapped = facts
        .scope_ids()
        .filter(|&scope| facts.decorators(scope).iter().any(is_it));
    wrapped
        .flat_map(|function| facts.exprs_within(facts.scope(function).span))
        .find(|&id| is_owner_of_request(facts, id) && !facts.is_only_told(id))
}

/// `request.state.tenant_id`, `request.user`.
fn is_owner_of_request(facts: &Facts, id: ExprId) -> bool {
    let Some((object, name)) = facts.attribute(id) else {
        return false;
    };
    let of_request = facts
        .dotted(object)
        .is_some_and(|chain| chain.split('.').next() == Some("request"));
    of_request && says_owner(name)
}

/// A key that names the owner, holds all arguments, or is made where it is not shown.
fn says_whole(facts: &Facts, key: ExprId) -> bool {
    let mut names = facts.names_behind(key);
    names.extend(facts.names_behind(composed_key(facts, key)));
    let all = |name: &String| {
        says_owner(name)
            || topic::has_word(
                name,
                "args kwargs headers authorization cookies session hash digest builder",
            )
    };
    let hidden = facts.values(key).into_iter().any(|value| {
        let call = facts.call(value);
        call.is_some_and(|call| {
            facts.callee_scope(&call).is_none() && facts.pieces(value).is_none()
        })
    });
    hidden || facts.parameter(key).is_some() || names.iter().any(all)
}

fn word(facts: &Facts, key: ExprId, owner: ExprId) -> Words {
    let (key, owner) = (facts.expr_text(key), facts.shown(owner));
    Words::new(
        format!("The key `{key}` does not say for whom, and what is kept answers by `{owner}`."),
        "Who asks next with the same path and arguments gets the answer that was made for somebody else.",
        format!(
            "Does the path already tell them apart? If not, put `{owner}` into the key, or do not keep this answer."
        ),
    )
}
