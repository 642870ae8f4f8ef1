//! Functions and variables whose name promises a key.

use super::words::{word, words_of_tenant};
use super::{CHECK, is_mild, with_cause};
use crate::facts::{CacheProof, ExprId, Facts, Loss, Piece, ScopeId, Source, StmtKind};
use crate::rules::r06_cache_keys::stores::assigned_key;
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};
use report::Severity;

/// A function whose name promises a key or slug, and which returns a lossy one.
pub(super) fn lossy_helpers(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::Return(Some(value)) = facts.stmt(stmt).kind else {
            continue;
        };
        let scope = facts.stmt(stmt).scope;
        let is_identity = promises_identity(facts, scope);
        let promise = match promise(cx, scope) {
            Some(promise) => promise,
            None if is_identity => HitVerdict::Look,
            None => continue,
        };
        let part = facts.key_part(value, cx.profile);
        let Some((loss, at)) = part.real_loss() else {
            continue;
        };
        if promise == HitVerdict::Look && is_identity && loss != Loss::ShortDigest {
            continue;
        }
        let elsewhere = facts.stmt(facts.expr(at).stmt).scope != facts.stmt(stmt).scope;
        if is_mild(loss) || elsewhere || is_made_good(cx, facts.stmt(stmt).scope) {
            continue;
        }
        let anchor = Anchor::stmt(facts, stmt);
        let hit = Hit::new(
            &CHECK,
            anchor,
            cx.where_shared(promise),
            word(facts, loss, at, false),
        );
        out.hits.push(with_cause(facts, hit, at));
    }
}

/// Whether each function that is shown to call this one returns a digest beside its result.
fn is_made_good(cx: &Context<'_>, scope: ScopeId) -> bool {
    let facts = cx.facts;
    let mut calls = facts.calls_to(scope).peekable();
    calls.peek().is_some()
        && calls.all(|call| {
            facts
                .returns_of(call.scope())
                .any(|value| facts.key_part(value, cx.profile).has_digest)
        })
}

/// What a function's name promises: a key for certain, or a slug that the file uses as one.
fn promise(cx: &Context<'_>, scope: ScopeId) -> Option<HitVerdict> {
    let facts = cx.facts;
    let function = facts.function_of(scope)?;
    let name = facts.scope_name(function)?;
    let says = |phrase: &str| topic::says(name, phrase);
    if says("cache key") || says("cachekey") {
        return Some(HitVerdict::Violation);
    }
    let slugs = topic::has_word(name, "slug slugify sanitize sanitise");
    let of_id = cx.profile.keys.says_raw(name);
    let used = facts
        .calls_to(function)
        .any(|call| in_key_place(facts, call.id));
    match (slugs, used, of_id) {
        (true, true, _) => Some(HitVerdict::Violation),
        (true, false, true) => Some(HitVerdict::Look),
        _ => None,
    }
}

/// `_session_id`, `_hash`: what it returns stands for the whole of what it is given. A name that says short means it.
fn promises_identity(facts: &Facts, scope: ScopeId) -> bool {
    let function = facts.function_of(scope);
    let name = function.and_then(|function| facts.scope_name(function));
    let last = name.and_then(|name| topic::words(name).last());
    let is_identity = matches!(
        last.as_deref(),
        Some("id" | "hash" | "digest" | "fingerprint" | "key" | "signature")
    ) || (matches!(last.as_deref(), Some("name" | "path" | "object"))
        && is_of_store(facts, scope));
    let is_short = name.is_some_and(|name| {
        ["short", "brief", "log", "display", "color", "colour"]
            .iter()
            .any(|word| topic::says(name, word))
    });
    is_identity && !is_short
}

/// Whether the class around keeps things by name: `TranscriptStore`.
fn is_of_store(facts: &Facts, scope: ScopeId) -> bool {
    let class = facts.class_of(scope);
    let name = class.and_then(|class| facts.scope_name(class));
    name.is_some_and(|name| {
        topic::has_word(name, "store cache storage repository archive depot bucket")
    })
}

