//! A key that is new each time.

use super::stores::stores;
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
    for (key, stmt) in keys(cx.facts) {
        if let Some(call) = volatile_part(cx.facts, key) {
            let anchor = Anchor {
                stmt: call.stmt(),
                span: call.span(),
            };
            let words = word(cx.facts, &call);
            let mut hit = Hit::new(
                &CHECK,
                anchor,
                cx.where_shared(HitVerdict::Violation),
                words,
            );
            hit.causes.push(cx.facts.stmt(stmt).head);
            let known = out
                .hits
                .iter()
                .any(|other| other.check.id == CHECK.id && other.anchor == anchor);
            if !known {
                out.hits.push(hit);
            }
        }
    }
}

/// What the file uses as keys: what it stores under, what it calls a cache key, what a key function returns.
fn keys(facts: &Facts) -> Vec<(ExprId, StmtId)> {
    let stored = stores(facts)
        .into_iter()
        .map(|store| (store.key, store.stmt));
    let named = facts
        .stmt_ids()
        .filter_map(|stmt| Some((named_key(facts, stmt)?, stmt)));
    stored.chain(named).collect()
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

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let text = facts.expr_text(call.id);
    let why = if call.callee() == "id" {
        "The address of an object is given to another one when the first is collected: then the key hits a value of something else; before that it never hits twice."
    } else {
        "Each request makes a new key: nothing is ever found again, and the cache only grows."
    };
    Words::new(
        format!("`{text}` is a part of the cache key."),
        why,
        "Build the key from what determines the value alone: content digest, version, options.",
    )
}
