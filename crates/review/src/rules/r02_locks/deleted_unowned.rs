//! A lock's entry in a cache server that its holder deletes without asking whether it is still the holder's.

use super::added_locks::{expires, is_same_entry};
use super::released_unacquired::CHECK;
use crate::facts::{Call, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for added in facts.calls().filter(|call| expires(facts, call)) {
        let mut later = facts
            .calls_of(added.scope())
            .filter(|call| call.span().start > added.span().end);
        let deletes = |call: &Call<'_>| {
            matches!(call.method(), Some("delete" | "unlink")) && is_same_entry(facts, &added, call)
        };
        let Some(deleted) = later.find(deletes).filter(|_| !asks_owner(facts, &added)) else {
            continue;
        };
        let verdict = match facts.cold_file(cx.profile) {
            Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
            None => HitVerdict::Look,
        };
        let mut hit = Hit::new(&CHECK, Anchor::call(&deleted), verdict, word(facts, &added))
            .with_related(added.span(), "taken here, for a limited time");
        hit.causes.push(added.span());
        out.hits.push(hit);
    }
}

/// The function reads the entry again, runs a script over it, or watches the time, before it deletes.
fn asks_owner(facts: &Facts, added: &Call<'_>) -> bool {
    let mut calls = facts.calls_of(added.scope());
    calls.any(|call| {
        let reads = matches!(call.method(), Some("get" | "eval" | "evalsha" | "watch"))
            && is_same_entry(facts, added, &call);
        let watches_time = call.is(&["time.monotonic", "time.time"]);
        reads || watches_time || call.method() == Some("register_script")
    })
}

fn word(facts: &Facts, added: &Call<'_>) -> Words {
    let key = added
        .positional(0)
        .map_or(String::new(), |key| facts.shown(key));
    Words::new(
        format!(
            "The lock `{key}` is deleted without asking whether it is still held by this caller."
        ),
        "When the work takes longer than the expiry, another process has the lock by then: this deletes the other's entry, and a third one comes in beside it.",
        "Can the work outlast the expiry? Store a token of one's own in the entry, and delete it only where it still holds that token (in one step, by a script).",
    )
}
