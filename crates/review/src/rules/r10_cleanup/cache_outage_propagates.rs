//! A cache server that is down fails the request that could do without it.

use crate::facts::{BindingKind, Call, ExprId, Facts, Handler, Heat, Proof, ScopeId, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "cache-outage-propagates",
    rule: 10,
    severity: Severity::Flag,
    references: &[2387],
    summary: "A Redis or cache call on the request path has no handler or fallback.",
    detect,
};

/// What a cache client raises when its server cannot be reached.
const OUTAGE_ERRORS: &[&str] = &[
    "RedisError",
    "ConnectionError",
    "TimeoutError",
    "CacheUnavailableError",
    "BusyLoadingError",
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(proof) = server_call(cx, &call).filter(|_| !is_messaging(cx.facts, &call)) else {
            continue;
        };
        if let Some(handler) = names_builtins(cx.facts, &call) {
            let anchor = Anchor::call(&call);
            let hit = Hit::new(&CHECK, anchor, HitVerdict::Look, word_of_builtins());
            out.hits
                .push(hit.with_related(handler.span, "are these the client's own classes?"));
        } else if is_survived(cx, &call) {
            out.evidence(10, call.span(), "an unreachable cache is survived");
        } else if stands_in_cut_try(cx.facts, &call)
            || (proof == Proof::Named && !cx.facts.sees_enclosure(call.stmt()))
        {
            // A `try` is shown around it, and what it catches is not: most likely just this.
        } else if !is_the_client_itself(cx.facts, &call) && !is_quiet_side_job(cx, &call) {
            let verdict = verdict(cx, &call, proof);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word(cx.facts, &call),
            ));
        }
    }
}

/// A call that goes to a cache server, by type, by the profile's names, or by a method that only Redis has.
fn server_call(cx: &Context<'_>, call: &Call<'_>) -> Option<Proof> {
    // `self.get(key)` is a method of the class at hand; what it calls inside is judged there.
    let receiver = call
        .receiver()
        .filter(|&receiver| cx.facts.name(receiver) != Some("self"))?;
    let resolved = cx.facts.resolved(receiver)?;
    let by_profile = resolved.contains('.') && cx.profile.outage.is_client(&resolved);
    let acts = matches!(
        call.method()?,
        "get" | "set" | "delete" | "exists" | "keys" | "zadd" | "incr" | "hget" | "hset"
    );
    match cx.facts.redis_call(call) {
        Some(proof) => Some(proof),
        None => {
            let found = by_profile && acts && !cx.facts.is_in_process(receiver);
            found.then_some(Proof::Named)
        }
    }
}

