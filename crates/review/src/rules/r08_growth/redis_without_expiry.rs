//! Transient data put into Redis without an expiry.

use crate::facts::{Call, ExprId, Facts, Kind, Proof};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "redis-without-expiry",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "Transient data is put into Redis with no expiry.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(receiver) = writes(cx.facts, &call) else {
            continue;
        };
        if expires(cx.facts, &call, receiver) {
            out.evidence(8, call.span(), "the entry expires");
        } else if is_deleted(cx, &call) {
            out.evidence(8, call.span(), "the entry is deleted elsewhere");
        } else {
            let proven = is_proven(cx.facts, receiver) && !is_queue(cx.facts, &call);
            let verdict = HitVerdict::sure_if(proven);
            let verdict = cx.where_it_matters(call.stmt(), verdict);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call)));
        }
    }
}

/// Whether another function, of this file or of another of the diff, deletes what is stored under such a key.
fn is_deleted(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let Some(key) = call.positional(0) else {
        return false;
    };
    let stored = cx.facts.key_marks(key);
    let deletes = |facts: &Facts| {
        let removed = facts.removed_from_redis();
        stored.iter().any(|mark| removed.contains(mark))
    };
    !stored.is_empty() && (deletes(cx.facts) || cx.others.iter().any(|other| deletes(other)))
}

/// A write of a Redis client with a key that can take many values.
fn writes(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let receiver = call.receiver()?;
    let open_key = call
        .positional(0)
        .is_some_and(|key| facts.string(key).is_none());
    let writes = matches!(
        call.method()?,
        "set" | "zadd" | "hset" | "rpush" | "lpush" | "sadd" | "xadd"
    );
    let grows =
        || (open_key && !is_inbox(facts, call)) || is_stream(call) || is_shown_list(facts, call);
    let counts = || open_key && counts_for_a_while(facts, call);
    let stays = if writes { grows() } else { counts() };
    (stays && is_redis(facts, call, receiver)).then_some(receiver)
}

fn is_redis(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    facts.kind_of(receiver) == Some(Kind::Redis)
        || is_pipeline(facts, receiver)
        || is_redis_by_handler(facts, call, receiver)
        || (is_stream(call) && facts.type_of(receiver).is_none())
}

/// `rpush(response_queue, answer)`: by its name somebody else takes from it.
fn is_queue(facts: &Facts, call: &Call<'_>) -> bool {
    let pushes = matches!(call.method(), Some("rpush" | "lpush"));
    let key = call.positional(0).filter(|_| pushes);
    key.and_then(|key| facts.last_name(key))
        .is_some_and(|name| topic::says(name, "queue"))
}

/// `rpush(self._inbox, job)`: one list under a name that was handed in, which somebody else takes from.
fn is_inbox(facts: &Facts, call: &Call<'_>) -> bool {
    let pushes = matches!(call.method(), Some("rpush" | "lpush"));
    let key = call.positional(0).filter(|_| pushes);
    key.is_some_and(|key| facts.is_handed_in(key))
}

/// `incr(f"attempts:{user}")`: a counter whose name says that it is about the last minutes.
fn counts_for_a_while(facts: &Facts, call: &Call<'_>) -> bool {
    let counts = matches!(
        call.method(),
        Some("incr" | "incrby" | "decr" | "hincrby" | "setnx")
    );
    let says = |name: &str| {
        topic::has_word(
            name,
            "rate limit limiter limited attempt attempts quota throttle window \
             lockout tries retries failures minute",
        )
    };
    let key = call.positional(0);
    let by_key = key.is_some_and(|key| {
        let mut values = facts.values(key).into_iter().chain([key]);
        values.any(|value| says(facts.expr_text(value)))
    });
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    let by_name = || {
        [facts.function_name(call.stmt()), class]
            .into_iter()
            .flatten()
            .any(says)
    };
    counts && (by_key || by_name())
}

/// `xadd` adds one more entry under whatever key; those who read a stream take nothing out of it.
fn is_stream(call: &Call<'_>) -> bool {
    call.method() == Some("xadd")
}

/// A list that the file reads from end to end: no queue, whose other side takes out what it reads.
fn is_shown_list(facts: &Facts, call: &Call<'_>) -> bool {
    let key = |call: &Call<'_>| {
        call.positional(0)
            .map(|key| facts.expr_text(key).to_string())
    };
    let pushes = matches!(call.method(), Some("lpush" | "rpush"));
    let mut reads = facts.calls_named("lrange");
    pushes && reads.any(|read| read.receiver().is_some() && key(&read) == key(call))
}

/// A command that only Redis has, on something unknown, under a handler for what a Redis client raises.
fn is_redis_by_handler(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    let own = matches!(
        call.method(),
        Some("zadd" | "hset" | "rpush" | "lpush" | "sadd" | "xadd")
    );
    let of_redis = |class: &ExprId| facts.last_name(*class) == Some("RedisError");
    let mut handlers = facts.handlers_around(call.stmt());
    own && facts.type_of(receiver).is_none()
        && handlers.any(|handler| handler.types.iter().any(of_redis))
}

fn is_pipeline(facts: &Facts, receiver: ExprId) -> bool {
    facts
        .values(receiver)
        .into_iter()
        .filter_map(|value| facts.call(value))
        .any(|call| {
            call.method() == Some("pipeline")
                && call.receiver().and_then(|r| facts.kind_of(r)) == Some(Kind::Redis)
        })
}

fn is_proven(facts: &Facts, receiver: ExprId) -> bool {
    facts
        .type_of(receiver)
        .is_some_and(|found| found.proof == Proof::Proven)
}

/// An expiry in the call, or an `expire` on the same client in the same function.
fn expires(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    let own = [
        "ex", "px", "exat", "pxat", "keepttl", "expire", "maxlen", "minid",
    ]
    .iter()
    .any(|name| call.keyword(name).is_some());
    let client = facts.dotted(receiver);
    let function = facts.function_of(call.scope());
    let later = function.is_some_and(|function| {
        facts.calls_within(facts.scope(function).span).any(|other| {
            matches!(
                other.method(),
                Some(
                    "expire"
                        | "pexpire"
                        | "expireat"
                        | "zremrangebyscore"
                        | "zremrangebyrank"
                        | "ltrim"
                        | "xtrim"
                        | "xdel"
                        | "zrem"
                        | "delete"
                )
            ) && other.receiver().and_then(|r| facts.dotted(r)) == client
        })
    });
    let by_place = match call.method() {
        Some("set") => call.positional(2).is_some(),
        Some("xadd") => call.positional(3).is_some() || call.has_splat(),
        _ => false,
    };
    own || later || by_place
}

fn word(call: &Call<'_>) -> Words {
    if is_stream(call) {
        return Words::new(
            "`xadd` adds to a stream that nothing shown trims.",
            "Reading a stream takes nothing out of it, and acknowledging does not either: each entry stays in Redis until its memory is full.",
            "Give it `maxlen=` (with `approximate=True`) or `minid=`, or trim the stream where old entries are done with.",
        );
    }
    if matches!(call.method(), Some("lpush" | "rpush")) {
        return Words::new(
            format!(
                "`{}` adds to a list that nothing shown shortens.",
                call.name()
            ),
            "Each entry stays in Redis, whether its key expires or is always the same, until its memory is full.",
            "Call `ltrim` behind it, set an expiry, or take out what is done.",
        );
    }
    Words::new(
        format!("`{}` stores an entry that never expires.", call.name()),
        "Keys that are made from ids, times or sessions stay in Redis after nobody needs them, until its memory is full.",
        "Set an expiry with the entry, or remove it where its owner ends.",
    )
}
