//! A lock of threads in a coroutine: held across an `await`, or waited for on the event loop.

use crate::facts::{Facts, Held, Kind, Proof, StmtId, Taken};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "thread-lock-across-await",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A threading lock is held across an `await`, or a coroutine blocks its loop with `acquire()`.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts.held().iter().filter(|held| blocks_loop(facts, held)) {
        if let Some(awaiting) = first_await(facts, held) {
            out.hits.push(across_await(cx, held, awaiting));
        } else if waits_on_loop(facts, held) {
            let anchor = anchor(held);
            let verdict = by_proof(cx, held);
            let words = word_acquire(&facts.shown(held.lock.expr));
            out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
        } else {
            out.evidence(
                2,
                held.span,
                "the thread lock is given back before anything is awaited",
            );
        }
    }
}

/// Taken by a coroutine itself, in the way of threads. An `async with` proves the other kind.
fn blocks_loop(facts: &Facts, held: &Held) -> bool {
    let in_coroutine = facts.is_async(held.scope);
    let in_thread = match held.taken {
        Taken::Acquire(id) => facts
            .call(id)
            .is_none_or(|call| call.method() != Some("acquire")),
        Taken::With | Taken::Context(_) | Taken::Decorator(_) => false,
    };
    in_coroutine && !in_thread && !held.lock.is_async() && held.lock.kind != Kind::DistributedLock
}

fn first_await(facts: &Facts, held: &Held) -> Option<StmtId> {
    held.body.iter().copied().find(|&stmt| facts.awaits(stmt))
}

/// An explicit acquire that may wait. A `with` around a few lines is short by custom.
fn waits_on_loop(facts: &Facts, held: &Held) -> bool {
    let Taken::Acquire(id) = held.taken else {
        return false;
    };
    facts.call(id).is_some_and(|call| {
        let blocking = call.keyword("blocking").or_else(|| call.positional(0));
        let polls = blocking.is_some_and(|value| facts.expr_text(value) == "False");
        let at_once = call
            .keyword("timeout")
            .is_some_and(|value| facts.expr_text(value) == "0");
        !polls && !at_once && !call.is_awaited()
    })
}

fn across_await(cx: &Context<'_>, held: &Held, awaiting: StmtId) -> Hit {
    let facts = cx.facts;
    // A plain `with` on something called a lock is no asyncio lock: those refuse it.
    let verdict = match held.taken {
        Taken::With => excuse_cold(cx, HitVerdict::Violation),
        _ => by_proof(cx, held),
    };
    let span = facts.stmt(awaiting).head;
    let words = word_await(&facts.shown(held.lock.expr));
    let mut hit = Hit::new(&CHECK, anchor(held), verdict, words)
        .with_related(span, "the coroutine is suspended here with the lock held");
    hit.causes.push(span);
    hit
}

fn anchor(held: &Held) -> Anchor {
    Anchor {
        stmt: held.stmt,
        span: held.span,
    }
}

fn by_proof(cx: &Context<'_>, held: &Held) -> HitVerdict {
    match held.lock.proof {
        Proof::Proven => excuse_cold(cx, HitVerdict::Violation),
        Proof::Named => excuse_cold(cx, HitVerdict::Look),
    }
}

fn excuse_cold(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    match cx.facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("No loop is shared: {reason}.")),
        None => verdict,
    }
}

fn word_await(lock: &str) -> Words {
    Words::new(
        format!("`{lock}`, a lock of threads, is held across an `await`."),
        "While the coroutine is suspended, the next one that wants the lock blocks the whole event loop, and then nobody can resume the first.",
        "Give the lock back before the `await`, or use an asyncio lock that belongs to this loop.",
    )
}

fn word_acquire(lock: &str) -> Words {
    Words::new(
        format!("A coroutine waits for `{lock}`, a lock of threads, on the event loop."),
        "Until the lock is free no other coroutine runs, also not the one that could free it.",
        "Use an asyncio lock, or take the lock in a worker thread.",
    )
}
