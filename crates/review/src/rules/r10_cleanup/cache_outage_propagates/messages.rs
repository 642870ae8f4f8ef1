//! Messages, queues, jobs and their states: what Redis holds there is the work itself, and no cache of it.

use crate::facts::{BindingKind, Call, ExprId, Facts};

/// Messages, queues, jobs and their states are the work itself: there is no miss to go on as for.
pub(super) fn is_messaging(facts: &Facts, call: &Call<'_>) -> bool {
    let by_method = call.method().is_some_and(|name| WORK.contains(&name));
    let says_work = |key: ExprId| {
        let text = facts.expr_text(key);
        [
            "queue", "result", "results", "status", "job", "jobs", "task", "tasks",
        ]
        .iter()
        .any(|word| topic::says(text, word))
    };
    let by_key = call.positional(0).is_some_and(|key| {
        // `get(name) for name in task_names`
        let bindings = facts.bindings_behind(key).into_iter();
        let mut walked = bindings.filter_map(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => Some(iter),
            _ => None,
        });
        says_work(key) || walked.any(says_work)
    });
    let says = |name: &str| {
        [
            "queue",
            "dispatch",
            "dispatcher",
            "broker",
            "job",
            "jobs",
            "pubsub",
            "publisher",
            "subscriber",
            "storage",
            "scheduler",
        ]
        .iter()
        .any(|word| topic::says(name, word))
    };
    let file = facts.path.rsplit('/').next().unwrap_or("");
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    let by_name = || class.is_some_and(says) || says(file.trim_end_matches(".py"));
    by_method || by_key || by_name() || is_beside_work(facts, call)
}

/// `r.hgetall("requests")` where the same class or function takes jobs off the same client, or another counts under the
/// same key: a queue's own books.
fn is_beside_work(facts: &Facts, call: &Call<'_>) -> bool {
    let client = call.receiver().and_then(|receiver| facts.dotted(receiver));
    let works = |other: &Call<'_>| {
        let takes = matches!(
            other.method(),
            Some("zrem" | "zpopmin" | "blpop" | "brpop" | "lpop" | "rpop" | "hincrby" | "lrem")
        );
        takes && other.receiver().is_some()
    };
    let on_client = |other: &Call<'_>| {
        works(other) && other.receiver().and_then(|of| facts.dotted(of)) == client
    };
    let key = |of: &Call<'_>| of.positional(0).and_then(|key| facts.string(key));
    let own_key = key(call);
    let counts = |other: &Call<'_>| works(other) && key(other) == own_key;
    if own_key.is_some() && facts.calls().any(|other| counts(&other)) {
        return true;
    }
    let owner = facts
        .class_of(call.scope())
        .or_else(|| facts.function_of(call.scope()));
    client.is_some()
        && owner.is_some_and(|owner| {
            let mut spans = facts.fragments(owner).map(|scope| facts.scope(scope).span);
            spans.any(|span| facts.calls_within(span).any(|other| on_client(&other)))
        })
}

/// Commands of messages, streams, lists, sets and rankings: of data that is kept nowhere else.
const WORK: &[&str] = &[
    "publish",
    "subscribe",
    "psubscribe",
    "listen",
    "get_message",
    "xadd",
    "xread",
    "xreadgroup",
    "xack",
    "blpop",
    "brpop",
    "blmove",
    "brpoplpush",
    "lpush",
    "rpush",
    "lpop",
    "rpop",
    "lrange",
    "lrem",
    "llen",
    "sadd",
    "srem",
    "spop",
    "smembers",
    "zpopmin",
    "zpopmax",
    "zrange",
    "zrangebyscore",
    "zrem",
    "hincrby",
];