/// Messages, queues, jobs and their states are the work itself: there is no miss to go on as for.
fn is_messaging(facts: &Facts, call: &Call<'_>) -> bool {
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

/// The handler that alone has to survive an outage, where it names classes that the builtins have, too, and no shown line
/// says which ones are meant.
fn names_builtins<'f>(facts: &'f Facts, call: &Call<'_>) -> Option<&'f Handler> {
    let is_open = |&class: &ExprId| {
        let name = facts.name(class);
        matches!(name, Some("ConnectionError" | "TimeoutError"))
            && name.is_some_and(|name| !facts.imports_name(name))
    };
    let mut handlers = facts.handlers_around(call.stmt());
    let first = handlers.next()?;
    let only = handlers.next().is_none();
    let all = !first.types.is_empty() && first.types.iter().all(is_open);
    (only && all && !shows_imports(facts) && !facts.reraises(first)).then_some(first)
}

fn word_of_builtins() -> Words {
    Words::new(
        "This handler catches `ConnectionError` and `TimeoutError`, and what is shown does not say whose.",
        "The builtin classes of these names are not what a Redis client raises: then an outage of the cache fails the request all the same.",
        "Where do the names come from? Import them from the client (`redis.exceptions`), or catch its `RedisError`.",
    )
}

fn stands_in_cut_try(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .ancestors(call.stmt())
        .any(|ancestor| facts.is_cut_try(ancestor.stmt))
}

fn is_survived(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let function = cx.facts.function_of(call.scope());
    let degrades = function.is_some_and(|function| is_degraded(cx, function));
    let by_callers = || function.is_some_and(|function| is_caught_by_callers(cx, function, 0));
    is_caught(cx, call.stmt()) || degrades || by_callers()
}

fn is_caught(cx: &Context<'_>, stmt: StmtId) -> bool {
    let facts = cx.facts;
    facts.is_caught(stmt, outage_errors(facts))
        || facts.handlers_around(stmt).any(|handler| {
            !facts.reraises(handler)
                && !catches_builtins_only(facts, handler)
                && handler.types.iter().any(|&class| {
                    facts
                        .resolved(class)
                        .is_some_and(|name| cx.profile.outage.is_exception(&name))
                })
        })
}

/// Whether all that call it catch, themselves or further up: `serve_loop` catches what `serve` and its `next_batch` raise.
/// A public function can have callers elsewhere, so what is not a whole file says nothing of it.
fn is_caught_by_callers(cx: &Context<'_>, function: ScopeId, depth: usize) -> bool {
    let facts = cx.facts;
    let private = facts
        .scope_name(function)
        .is_some_and(|name| name.starts_with('_'));
    let decides = private || is_side_job(facts, function) || facts.document.whole;
    let mut callers = facts.calls_to(function).peekable();
    decides
        && depth < MOST_CALLERS
        && callers.peek().is_some()
        && callers.all(|caller| {
            let further = || {
                facts
                    .function_of(caller.scope())
                    .is_some_and(|function| is_caught_by_callers(cx, function, depth + 1))
            };
            is_caught(cx, caller.stmt()) || further()
        })
}

/// Callers that are followed, one above the other.
const MOST_CALLERS: usize = 4;

/// A side job that no request is seen to wait for.
fn is_quiet_side_job(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let function = cx.facts.function_of(call.scope());
    function.is_some_and(|function| is_side_job(cx.facts, function)) && !is_hot(cx, call)
}

fn is_hot(cx: &Context<'_>, call: &Call<'_>) -> bool {
    cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot
}

/// Pings, heartbeats and metrics: jobs beside the requests, which some loop calls and guards.
fn is_side_job(facts: &Facts, function: ScopeId) -> bool {
    let says = |name: &str| SIDE_JOBS.iter().any(|word| topic::says(name, word));
    let class = facts.class_of(function);
    let class = class.and_then(|class| facts.scope_name(class));
    class.is_some_and(says) || facts.scope_name(function).is_some_and(says)
}

const SIDE_JOBS: &[&str] = &[
    "beat",
    "heartbeat",
    "keepalive",
    "metric",
    "metrics",
    "monitor",
    "ping",
    "probe",
    "report",
    "reporter",
    "stats",
    "telemetry",
];

/// Where all imports are shown a bare `ConnectionError` is the builtin, which no Redis client raises.
fn outage_errors(facts: &Facts) -> &'static [&'static str] {
    let builtin = |name: &str| !facts.imports_name(name);
    let clear = shows_imports(facts) && builtin("ConnectionError") && builtin("TimeoutError");
    let own = |id| {
        facts
            .attribute(id)
            .is_some_and(|(_, name)| matches!(name, "ConnectionError" | "TimeoutError"))
    };
    if clear && !facts.expr_ids().any(own) {
        return &["RedisError", "CacheUnavailableError", "BusyLoadingError"];
    }
    OUTAGE_ERRORS
}

/// `except (TimeoutError, ConnectionError)` of the builtins, where it shows that they are.
fn catches_builtins_only(facts: &Facts, handler: &Handler) -> bool {
    let narrow = outage_errors(facts).len() < OUTAGE_ERRORS.len();
    let builtin =
        |&class: &ExprId| matches!(facts.name(class), Some("ConnectionError" | "TimeoutError"));
    narrow && !handler.types.is_empty() && handler.types.iter().all(builtin)
}

/// Whether the head of the file is shown, by an import of the client itself.
fn shows_imports(facts: &Facts) -> bool {
    facts.document.whole || facts.imports_from("redis")
}

/// A decorator that turns the error into a miss.
fn is_degraded(cx: &Context<'_>, function: ScopeId) -> bool {
    cx.facts.decorators(function).iter().any(|&decorator| {
        cx.facts
            .last_name(decorator)
            .is_some_and(|name| cx.profile.outage.says_degrade(name))
    })
}

/// The wrapper around the client passes errors on by design: its callers decide.
fn is_the_client_itself(facts: &Facts, call: &Call<'_>) -> bool {
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    class.is_some_and(|name| topic::says(name, "redis") && topic::says(name, "cache"))
}

fn verdict(cx: &Context<'_>, call: &Call<'_>, proof: Proof) -> HitVerdict {
    let facts = cx.facts;
    if let Heat::Cold(reason) = facts.heat(call.stmt(), cx.profile) {
        return HitVerdict::Excused(format!("Not on the request path: {reason}."));
    }
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    let fronts =
        class.is_some_and(|name| topic::says(name, "cached") || topic::says(name, "cache"));
    let hot = fronts || is_hot(cx, call);
    if hot && proof == Proof::Proven && facts.sees_enclosure(call.stmt()) {
        HitVerdict::Violation
    } else {
        HitVerdict::Look
    }
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.expr_text(call.function);
    Words::new(
        format!(
            "`{what}` raises when the cache server cannot be reached, and nothing here catches it."
        ),
        "A cache is there to save work; without a fallback its outage fails requests that could be served.",
        "Catch the client's own error classes, log, and go on as for a miss.",
    )
}
