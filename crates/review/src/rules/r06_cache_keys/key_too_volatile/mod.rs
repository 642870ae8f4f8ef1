//! A key that is new each time.

mod defaults;
mod fields;
mod signed;

use super::stores::{Store, look_ups, stores};
use crate::facts::{Call, ExprId, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "key-too-volatile",
    rule: 6,
    severity: Severity::Flag,
    references: &[],
    summary: "A cache key holds a time, a random id or an object's address, so that it never hits.",
    detect,
};

const VOLATILE: &[&str] = &[
    "time.time",
    "time.time_ns",
    "time.monotonic",
    "time.perf_counter",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.now",
    "datetime.utcnow",
    "uuid.uuid1",
    "uuid.uuid4",
    "id",
    "os.getpid",
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    fields::detect(cx, out);
    defaults::detect(cx, out);
    signed::detect(cx, out);
    for key in keys(cx.facts) {
        let Some(call) = volatile_part(cx.facts, key.value) else {
            continue;
        };
        let anchor = Anchor {
            stmt: call.stmt(),
            span: call.span(),
        };
        let known = out
            .hits
            .iter()
            .any(|other| other.check.id == CHECK.id && other.anchor == anchor);
        if let Some(verdict) = verdict(cx.facts, &key, &call).filter(|_| !known) {
            let words = word(cx.facts, &call, verdict == HitVerdict::Look);
            let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
            hit.causes.push(cx.facts.stmt(key.stmt).head);
            out.hits.push(hit);
        }
    }
}

/// What is put under a key that holds a moment, and never looked for by that key, may be a record of the moment: those of
/// metrics, events and logs are found by other means.
fn verdict(facts: &Facts, key: &Key, call: &Call<'_>) -> Option<HitVerdict> {
    if is_kept_object(facts, key, call) {
        return None;
    }
    let of_moment = !matches!(call.callee(), "id" | "os.getpid");
    let Some(store) = key.store.filter(|_| of_moment) else {
        return Some(HitVerdict::Violation);
    };
    if is_looked_up(facts, &store) {
        return Some(HitVerdict::Violation);
    }
    let weak = HitVerdict::sure_if(key.says_key);
    (!is_record(facts, &store)).then_some(weak)
}

/// `wrappers[id(function)] = wrap(function)`: the entry keeps the function, so that nothing else gets its address; the
/// nodes of a tree are kept by the tree that the cache's owner goes through.
fn is_kept_object(facts: &Facts, key: &Key, call: &Call<'_>) -> bool {
    let object = call.positional(0).filter(|_| call.callee() == "id");
    let Some(name) = object.and_then(|object| facts.name(object)) else {
        return false;
    };
    let says = |words: &[&str]| topic::words(name).any(|word| words.contains(&&*word));
    let keeps = |store: &Store| {
        let values = facts.values(store.value).into_iter();
        let mut parts = values.flat_map(|value| facts.within(value));
        parts.any(|part| facts.name(part) == Some(name))
    };
    let of_tree = says(&["tag", "node", "element"]) && key.of_object(facts);
    let is_function = says(&[
        "func", "function", "fn", "callable", "callback", "method", "cls",
    ]);
    of_tree || (is_function && key.store.as_ref().is_some_and(keeps))
}

/// Words of what is written once for each event.
const RECORDS: &[&str] = &[
    "metric",
    "metrics",
    "event",
    "events",
    "log",
    "logs",
    "history",
    "usage",
    "stats",
    "telemetry",
    "audit",
    "heartbeat",
    "record",
    "records",
    "error",
    "errors",
    "inference",
    "inferences",
    "report",
    "sample",
    "series",
    "timestamp",
];

/// A record of a time series: it says so, or it is meant to go after a while.
fn is_record(facts: &Facts, store: &Store) -> bool {
    let says = |name: &str| topic::words(name).any(|word| RECORDS.contains(&&*word));
    let values = facts.values(store.key).into_iter();
    let texts = values.map(|value| facts.expr_text(value));
    let mut calls = facts.calls_in(store.stmt);
    let expires = calls.any(|call| {
        ["ex", "px", "expire", "ttl", "timeout", "expires_in"]
            .iter()
            .any(|name| call.keyword(name).is_some())
    });
    expires || says(facts.expr_text(store.value)) || texts.into_iter().any(says)
}

/// Whether the file asks the cache for the key as well, under the name or the text that it has here.
fn is_looked_up(facts: &Facts, store: &Store) -> bool {
    let written = |key: ExprId| {
        let names_scope = facts.name(key).map(|_| facts.expr(key).scope);
        (facts.expr_text(key), names_scope)
    };
    let own = written(store.key);
    let mut calls = facts.calls_in(store.stmt);
    if calls.any(|call| call.name().starts_with("get_or") || call.name() == "setdefault") {
        return true;
    }
    let asked = facts.stmt_ids().flat_map(|stmt| look_ups(facts, stmt));
    let mut asked = asked.filter(|&key| key != store.key);
    asked.any(|key| written(key) == own)
}

/// A key that the file uses.
struct Key {
    value: ExprId,
    stmt: StmtId,
    /// What is stored under it.
    store: Option<Store>,
    /// Its name says that it is one.
    says_key: bool,
}

impl Key {
    /// The cache is a field of the object that works with the key.
    fn of_object(&self, facts: &Facts) -> bool {
        let store = self.store.as_ref();
        store.is_some_and(|store| facts.self_attribute(store.object).is_some())
    }
}

/// What the file uses as keys: what it stores under, what it calls a cache key, what a key function returns.
fn keys(facts: &Facts) -> Vec<Key> {
    let all = stores(facts);
    let store_of = |value: ExprId| {
        let mut of = all.iter().copied();
        of.find(|store| facts.values(store.key).contains(&value))
    };
    let named = facts.stmt_ids().filter_map(|stmt| {
        let value = named_key(facts, stmt)?;
        Some(Key {
            value,
            stmt,
            store: store_of(value),
            says_key: true,
        })
    });
    let stored = all.iter().map(|store| Key {
        value: store.key,
        stmt: store.stmt,
        store: Some(*store),
        says_key: false,
    });
    named.chain(stored).collect()
}

fn named_key(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let says = |name: &str| topic::says(name, "cache key");
    match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, value, .. } => targets
            .iter()
            .any(|&target| facts.last_name(target).is_some_and(says))
            .then_some(*value)?,
        StmtKind::Return(Some(value)) => facts
            .function_name(stmt)
            .is_some_and(says)
            .then_some(*value),
        _ => None,
    }
}

fn volatile_part(facts: &Facts, key: ExprId) -> Option<Call<'_>> {
    facts
        .values(key)
        .into_iter()
        .flat_map(|value| facts.within(value).collect::<Vec<_>>())
        .flat_map(|id| facts.values(id))
        .filter_map(|id| facts.call(id))
        .find(|call| call.is(VOLATILE))
}

fn word(facts: &Facts, call: &Call<'_>, is_asked: bool) -> Words {
    let text = facts.expr_text(call.id);
    let why = if call.callee() == "id" {
        "The address of an object is given to another one when the first is collected: then the key hits a value of something else; before that it never hits twice."
    } else {
        "Each request makes a new key: nothing is ever found again, and the cache only grows."
    };
    let ask = if is_asked {
        "Does anything look the entry up by this key again? If it does: build the key from what determines the value alone, a content digest, version, options."
    } else {
        "Build the key from what determines the value alone: content digest, version, options."
    };
    Words::new(format!("`{text}` is a part of the cache key."), why, ask)
}
