//! Functions whose results a decorator keeps by their arguments, and that read more than their arguments.

use super::CHECK;
use super::ambient::reads_itself;
use super::decorated::keeps_results;
use crate::facts::{Call, ExprId, ExprKind, Facts, ScopeId, ScopeKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for function in facts.scope_ids() {
        if facts.scope(function).kind != ScopeKind::Function {
            continue;
        }
        let mut decorators = facts.decorators(function).iter().copied();
        let Some(decorator) = decorators.find(|&decorator| keeps_by_arguments(facts, decorator))
        else {
            continue;
        };
        if let Some(read) = read_besides(facts, function) {
            out.hits.push(hit(cx, function, decorator, read));
        }
    }
}

/// `@lru_cache`, `@cache.cached(timeout=60)`, with no key of its own.
fn keeps_by_arguments(facts: &Facts, decorator: ExprId) -> bool {
    let keyed = |call: &Call<'_>| {
        let names = [
            "key",
            "key_builder",
            "make_cache_key",
            "key_prefix",
            "unless",
            "query_string",
            "keyfunc",
            "key_func",
            "function_key_generator",
            "make_name",
        ];
        call.has_splat() || names.iter().any(|name| call.keyword(name).is_some())
    };
    let resolved = |id: ExprId| facts.resolved(id).unwrap_or_default();
    match facts.call(decorator) {
        Some(call) => {
            let keeps = keeps_results(&call) || call.name().ends_with("lru_cache");
            keeps && !keyed(&call) && !resolved(call.function).contains("cache_page")
        }
        None => matches!(
            &*resolved(decorator),
            "functools.lru_cache" | "functools.cache" | "async_lru.alru_cache"
        ),
    }
}

/// Where the function reads who asks, or in which language, and works with it. A parameter of it is in the key.
fn read_besides(facts: &Facts, function: ScopeId) -> Option<ExprId> {
    let span = facts.scope(function).span;
    let mut inside = facts
        .exprs_within(span)
        .filter(|&id| facts.expr(id).scope == function);
    inside.find(|&id| {
        let is_read = matches!(
            facts.expr(id).kind,
            ExprKind::Call { .. } | ExprKind::Attribute { .. }
        );
        is_read
            && reads_itself(facts, id)
            && !starts_with_parameter(facts, id)
            && !facts.is_only_told(id)
    })
}

fn starts_with_parameter(facts: &Facts, id: ExprId) -> bool {
    match &facts.expr(id).kind {
        ExprKind::Attribute { object, .. } => starts_with_parameter(facts, *object),
        ExprKind::Call { function, .. } => starts_with_parameter(facts, *function),
        _ => !facts.lookup(id).is_empty() && facts.parameter(id).is_some(),
    }
}

fn hit(cx: &Context<'_>, function: ScopeId, decorator: ExprId, read: ExprId) -> Hit {
    let facts = cx.facts;
    let name = facts.scope_name(function).unwrap_or("the function");
    let at = |id: ExprId| Anchor::expr(facts, id);
    let shown = facts.shown(read);
    let words = Words::new(
        format!("What `{name}` returns is kept by its arguments, and it reads `{shown}` too."),
        "Whoever asks next, with another tenant, user or language, gets what was made for the first.",
        format!(
            "Does the result differ by `{shown}`? Then hand it in as an argument, or keep the result by a key that holds it."
        ),
    );
    // Where only the reading is new, that is the line to look at.
    let anchor = at(decorator).or_where_changed(facts, at(read));
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
    hit.causes.push(facts.expr(read).span);
    hit.causes.push(facts.expr(decorator).span);
    hit.with_related(facts.expr(read).span, "read here")
}