/// Whether a value becomes a key: in a function, class, argument or variable that says so.
fn in_key_place(facts: &Facts, id: ExprId) -> bool {
    let expr = facts.expr(id);
    let says_key = |name: &str| topic::ends_in_word(name, "key");
    let by_function = facts
        .function_name(expr.stmt)
        .is_some_and(|name| topic::says(name, "cache key") || name.starts_with("key_"));
    let by_callee = || {
        let mut at = expr.parent;
        while let Some(parent) = at {
            if facts.call(parent).is_some_and(|call| says_key(call.name())) {
                return true;
            }
            at = facts.expr(parent).parent;
        }
        false
    };
    let by_target = || match &facts.stmt(expr.stmt).kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(|&target| {
            facts
                .last_name(target)
                .is_some_and(|name| topic::says(name, "cache key"))
        }),
        _ => false,
    };
    by_function || by_callee() || by_target()
}

/// `cache_key = ...` that loses more than case.
pub(super) fn lossy_keys(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let Some(value) = assigned_key(facts, stmt) else {
            continue;
        };
        let part = facts.key_part(value, cx.profile);
        let Some((loss, at)) = part.real_loss() else {
            continue;
        };
        let elsewhere = facts.expr(at).stmt != stmt && calls_lossy_helper(facts, value);
        if is_mild(loss) || elsewhere || is_path_value(cx, value) {
            continue;
        }
        let of_tenant = names_tenant(facts, value) || names_entry_beside(cx, value);
        let verdict = match loss {
            Loss::Hash | Loss::ShortDigest | Loss::Truncated if !of_tenant => HitVerdict::Violation,
            _ => HitVerdict::Look,
        };
        let anchor = Anchor::stmt(facts, stmt);
        let mut words = word(facts, loss, at, false);
        if of_tenant {
            words = words_of_tenant(words);
        }
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
        if of_tenant {
            hit.severity = Some(Severity::Flag);
        }
        out.hits.push(with_cause(facts, hit, at));
    }
}

/// Whether a whole id stands beside the digest that was cut: `f"{image_id}:{digest[:12]}"`.
fn names_entry_beside(cx: &Context<'_>, value: ExprId) -> bool {
    let facts = cx.facts;
    let is_whole = |value: ExprId| {
        let part = facts.key_part(value, cx.profile);
        let says_id = || {
            let name = facts.last_name(value).unwrap_or("");
            topic::ends_in_word(name, "id uuid path url")
        };
        let is_raw = matches!(part.source, Source::Raw(_));
        (is_raw || says_id()) && part.loss.is_none() && !part.has_digest
    };
    let pieces = facts.pieces(value).unwrap_or_default();
    pieces.iter().any(|piece| match piece {
        Piece::Value(part) => is_whole(*part),
        Piece::Text(_) => false,
    })
}

/// Whether the key also holds whose entry it is: then a collision stays among the entries of one owner.
pub(super) fn names_tenant(facts: &Facts, value: ExprId) -> bool {
    let says = |name: &str| {
        [
            "tenant",
            "workspace",
            "api key",
            "user id",
            "user",
            "account",
            "project",
        ]
        .iter()
        .any(|owner| topic::says(name, owner))
    };
    let pieces = facts.pieces(value).unwrap_or_default();
    pieces.iter().any(|piece| match piece {
        Piece::Value(part) => facts.last_name(*part).is_some_and(says),
        Piece::Text(_) => false,
    })
}

/// A helper that is judged where it is defined.
fn calls_lossy_helper(facts: &Facts, value: ExprId) -> bool {
    facts.within(value).any(|id| {
        facts
            .call(id)
            .is_some_and(|call| facts.callee_scope(&call).is_some())
    })
}

fn is_path_value(cx: &Context<'_>, value: ExprId) -> bool {
    matches!(
        cx.facts.cache_proof(value, cx.profile),
        Some(CacheProof::Flows | CacheProof::Says)
    )
}
