//! Transient data put into Redis without an expiry.

use crate::facts::{Call, ExprId, Facts, Kind, Piece, Proof};
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
            let verdict = if is_proven(cx.facts, receiver) {
                HitVerdict::Violation
            } else {
                HitVerdict::Look
            };
            let verdict = cx.where_it_matters(call.stmt(), verdict);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call)));
        }
    }
}

/// A write of a Redis client with a key that can take many values.
fn writes(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let receiver = call.receiver()?;
    let writes = matches!(
        call.method()?,
        "set" | "zadd" | "hset" | "rpush" | "lpush" | "sadd"
    );
    let is_redis = facts.kind_of(receiver) == Some(Kind::Redis)
        || is_pipeline(facts, receiver)
        || is_redis_by_handler(facts, call, receiver);
    let open_key = call
        .positional(0)
        .is_some_and(|key| facts.string(key).is_none());
    (writes && is_redis && open_key && !is_inbox(facts, call)).then_some(receiver)
}

/// `rpush(self._inbox, job)`: one list under a name that was handed in, which somebody else takes from.
fn is_inbox(facts: &Facts, call: &Call<'_>) -> bool {
    let pushes = matches!(call.method(), Some("rpush" | "lpush"));
    let key = call.positional(0).filter(|_| pushes);
    key.is_some_and(|key| facts.is_handed_in(key))
}

/// A command that only Redis has, on something unknown, under a handler for what a Redis client raises.
fn is_redis_by_handler(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    let own = matches!(
        call.method(),
        Some("zadd" | "hset" | "rpush" | "lpush" | "sadd")
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
    let own = ["ex", "px", "exat", "pxat", "keepttl", "expire"]
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
                        | "ltrim"
                        | "zrem"
                        | "delete"
                )
            ) && other.receiver().and_then(|r| facts.dotted(r)) == client
        })
    });
    own || later || call.positional(2).is_some() && call.method() == Some("set")
}

/// Whether another function, of this file or of another of the diff, deletes what is stored under such a key.
fn is_deleted(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let Some(key) = call.positional(0) else {
        return false;
    };
    let stored = marks(cx.facts, key);
    let deletes = |facts: &Facts| {
        let mut removals = facts.calls().filter(removes);
        removals.any(|removal| {
            let mut keys = removal.args.iter().map(|arg| arg.value);
            keys.any(|key| marks(facts, key).iter().any(|mark| stored.contains(mark)))
        })
    };
    !stored.is_empty() && (deletes(cx.facts) || cx.others.iter().any(|other| deletes(other)))
}

/// By a command that hardly anything else has, on whatever the client or its pipeline is called.
fn removes(call: &Call<'_>) -> bool {
    let takes_away = matches!(
        call.method(),
        Some(
            "delete"
                | "unlink"
                | "getdel"
                | "hdel"
                | "zrem"
                | "srem"
                | "lrem"
                | "ltrim"
                | "lpop"
                | "blpop"
                | "brpop"
                | "spop"
                | "zpopmin"
                | "zpopmax"
                | "zremrangebyscore"
                | "zremrangebyrank"
                | "expire"
                | "pexpire"
                | "expireat"
        )
    );
    takes_away && call.receiver().is_some()
}

/// What tells a family of keys from others: its constant, the text that it begins with, the function that makes it.
fn marks(facts: &Facts, key: ExprId) -> Vec<String> {
    let mut found = Vec::new();
    for value in facts.values(key) {
        let begins = facts.pieces(value).and_then(|pieces| match pieces.first() {
            Some(Piece::Text(text)) => Some(facts.text(*text)),
            _ => None,
        });
        let begins = begins.map(|text| text.split(['{', '%']).next().unwrap_or(text));
        found.extend(begins.filter(|text| text.len() > 2).map(str::to_owned));
        for part in facts.within(value) {
            let constant = facts.is_constant_name(part).then(|| facts.last_name(part));
            let maker = facts.call(part).filter(|call| facts.callee(call).is_some());
            let maker = maker.map(|call| call.name());
            found.extend(constant.flatten().or(maker).map(str::to_owned));
        }
    }
    found
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!("`{}` stores an entry that never expires.", call.name()),
        "Keys that are made from ids, times or sessions stay in Redis after nobody needs them, until its memory is full.",
        "Set an expiry with the entry, or remove it where its owner ends.",
    )
}
