//! A lock of coroutines that is held over a call which does not await: the whole loop waits, not only who wants the lock.

use super::lock_across_blocking::{Slow, What};
use crate::facts::{Call, ExprId, ExprKind, Facts, Held, Proof, StmtKind};
use crate::rules::{Context, HitVerdict, Words};

/// Whether the slow call keeps the loop's thread: neither is it awaited, nor does it make something to await.
pub(super) fn stops_loop(facts: &Facts, slow: &Slow) -> bool {
    let Some(call) = facts.call(slow.at) else {
        return false;
    };
    let of_coroutine = facts
        .callee(&call)
        .is_some_and(|(home, function)| home.is_async(function));
    let waits = matches!(slow.what, What::Waits(_) | What::Deeper(..));
    waits && !of_coroutine && !is_for_loop(facts, &call)
}

/// `await client.get(...)`, `async with session.get(...)`, `create_task(fetch(...))`, `asyncio.sleep(1)`.
fn is_for_loop(facts: &Facts, call: &Call<'_>) -> bool {
    let in_async_block = match facts.stmt(call.stmt()).kind {
        StmtKind::With { is_async, .. } | StmtKind::For { is_async, .. } => is_async,
        _ => false,
    };
    let parents = std::iter::successors(facts.expr(call.id).parent, |&at| facts.expr(at).parent);
    let mut parents = parents;
    let is_taken = |at: ExprId| match facts.expr(at).kind {
        ExprKind::Await(_) => true,
        ExprKind::Call { .. } => facts
            .call(at)
            .is_some_and(|around| TAKES.contains(&around.name())),
        _ => false,
    };
    in_async_block || call.callee().starts_with("asyncio.") || parents.any(is_taken)
}

/// What is given something to await.
const TAKES: &[&str] = &[
    "create_task",
    "ensure_future",
    "gather",
    "wait",
    "wait_for",
    "shield",
    "start_soon",
    "enter_async_context",
];

pub(super) fn verdict_on_loop(cx: &Context<'_>, slow: &Slow) -> HitVerdict {
    if let Some(reason) = cx.facts.cold_file(cx.profile) {
        return HitVerdict::Excused(format!("Nobody else runs on the loop: {reason}."));
    }
    match (slow.what, slow.proof) {
        (What::Waits(_), Proof::Proven) => HitVerdict::Violation,
        _ => HitVerdict::Look,
    }
}

pub(super) fn word_loop(facts: &Facts, held: &Held, slow: &Slow) -> Words {
    let lock = facts.shown(held.lock.expr);
    let call = facts.call(slow.at).map_or(slow.at, |call| call.function);
    let call = facts.shown(call);
    let what = match slow.what {
        What::Waits(wait) | What::Deeper(wait, _) => wait.noun(),
        What::SecondLock | What::MakesEntry | What::Generates => "others",
    };
    Words::new(
        format!(
            "`{lock}` is held while `{call}` waits for {what} and keeps the event loop from running."
        ),
        "It is no coroutine: until it is back nothing else of this loop runs, also not what never asks for the lock.",
        "Run it in a thread (`await asyncio.to_thread(...)`) or use a client that awaits, and hold the lock only where its outcome is published.",
    )
}
