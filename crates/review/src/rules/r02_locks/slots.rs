//! Slots that one helper takes and another gives back, with work in between that can raise.

use super::escape::can_raise;
use crate::facts::{Call, Facts, Held, ScopeId, Span, StmtId, Taken};

/// A slot that a function takes through a helper and loses where the work fails.
pub(super) struct LostSlot {
    /// The call of the helper that takes it.
    pub(super) taken: StmtId,
    pub(super) span: Span,
    pub(super) lock: String,
    /// What can raise with the slot taken.
    pub(super) raises: StmtId,
    /// What would give it back.
    pub(super) given_back: Span,
}

/// The slots that are lost where a function's own work raises.
pub(super) fn lost_slots(facts: &Facts) -> Vec<LostSlot> {
    let acquirers = facts.held().iter().filter_map(|held| {
        let function = facts.function_of(facts.stmt(held.stmt).scope)?;
        let by_hand = matches!(held.taken, Taken::Acquire(_)) && held.release.is_none();
        by_hand.then_some((held, function))
    });
    acquirers
        .flat_map(|(held, function)| {
            let calls = facts.calls_to(function);
            calls.filter_map(move |call| lost(facts, held, function, &call))
        })
        .collect()
}

fn lost(facts: &Facts, held: &Held, acquirer: ScopeId, call: &Call<'_>) -> Option<LostSlot> {
    let caller = facts.function_of(call.scope())?;
    if facts.is_acquirer(call.stmt()) || facts.canonical(caller) == facts.canonical(acquirer) {
        return None;
    }
    let later: Vec<StmtId> = facts.following(call.stmt()).iter().copied().collect();
    let at = later
        .iter()
        .position(|&stmt| gives_back(facts, stmt, held, 2))?;
    let before: Vec<StmtId> = later.iter().copied().take(at).collect();
    let raises = before
        .into_iter()
        .filter(|&stmt| facts.blocks(stmt).is_empty())
        .find(|&stmt| can_raise(facts, stmt))?;
    let given_back = facts.stmt(*later.get(at)?).head;
    let is_covered = facts.protecting_tries(call.stmt()).next().is_some();
    (!is_covered).then(|| LostSlot {
        taken: call.stmt(),
        span: call.span(),
        lock: facts.shown(held.lock.expr),
        raises,
        given_back,
    })
}

/// The statement releases the lock, or calls or hands on a function of this file that does, at most so deep.
fn gives_back(facts: &Facts, stmt: StmtId, held: &Held, depth: u32) -> bool {
    if facts.gives_back(stmt, &held.lock) {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    facts
        .exprs_of(stmt)
        .filter_map(|id| facts.function_given(id))
        .any(|function| {
            facts
                .statements_of(function)
                .any(|inner| gives_back(facts, inner, held, depth))
        })
}
