//! The value depends on something that its key leaves out.

mod ambient;
mod decorated;
mod inputs;
mod kept;
mod owners;
mod settings;
mod users;
mod wrapped;

use super::stores::{Store, composed_key, pooled, stored_by_parts, stores};
use crate::facts::{
    BindingKind, Call, ExprId, ExprKind, Facts, ScopeId, says_owner, told_apart_by,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;
use std::slice;

pub(super) const CHECK: Check = Check {
    id: "key-misses-dimension",
    rule: 6,
    severity: Severity::Flag,
    references: &[],
    summary: "A cached value depends on a tenant, key, version, dtype or device that its cache key leaves out.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    decorated::detect(cx, out);
    kept::detect(cx, out);
    wrapped::detect(cx, out);
    for store in stores(cx.facts) {
        let missing = missing(cx, &store)
            .or_else(|| inputs::missing(cx.facts, &store))
            .or_else(|| users::missing(cx.facts, &store));
        if let Some(missing) = missing {
            out.hits.push(hit(cx, &store, &missing));
        } else {
            out.hits.extend(owners::hit(cx, &store));
        }
    }
    settings::detect(cx, out);
    let others = pooled(cx.facts).into_iter();
    for store in others.chain(stored_by_parts(cx.facts)) {
        if let Some(missing) = missing(cx, &store) {
            out.hits.push(hit(cx, &store, &missing));
        }
    }
}

fn dimension<'a>(cx: &Context<'a>, name: &str) -> Option<&'a str> {
    told_apart_by(cx.profile, name)
}

/// The name of a dimension in what builds the value that the key does not hold.
fn missing(cx: &Context<'_>, store: &Store) -> Option<String> {
    let facts = cx.facts;
    let parts = parts(facts, store);
    let mut key: Vec<String> = parts
        .iter()
        .flat_map(|&part| facts.names_behind(part))
        .collect();
    key.extend(facts.names_behind(composed_key(facts, store.key)));
    // A key that was handed in is composed where it is not shown; a part of one is only itself.
    let given = matches!(parts, [whole] if facts.parameter(*whole).is_some());
    if given
        || parts
            .iter()
            .any(|&part| holds_everything(facts, part, &key))
    {
        return None;
    }
    let in_key = |phrase: &str| key.iter().any(|name| dimension(cx, name) == Some(phrase));
    let function = facts.function_of(facts.stmt(store.stmt).scope)?;
    let missing = built_with(facts, function, store)
        .into_iter()
        .filter(|name| {
            dimension(cx, name).is_some_and(|phrase| !in_key(phrase))
                && (is_input(facts, function, name, store)
                    || ambient::is_ambient(facts, function, name, store))
        });
    // Whose value it is weighs more than what it is like.
    missing.min_by_key(|name| !says_owner(name))
}

/// What the brackets of the store hold: of `cache[height, width]` both.
fn parts<'f>(facts: &'f Facts, store: &'f Store) -> &'f [ExprId] {
    let around = facts.expr(store.key).parent.map(|id| &facts.expr(id).kind);
    match around {
        Some(ExprKind::Subscript { index, .. }) if index.contains(&store.key) => index,
        _ => slice::from_ref(&store.key),
    }
}

/// The names that the value is made of, those of a nested function that makes it included.
fn built_with(facts: &Facts, function: ScopeId, store: &Store) -> Vec<String> {
    let mut names = facts.names_behind(store.value);
    let nested: Vec<ScopeId> = names
        .iter()
        .flat_map(|name| facts.bindings_of(function, name))
        .filter_map(|binding| match binding.kind {
            BindingKind::Definition(scope) => Some(scope),
            _ => None,
        })
        .collect();
    let inner = nested
        .into_iter()
        .flat_map(|scope| facts.calls_of(scope))
        .flat_map(|call| call.args.iter().map(|arg| arg.value))
        .flat_map(|value| facts.names_behind(value));
    names.extend(inner);
    names
}

