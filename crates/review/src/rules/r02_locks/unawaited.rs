//! Locks of servers whose release is a coroutine that nobody awaits.

use super::acquire_without_release::CHECK;
use crate::facts::{Call, ExprId, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Modules whose clients and locks answer with coroutines. The locks of `asyncio` itself release at once.
const MODULES: &[&str] = &[
    "redis.asyncio",
    "aioredis",
    "aioredlock",
    "aiozk",
    "etcd3aio",
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for release in facts.calls_named("release") {
        let Some(lock) = release.receiver() else {
            continue;
        };
        let is_lost = release.is_dropped() && !release.is_awaited();
        if is_lost && is_of_server(facts, lock) && was_awaited(facts, &release) {
            let words = word(facts.expr_text(lock));
            let anchor = Anchor::call(&release);
            out.hits
                .push(Hit::new(&CHECK, anchor, HitVerdict::Violation, words));
        }
    }
}

/// Made by such a module, or by a client that is.
fn is_of_server(facts: &Facts, lock: ExprId) -> bool {
    let of_module = |call: &Call<'_>| {
        MODULES.iter().any(|module| {
            let rest = call.callee().strip_prefix(module);
            rest.is_some_and(|rest| rest.starts_with('.'))
        })
    };
    let by_client = |call: &Call<'_>| {
        let client = call.receiver().filter(|_| call.method() == Some("lock"));
        let made = client.into_iter().flat_map(|client| facts.values(client));
        made.filter_map(|value| facts.call(value))
            .any(|made| of_module(&made))
    };
    facts
        .values(lock)
        .into_iter()
        .filter_map(|value| facts.call(value))
        .any(|made| of_module(&made) || by_client(&made))
}

/// Another method of the same lock is awaited in the same function.
fn was_awaited(facts: &Facts, release: &Call<'_>) -> bool {
    let lock = release.receiver().and_then(|of| facts.dotted(of));
    facts.calls_of(release.scope()).any(|other| {
        let same = other.receiver().and_then(|of| facts.dotted(of)) == lock;
        same && other.method() == Some("acquire") && other.is_awaited()
    })
}

fn word(lock: &str) -> Words {
    Words::new(
        format!("`{lock}.release()` only makes a coroutine, which nobody awaits."),
        "The lock stays taken on the server: until it expires everybody else waits, and for ever where it does not.",
        format!("Write `await {lock}.release()`, in a `finally` behind the acquire."),
    )
}
