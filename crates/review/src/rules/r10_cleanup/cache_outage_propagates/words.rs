//! What is said of an outage that nobody catches, by what the call asks for.

use crate::facts::{Call, Facts};
use crate::rules::Words;

pub(super) fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.expr_text(call.function);
    let (why, ask) = match Act::of(call) {
        Act::Read => (
            SAVES,
            "Catch the client's own error classes, log, and go on as for a miss.",
        ),
        Act::Store => (
            SAVES,
            "Catch the client's own error classes, log, and hand out what was made all the same.",
        ),
        Act::Drop => (
            "What was done before is answered with an error when only its old entry could not be dropped.",
            "Catch the client's own error classes, log, and let the entry run out by its expiry.",
        ),
        Act::Count => (
            "While the server that only counts is down, requests fail that could be served.",
            "Catch the client's own error classes, log, and say what holds without the count: that requests pass, or that they are refused with a plain answer.",
        ),
        Act::Other => (
            SAVES,
            "Catch the client's own error classes, log, and say what is answered without it.",
        ),
    };
    Words::new(
        format!(
            "`{what}` raises when the cache server cannot be reached, and nothing here catches it."
        ),
        why,
        ask,
    )
}

const SAVES: &str = "A cache is there to save work; without a fallback its outage fails requests that could be served.";

/// What a call asks the server for.
enum Act {
    Read,
    Store,
    Drop,
    Count,
    Other,
}

impl Act {
    fn of(call: &Call<'_>) -> Act {
        let claims = call.keyword("nx").is_some();
        match call.method().unwrap_or("") {
            "incr" | "decr" | "incrby" | "decrby" | "incrbyfloat" | "hincrby" | "zincrby"
            | "pfadd" | "expire" => Act::Count,
            "delete" | "unlink" | "hdel" | "zrem" | "zremrangebyscore" | "touch" => Act::Drop,
            "get" | "hget" | "hgetall" | "mget" | "hmget" | "exists" | "keys" | "get_many"
            | "get_multi" | "gets" | "zrangebyscore" | "zrange" => Act::Read,
            "set" | "setex" | "psetex" | "hset" | "mset" | "set_many" | "set_multi"
            | "set_numpy" | "replace"
                if !claims =>
            {
                Act::Store
            }
            _ => Act::Other,
        }
    }
}
