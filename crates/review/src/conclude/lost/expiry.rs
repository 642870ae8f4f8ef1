//! Expiries and trims of Redis that the change takes away while entries still go in.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::Call;
use crate::rules::{Anchor, Hit, HitVerdict, REDIS_WITHOUT_EXPIRY, Words};

/// Commands that put something in.
const WRITES: &[&str] = &[
    "set", "setex", "psetex", "hset", "hmset", "sadd", "zadd", "lpush", "rpush", "xadd", "incr",
    "incrby", "hincrby",
];

/// Arguments of such a command that bound it.
const BOUNDS: &[&str] = &["ex", "px", "exat", "pxat", "maxlen", "minid"];

/// Commands that bound what another has put in, by the same key.
const TENDS: &[&str] = &[
    "expire",
    "pexpire",
    "expireat",
    "pexpireat",
    "ltrim",
    "xtrim",
    "zremrangebyrank",
    "zremrangebyscore",
];

/// Hits at writes that have lost their bound, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let mut losses: Vec<Loss> = Vec::new();
    for call in old.changed_calls().filter(bounds) {
        let known = |write: &Call<'_>| {
            let mut stmts = losses.iter().map(|loss| loss.hit.anchor.stmt);
            stmts.any(|stmt| stmt == write.stmt())
                || sides.is_told(Told::By(REDIS_WITHOUT_EXPIRY), write.stmt())
        };
        if let Some(write) = unbounded(old, new, &call).filter(|write| !known(write)) {
            losses.push(Loss::with(call.stmt(), hit(&write, &call)));
        }
    }
    losses
}

/// `set(key, value, ex=60)`, `setex(key, 60, value)`, `expire(key, 60)`.
fn bounds(call: &Call<'_>) -> bool {
    let Some(name) = call.method() else {
        return false;
    };
    let by_argument =
        WRITES.contains(&name) && BOUNDS.iter().any(|bound| call.keyword(bound).is_some());
    by_argument || matches!(name, "setex" | "psetex") || TENDS.contains(&name)
}

/// The write of the new side in the same function, by the same client and key, that nothing bounds any more.
fn unbounded<'n>(old: &Half<'_>, new: &'n Half<'_>, bound: &Call<'_>) -> Option<Call<'n>> {
    let scope = old.scope_names(bound.stmt());
    let facts = new.facts;
    let client = bound.receiver().map(|of| old.facts.expr_text(of));
    let key = bound.positional(0).map(|key| old.facts.expr_text(key));
    let same = |call: &Call<'_>| {
        let of_client = call.receiver().map(|of| facts.expr_text(of)) == client;
        let of_key = call.positional(0).map(|key| facts.expr_text(key)) == key;
        of_client && of_key && new.scope_names(call.stmt()) == scope
    };
    let here = || facts.calls().filter(same);
    if scope.is_empty() || here().any(|call| bounds(&call) || call.has_splat()) {
        return None;
    }
    let mut writes = here();
    writes.find(|call| call.method().is_some_and(|name| WRITES.contains(&name)))
}

fn hit(write: &Call<'_>, bound: &Call<'_>) -> Hit {
    let (write_name, bound_name) = (write.name(), bound.name());
    let words = Words::new(
        format!(
            "What `{write_name}` puts in stays: the change deletes the limit that `{bound_name}` set."
        ),
        "Keys and entries that nobody takes out remain in Redis after nobody needs them, until its memory is full.",
        "Is something else to remove them now? If not, keep the expiry or the maximum length.",
    );
    Hit::new(
        REDIS_WITHOUT_EXPIRY,
        Anchor::call(write),
        HitVerdict::Look,
        words,
    )
}
