//! A lock of coroutines that its handlers give back on an error, but not when the coroutine is cancelled.

use crate::facts::{Facts, Held, StmtId};

/// The first await behind an acquire that only an `except Exception` protects: a cancellation passes it by.
pub(super) fn lost_on_cancel(facts: &Facts, held: &Held) -> Option<StmtId> {
    let by_handler = |stmt: StmtId| {
        let mut around = facts.handlers_around(stmt);
        around.any(|handler| facts.gives_back_within(&handler.body, &held.lock))
    };
    let mut awaits = held.body.iter().copied().filter(|&stmt| {
        facts.blocks(stmt).is_empty() && facts.awaits(stmt) && !held.unguarded.contains(&stmt)
    });
    let is_async = held.lock.is_async();
    awaits.find(|&stmt| is_async && by_handler(stmt) && !survives(facts, held, stmt))
}

/// A `finally`, or a handler that sees the cancellation, gives the lock back.
fn survives(facts: &Facts, held: &Held, stmt: StmtId) -> bool {
    let gives = |block: &[StmtId]| facts.gives_back_within(block, &held.lock);
    facts.finally_blocks(stmt).any(|block| gives(block))
        || facts
            .handlers_around(stmt)
            .filter(|handler| facts.catches_cancel(handler))
            .any(|handler| gives(&handler.body))
        || facts
            .protecting_tries(stmt)
            .any(|outer| facts.end_of_try_is_hidden(outer))
}
