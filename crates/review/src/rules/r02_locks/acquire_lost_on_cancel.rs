//! A coroutine awaits an acquire that a thread performs: cancelled, it leaves the lock to a thread that nobody asks.

use crate::facts::{Call, ExprId, ExprKind, Facts, says_lock};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "acquire-lost-on-cancel",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A coroutine has a thread acquire a lock; if it is cancelled meanwhile, the lock is taken and nobody gives it back.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(acquire) = handed_acquire(cx.facts, &call) else {
            continue;
        };
        if is_awaited_bare(cx.facts, &call) && !survives_cancel(cx.facts, &call) {
            let verdict = match cx.facts.cold_file(cx.profile) {
                Some(reason) => {
                    HitVerdict::Excused(format!("Nobody else needs the lock: {reason}."))
                }
                None => HitVerdict::Look,
            };
            let words = word(cx.facts, acquire);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// `lock.acquire` where a call hands it to a thread, itself or through a coroutine of this file that does so.
fn handed_acquire(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let hands_on = hands_to_thread(call) || runs_in_thread(facts, call);
    let (at, given) = call
        .args
        .iter()
        .enumerate()
        .find_map(|(at, arg)| Some((at, acquire_of(facts, arg.value)?)))?;
    let polls = call
        .args
        .iter()
        .any(|arg| matches!(facts.expr(arg.value).kind, ExprKind::False));
    // With no limit at all, that is the finding.
    let is_limited = at + 1 < call.args.len() || !is_bare(facts, call, at);
    (hands_on && !polls && is_limited).then_some(given)
}

fn is_bare(facts: &Facts, call: &Call<'_>, at: usize) -> bool {
    let given = call.args.get(at).map(|arg| &facts.expr(arg.value).kind);
    matches!(given, Some(ExprKind::Attribute { .. }))
}

/// A coroutine of this file that has a thread do what it is given, and does not care for a cancellation itself.
fn runs_in_thread(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(function) = facts
        .callee_scope(call)
        .filter(|&function| facts.is_async(function))
    else {
        return false;
    };
    let cares = |inner: &Call<'_>| inner.name() == "shield" || survives_cancel(facts, inner);
    facts
        .calls_of(function)
        .any(|inner| hands_to_thread(&inner))
        && !facts.calls_of(function).any(|inner| cares(&inner))
}

fn hands_to_thread(call: &Call<'_>) -> bool {
    matches!(call.name(), "run_in_executor" | "to_thread" | "run_sync")
}

/// `lock.acquire`, `partial(lock.acquire, timeout=5)`, `lambda: lock.acquire(timeout=5)`.
fn acquire_of(facts: &Facts, given: ExprId) -> Option<ExprId> {
    match &facts.expr(given).kind {
        ExprKind::Attribute { .. } => Some(given).filter(|&id| is_acquire(facts, id)),
        ExprKind::Lambda { body, .. } => acquire_of(facts, facts.call(*body)?.function),
        ExprKind::Call { .. } => {
            let call = facts.call(given).filter(|call| call.name() == "partial")?;
            acquire_of(facts, call.positional(0)?)
        }
        _ => None,
    }
}

/// A method that acquires, of what is a lock or says so.
fn is_acquire(facts: &Facts, id: ExprId) -> bool {
    let Some((object, method)) = facts.attribute(id) else {
        return false;
    };
    let is_named = || {
        let says = |name: &str| {
            let mut words = topic::words(name);
            says_lock(name) || words.any(|word| matches!(&*word, "semaphore" | "sem"))
        };
        facts.last_name(object).is_some_and(says)
    };
    let acquires = topic::begins_with_word(method, "acquire");
    acquires && (facts.lock(object).is_some() || is_named())
}

/// The coroutine itself waits for the thread, with no `shield` in between.
fn is_awaited_bare(facts: &Facts, call: &Call<'_>) -> bool {
    facts.is_async(call.scope()) && call.is_awaited() && !facts.is_given_to(call.id, &["shield"])
}

/// A handler for the cancellation is there, or a `finally` that gives back what was taken.
fn survives_cancel(facts: &Facts, call: &Call<'_>) -> bool {
    let mut around = facts.handlers_around(call.stmt());
    let catches = around.any(|handler| facts.catches_cancel(handler));
    let gives_back = facts.finally_blocks(call.stmt()).any(|block| {
        let inside = facts.statements_in(block);
        let mut calls = inside.into_iter().flat_map(|stmt| facts.calls_in(stmt));
        calls.any(|call| topic::has_word(call.name(), "release"))
    });
    catches || gives_back
}

fn word(facts: &Facts, acquire: ExprId) -> Words {
    let acquire = facts.shown(acquire);
    Words::new(
        format!("`{acquire}` runs in a thread, and the coroutine that awaits it can be cancelled."),
        "The thread cannot be cancelled: it gets the lock a moment later, the coroutine is gone, and nobody gives the lock back.",
        "Can this coroutine be cancelled or timed out? Then await the acquire through `asyncio.shield`, and release the lock when a cancelled one gets it after all.",
    )
}