/// A key made of a whole object or of a digest of something that is not shown can hold anything.
fn holds_everything(facts: &Facts, key: ExprId, names: &[String]) -> bool {
    let opaque = facts.values(key).into_iter().any(|value| {
        facts.call(value).is_some_and(|call| {
            let is_known =
                facts.callee_scope(&call).is_some() || spells(&call) || digests_shown(facts, value);
            call.has_splat() || (!is_known && facts.pieces(value).is_none())
        })
    });
    let whole = names
        .iter()
        .any(|name| matches!(name.as_str(), "kwargs" | "args"));
    let whole = whole || holds_request(facts, key);
    opaque || whole || is_hidden_digest(facts, key)
}

/// The whole `request`, not a field of it.
fn holds_request(facts: &Facts, key: ExprId) -> bool {
    let is_field = |id: ExprId| {
        let around = facts.expr(id).parent;
        around.is_some_and(|around| facts.attribute(around).is_some_and(|(of, _)| of == id))
    };
    let values = facts.values(key).into_iter().chain([key]);
    let mut parts = values.flat_map(|value| facts.within(value));
    parts.any(|id| facts.name(id) == Some("request") && !is_field(id))
}

/// `credentials_hash` where the lines are not shown that make it.
fn is_hidden_digest(facts: &Facts, key: ExprId) -> bool {
    let says = |name: &str| topic::has_word(name, "hash digest fingerprint signature key");
    facts.name(key).is_some_and(says) && facts.lookup(key).is_empty()
}

/// `query.lower().strip()`: the text as it came, written another way.
fn spells(call: &Call<'_>) -> bool {
    matches!(
        call.method(),
        Some("lower" | "upper" | "strip" | "casefold" | "rstrip" | "lstrip" | "encode")
    )
}

/// `hashlib.sha256(text.encode()).hexdigest()`: all that goes into the digest stands there.
fn digests_shown(facts: &Facts, value: ExprId) -> bool {
    let mut calls = facts.within(value).filter_map(|id| facts.call(id));
    let is_digest = facts
        .call(value)
        .filter(|call| matches!(call.method(), Some("hexdigest" | "digest")))
        .and_then(|call| facts.call(call.receiver()?))
        .is_some_and(|made| made.callee().starts_with("hashlib.") && !made.args.is_empty());
    is_digest
        && calls.all(|call| {
            let passes = matches!(call.method(), Some("hexdigest" | "digest" | "join"))
                || call.is(&["str", "repr", "json.dumps", "bytes"]);
            passes || spells(&call) || call.callee().starts_with("hashlib.")
        })
}

/// Whether a name is a parameter of the function: what its callers vary. Of a function whose head is not shown it is
/// what the value itself names and nothing shown gives a value.
fn is_input(facts: &Facts, function: ScopeId, name: &str, store: &Store) -> bool {
    let is_hidden = facts.scope_name(function).is_none();
    let is_free = is_hidden
        && facts.bindings_of(function, name).is_empty()
        && facts
            .within(store.value)
            .any(|id| facts.name(id) == Some(name));
    let params = &facts.scope(facts.canonical(function)).params;
    is_free || params.iter().any(|param| facts.text(param.name) == name)
}

fn hit(cx: &Context<'_>, store: &Store, missing: &str) -> Hit {
    let key: Vec<&str> = parts(cx.facts, store)
        .iter()
        .map(|&part| cx.facts.expr_text(part))
        .collect();
    hit_of(cx, store, word(&key.join(", "), missing))
}

/// Where the key is put together, with the store beside it.
fn hit_of(cx: &Context<'_>, store: &Store, words: Words) -> Hit {
    let facts = cx.facts;
    let composed = composed_key(facts, store.key);
    let anchor = Anchor::expr(facts, composed);
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
    hit.causes.push(facts.stmt(store.stmt).head);
    hit.with_related(facts.stmt(store.stmt).head, "stored under that key here")
}

fn word(key: &str, missing: &str) -> Words {
    Words::new(
        format!(
            "The key `{key}` does not hold `{missing}`, and the cached value is built with it."
        ),
        "Whoever asks with another value gets what was made for the first: another tenant's data, or a model in the wrong precision.",
        format!(
            "Does the value differ with `{missing}`? Then put it (a secret: its digest) into the key."
        ),
    )
}
