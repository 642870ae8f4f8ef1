//! A setting of the instance that makes the value, where the store is shared with instances of other settings.

use super::hit_of;
use crate::facts::{BindingKind, Call, ExprId, Facts, ScopeId};
use crate::rules::r06_cache_keys::libraries::is_outside;
use crate::rules::r06_cache_keys::stores::{Store, composed_key, kept_in_redis, look_ups, stores};
use crate::rules::{Context, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut kept = stores(facts);
    kept.retain(|store| is_outside(facts, store.object));
    kept.extend(kept_in_redis(facts));
    let shared = kept.into_iter().filter(|store| is_asked(facts, store));
    let mut seen: Vec<ExprId> = Vec::new();
    for store in shared.flat_map(|store| given(facts, store)) {
        let key = composed_key(facts, store.key);
        let Some(setting) = missing(facts, &store).filter(|_| !seen.contains(&key)) else {
            continue;
        };
        seen.push(key);
        let words = word(facts, key, &setting);
        out.hits.push(hit_of(cx, &store, words));
    }
}

/// Whether the class asks the same store for entries: what is only written may be a record.
fn is_asked(facts: &Facts, store: &Store) -> bool {
    let of = facts.dotted(store.object);
    let asks = |call: &Call<'_>| {
        let gets = matches!(
            call.method(),
            Some("get" | "get_many" | "mget" | "gets" | "get_multi")
        );
        gets && call.receiver().map(|receiver| facts.dotted(receiver)) == Some(of.clone())
    };
    let by_call = facts
        .calls_named("get")
        .chain(facts.calls_named("mget"))
        .any(|call| asks(&call));
    let mut stmts = facts.stmt_ids();
    by_call || stmts.any(|stmt| look_ups(facts, stmt).contains(&store.key))
}

/// The store itself, or where a helper stores what it is handed: as its callers in the file hand it over.
fn given(facts: &Facts, store: Store) -> Vec<Store> {
    let mut parts = facts.within(store.value);
    let value = parts.find_map(|part| facts.parameter(part));
    let (Some((function, key)), Some((_, value))) = (facts.parameter(store.key), value) else {
        return vec![store];
    };
    let (key, value) = (facts.text(key.name), facts.text(value.name));
    let calls = facts.calls_to(function);
    let handed = calls.filter_map(|call| {
        Some(Store {
            stmt: call.stmt(),
            key: facts.argument_for(&call, function, key)?,
            value: facts.argument_for(&call, function, value)?,
            ..store
        })
    });
    handed.collect()
}

/// The last words of fields that decide what is made.
const SETTINGS: &[&str] = &[
    "model name",
    "model id",
    "model version",
    "model",
    "language",
    "locale",
    "voice",
    "currency",
    "revision",
    "dtype",
    "precision",
    "dimensions",
    "temperature",
    "prompt",
    "prompt version",
    "system prompt",
    "tenant",
    "tenant id",
    "workspace",
    "project",
    "region",
];

/// A setting that the constructor is given and the value is made with, and that the key leaves out.
fn missing(facts: &Facts, store: &Store) -> Option<String> {
    let class = facts.class_of(facts.stmt(store.stmt).scope)?;
    let mut key = fields_of(facts, store.key);
    key.retain(|name| facts.method(class, name).is_none());
    let may_hold = |name: &String| {
        topic::has_word(
            name,
            "prefix namespace key version digest hash fingerprint scope",
        )
    };
    if is_made_out_of_sight(facts, store.key) || key.iter().any(may_hold) {
        return None;
    }
    let made = fields_of(facts, store.value).into_iter();
    let mut settings = made.filter(|name| says_setting(name) && is_given(facts, class, name));
    settings.find(|name| !key.contains(name))
}

fn says_setting(name: &str) -> bool {
    let words: Vec<_> = topic::words(name).collect();
    SETTINGS.iter().any(|setting| {
        let setting: Vec<&str> = setting.split(' ').collect();
        let from = words.len().checked_sub(setting.len());
        from.and_then(|from| words.get(from..))
            .is_some_and(|last| last == setting)
    })
}

/// Whether the field is a plain parameter of the constructor, as it came.
fn is_given(facts: &Facts, class: ScopeId, name: &str) -> bool {
    let values = facts.attribute_bindings(class, name).into_iter();
    let mut values = values.filter_map(|binding| match binding.kind {
        BindingKind::Value { value, .. } => Some(value),
        _ => None,
    });
    values.any(|value| match facts.parameter(value) {
        Some((_, param)) => {
            let annotation = param.annotation.map(|of| facts.expr_text(of));
            matches!(
                annotation,
                Some("str" | "int" | "float" | "Optional[str]" | "str | None")
            )
        }
        // Of a constructor whose head is not shown.
        None => {
            let own = facts.name(value).unwrap_or("");
            own == name.trim_start_matches('_') && facts.lookup(value).is_empty()
        }
    })
}

/// The fields behind a value, also those that the methods hand on that make it.
fn fields_of(facts: &Facts, value: ExprId) -> Vec<String> {
    let mut fields = facts.fields_behind(value);
    let calls = facts.values(value).into_iter();
    let calls = calls.flat_map(|value| facts.within(value).collect::<Vec<_>>());
    let makers = calls.filter_map(|id| facts.callee_scope(&facts.call(id)?));
    for maker in makers {
        let inside = facts.exprs_within(facts.scope(maker).span);
        let handed = inside.filter(|&id| !facts.is_only_told(id));
        fields.extend(
            handed
                .filter_map(|id| facts.self_attribute(id))
                .map(String::from),
        );
    }
    fields
}

/// Whether something that is not shown puts the key together.
fn is_made_out_of_sight(facts: &Facts, key: ExprId) -> bool {
    let hides = |call: Call<'_>| {
        let digests = matches!(call.name(), "hexdigest" | "digest" | "encode" | "str");
        !digests && facts.callee_scope(&call).is_none() && facts.pieces(call.id).is_none()
    };
    let values = facts.values(key).into_iter();
    let mut calls = values.filter_map(|value| facts.call(value));
    facts.parameter(key).is_some() || calls.any(hides)
}

fn word(facts: &Facts, key: ExprId, setting: &str) -> Words {
    let key = facts.shown(key);
    Words::new(
        format!(
            "The key `{key}` does not hold `self.{setting}`, and the kept value is made with it."
        ),
        "The store is shared with other processes: an instance with another setting finds what was made with this one, and entries of before a change of it live on.",
        format!(
            "Can `{setting}` differ between instances, or be changed by a deployment? Then put it into the key."
        ),
    )
}
