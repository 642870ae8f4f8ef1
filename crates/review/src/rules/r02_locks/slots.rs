//! Slots that one helper takes and another gives back, with work in between that can raise.

use super::escape::skips_release;
use crate::facts::{Call, Facts, Held, ScopeId, Span, StmtId, StmtKind, Taken, says_lock};

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
        let function = facts.function_of(held.scope)?;
        let by_hand = matches!(held.taken, Taken::Acquire(_)) && held.release.is_none();
        by_hand.then_some((held, function))
    });
    let known = acquirers.flat_map(|(held, function)| {
        let calls = facts.calls_to(function);
        calls.filter_map(move |call| lost(facts, held, function, &call))
    });
    let mut found: Vec<LostSlot> = known.collect();
    for slot in facts.calls().filter_map(|call| lost_by_name(facts, &call)) {
        if found.iter().all(|other| other.span != slot.span) {
            found.push(slot);
        }
    }
    found
}

fn lost(facts: &Facts, held: &Held, acquirer: ScopeId, call: &Call<'_>) -> Option<LostSlot> {
    let caller = facts.function_of(call.scope())?;
    if facts.is_acquirer(call.stmt()) || facts.canonical(caller) == facts.canonical(acquirer) {
        return None;
    }
    let later = facts.following(call.stmt());
    let at = later
        .iter()
        .position(|&stmt| gives_back(facts, stmt, held, 2))?;
    let (raises, given_back) = work_between(facts, later, at)?;
    let is_covered = facts.protecting_tries(call.stmt()).next().is_some();
    (!is_covered).then(|| LostSlot {
        taken: call.stmt(),
        span: call.span(),
        lock: facts.shown(held.lock.expr),
        raises,
        given_back,
    })
}

/// `await acquire_model_slot()` and further down `release_model_slot()`: two helpers whose names belong together.
fn lost_by_name(facts: &Facts, call: &Call<'_>) -> Option<LostSlot> {
    let of_what = call
        .name()
        .trim_start_matches('_')
        .strip_prefix("acquire_")?;
    let counts = |word: &str| matches!(word, "semaphore" | "slot" | "permit" | "token" | "lease");
    let is_slot = says_lock(of_what) || topic::words(of_what).any(|word| counts(&word));
    let back = call.name().replacen("acquire_", "release_", 1);
    if !is_slot || facts.is_acquirer(call.stmt()) {
        return None;
    }
    let gives_back = |stmt: StmtId| facts.calls_in(stmt).any(|other| other.name() == back);
    let later = facts.following(call.stmt());
    let at = later.iter().position(|&stmt| gives_back(stmt))?;
    let (raises, given_back) = work_between(facts, later, at)?;
    let is_covered = facts.protecting_tries(call.stmt()).next().is_some();
    (!is_covered).then(|| LostSlot {
        taken: call.stmt(),
        span: call.span(),
        lock: of_what.to_string(),
        raises,
        given_back,
    })
}

/// The first statement that can raise in front of the one that gives the slot back, and that one.
fn work_between(facts: &Facts, later: &[StmtId], at: usize) -> Option<(StmtId, Span)> {
    let mut before = later.iter().copied().take(at);
    let raises = before.find(|&stmt| {
        facts.blocks(stmt).is_empty() && skips_release(facts, stmt) && !only_prepares(facts, stmt)
    })?;
    Some((raises, facts.stmt(*later.get(at)?).head))
}

/// A new id, and a generator that starts to run only when its response is sent.
fn only_prepares(facts: &Facts, stmt: StmtId) -> bool {
    let is_plain = |call: &Call<'_>| matches!(call.name(), "uuid4" | "uuid1" | "str" | "hex");
    let streams = |call: &Call<'_>| {
        let target = match &facts.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => targets.first().and_then(|&t| facts.name(t)),
            _ => None,
        };
        let is_sent = |sends: Call<'_>| {
            let content = sends.arg(0, "content").and_then(|id| facts.name(id));
            content.is_some() && content == target
        };
        !call.is_awaited()
            && ["StreamingResponse", "EventSourceResponse"]
                .iter()
                .any(|name| facts.calls_named(name).any(is_sent))
    };
    facts
        .calls_in(stmt)
        .all(|call| is_plain(&call) || streams(&call))
        && !facts.awaits(stmt)
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
