//! A lock kept in Redis or another cache server that outlives a holder who died.

use super::added_locks::added_lock;
use super::spin_locks::{SpinLock, spin_lock};
use crate::facts::{Bound, Call, ExprKind, Facts, Kind, Proof};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "distributed-lock-without-expiry",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A Redis or cache lock is made without an expiry.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(expiry) = expiry(cx.facts, &call) else {
            if let Some(lock) = spin_lock(cx.facts, &call) {
                judge_spinning(cx, &call, lock, out);
            }
            continue;
        };
        match expiry {
            Bound::Given | Bound::Literal(_) => {
                out.evidence(2, call.span(), "the distributed lock expires by itself");
            }
            Bound::Unbounded | Bound::Forwarded => {
                let verdict = verdict(cx, &call, expiry);
                let words = word(&call);
                out.hits
                    .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
            }
        }
    }
}

fn judge_spinning(cx: &Context<'_>, call: &Call<'_>, lock: SpinLock, out: &mut Outcome) {
    let verdict = match lock {
        SpinLock::Entry => verdict(cx, call, Bound::Unbounded),
        SpinLock::File => verdict(cx, call, Bound::Forwarded),
    };
    let words = word_spinning(call, lock);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

/// What ends a distributed lock, if the call makes one.
fn expiry(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    if let Some(bound) = added_lock(facts, call) {
        return Some(bound);
    }
    if sets_if_absent(facts, call) {
        let names = ["ex", "px", "exat", "pxat"];
        let given = names.iter().any(|name| call.keyword(name).is_some());
        return Some(if given {
            Bound::Given
        } else {
            Bound::Unbounded
        });
    }
    let makes =
        call.method() == Some("lock") && facts.kind_of(call.id) == Some(Kind::DistributedLock);
    if !makes || facts.callee_scope(call).is_some() {
        return None;
    }
    let named = ["expire", "ttl", "expiry", "lock_timeout", "ex"]
        .iter()
        .find(|name| call.keyword(name).is_some());
    Some(facts.bound(call, 1, named.copied().unwrap_or("timeout")))
}

/// `redis.set("lock:…", owner, nx=True)`.
fn sets_if_absent(facts: &Facts, call: &Call<'_>) -> bool {
    let is_absent = call
        .keyword("nx")
        .is_some_and(|nx| matches!(facts.expr(nx).kind, ExprKind::True));
    let on_redis = call
        .receiver()
        .is_some_and(|receiver| facts.kind_of(receiver) == Some(Kind::Redis));
    let key = call.positional(0).map_or("", |key| facts.expr_text(key));
    call.method() == Some("set") && is_absent && on_redis && topic::has_word(key, "lock")
}

fn verdict(cx: &Context<'_>, call: &Call<'_>, expiry: Bound) -> HitVerdict {
    let facts = cx.facts;
    if let Some(reason) = facts.cold_file(cx.profile) {
        return HitVerdict::Excused(format!("No other process waits for it: {reason}."));
    }
    let of_server = call.receiver().is_some_and(|receiver| {
        let proven = facts
            .type_of(receiver)
            .is_some_and(|found| found.is(Kind::Redis) && found.proof == Proof::Proven);
        let known = facts
            .resolved(receiver)
            .is_some_and(|name| cx.profile.outage.is_client(&name));
        proven || known
    });
    HitVerdict::sure_if(of_server && expiry == Bound::Unbounded)
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!("The distributed lock of `{}` never expires.", call.callee()),
        "If its holder is killed the entry stays in the server, and every process waits for a lock that nobody will give back.",
        "Give it an expiry somewhat above the longest time it is held, and a limit for the wait.",
    )
}

fn word_spinning(call: &Call<'_>, lock: SpinLock) -> Words {
    let (what, cure) = match lock {
        SpinLock::Entry => (
            "an entry without an expiry",
            "Give the entry an expiry somewhat above the longest time it is held, and the wait a limit.",
        ),
        SpinLock::File => (
            "a file that only its maker removes",
            "Use a lock that the system gives back when its holder dies (`fcntl.flock`, `filelock`), or say how a file left behind is noticed; and give the wait a limit.",
        ),
    };
    Words::new(
        format!(
            "The lock that `{}` takes in a loop is {what}.",
            call.callee()
        ),
        "If its holder is killed nothing removes it, and every other process tries for ever.",
        cure,
    )
}
