//! What takes entries out of Redis again, and which keys it means.

use crate::facts::{Call, ExprId, Facts, Piece};
use crate::rules::Context;

/// Whether another function, of this file or of another of the diff, deletes what is stored under such a key.
pub(super) fn is_deleted(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let Some(key) = call.positional(0) else {
        return false;
    };
    let stored = marks(cx.facts, key);
    let deletes = |facts: &Facts| {
        let mut keys = removals(facts).flat_map(|removal| removal.args.iter().map(|arg| arg.value));
        keys.any(|key| marks(facts, key).iter().any(|mark| stored.contains(mark)))
    };
    !stored.is_empty() && (deletes(cx.facts) || cx.others.iter().any(|other| deletes(other)))
}

/// Commands that take entries away or let them expire; hardly anything else is called so, whatever the client is called.
const REMOVES: &[&str] = &[
    "delete",
    "unlink",
    "getdel",
    "hdel",
    "zrem",
    "srem",
    "lrem",
    "ltrim",
    "xtrim",
    "xdel",
    "lpop",
    "blpop",
    "brpop",
    "spop",
    "zpopmin",
    "zpopmax",
    "zremrangebyscore",
    "zremrangebyrank",
    "expire",
    "pexpire",
    "expireat",
];

fn removals(facts: &Facts) -> impl Iterator<Item = Call<'_>> {
    let called = REMOVES.iter().flat_map(|name| facts.calls_named(name));
    called.filter(|call| call.receiver().is_some())
}

/// What tells a family of keys from others: its constant, the text that it begins with, the function that makes it.
fn marks(facts: &Facts, key: ExprId) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(facts.self_attribute(key).map(str::to_owned));
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
