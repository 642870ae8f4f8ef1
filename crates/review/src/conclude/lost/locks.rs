//! Locks that the change takes away from around shared things that it goes on to use.
//!
//! Where a diff deletes `with self._lock:` and keeps what stood in it, either the object is no longer shared or the
//! lock is missed. That a lock is held for less than before is no loss: then the function still takes one.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Call, ExprId, Facts, Held, Kind, Reach, StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, INCONSISTENT_LOCK, Words};

/// Hits at what has lost its lock, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let deleted = old.facts.held().iter().filter(|held| {
        old.facts.is_changed(held.span) && is_of_object(old.facts, held) && is_kept(old, new, held)
    });
    deleted
        .filter_map(|held| {
            let (stmt, used) = unguarded(old, new, held)?;
            let is_told = sides.is_told(Told::ByRuleOf(INCONSISTENT_LOCK), stmt);
            (!is_told).then(|| Loss::gone(hit(old.facts, new.facts, held, stmt, used)))
        })
        .collect()
}

/// A lock of an object, class or module that callers share.
fn is_of_object(facts: &Facts, held: &Held) -> bool {
    let is_plain = matches!(
        held.lock.kind,
        Kind::ThreadLock | Kind::ReentrantLock | Kind::AsyncLock
    );
    is_plain && facts.reach(held.lock.expr) != Reach::Local
}

/// Neither does the change delete where the lock is made, nor does it name the lock anew.
fn is_kept(old: &Half<'_>, new: &Half<'_>, held: &Held) -> bool {
    let lock = old.facts.dotted(held.lock.expr);
    let names =
        |facts: &Facts, stmt: StmtId| facts.exprs_of(stmt).any(|id| facts.dotted(id) == lock);
    let is_unmade = old.changed_stmts().any(|stmt| {
        matches!(old.facts.stmt(stmt).kind, StmtKind::Assign { .. }) && names(old.facts, stmt)
    });
    let is_renamed = new.changed_stmts().any(|stmt| names(new.facts, stmt));
    lock.is_some() && !is_unmade && !is_renamed
}

/// The statement of the new side that uses what the lock guarded, in the same function, which takes no lock any more.
fn unguarded(old: &Half<'_>, new: &Half<'_>, held: &Held) -> Option<(StmtId, ExprId)> {
    let scope = old.scope_names(held.stmt);
    let guarded: Vec<String> = held
        .body
        .iter()
        .flat_map(|&stmt| shared_uses(old.facts, stmt))
        .filter_map(|id| old.facts.dotted(id))
        .collect();
    let used = |stmt: StmtId| {
        let uses = shared_uses(new.facts, stmt);
        uses.into_iter().find(|&id| {
            new.facts
                .dotted(id)
                .is_some_and(|text| guarded.contains(&text))
        })
    };
    new.changed_stmts()
        .find_map(|stmt| {
            let is_there = !scope.is_empty() && new.scope_names(stmt) == scope;
            used(stmt).filter(|_| is_there).map(|id| (stmt, id))
        })
        .filter(|&(stmt, _)| !takes_lock(new.facts, stmt))
}

/// What a statement calls on shared things, changes of them, or goes through.
fn shared_uses(facts: &Facts, stmt: StmtId) -> Vec<ExprId> {
    let calls = shared_calls(facts, stmt);
    let is_shared =
        |&id: &ExprId| facts.self_attribute(id).is_some() || facts.reach(id).is_process_wide();
    let state = facts
        .changed_by(stmt)
        .into_iter()
        .chain(facts.walked_by(stmt));
    calls.chain(state.filter(is_shared)).collect()
}

/// What a statement calls on fields of `self`, of its class, or of the module: `self._model.generate`.
fn shared_calls(facts: &Facts, stmt: StmtId) -> impl Iterator<Item = ExprId> {
    facts.calls_in(stmt).filter_map(|call| {
        let receiver = call.receiver()?;
        // `self.embed(...)`: the object's own work, which is not shown to take a lock of its own.
        let is_own = || facts.name(receiver) == Some("self") && !locks_itself(facts, &call);
        let is_shared = facts.self_attribute(receiver).is_some()
            || facts.reach(receiver).is_process_wide()
            || is_own();
        // Reading a container's entry, and telling a log, needs no lock.
        let is_light =
            call.is_message() || matches!(call.name(), "get" | "keys" | "items" | "values");
        (is_shared && !is_light).then_some(call.function)
    })
}

fn locks_itself(facts: &Facts, call: &Call<'_>) -> bool {
    let callee = facts.callee_scope(call);
    callee.is_some_and(|callee| facts.held().iter().any(|held| held.scope == callee))
}

/// The function takes some lock, or each of its callers does.
fn takes_lock(facts: &Facts, stmt: StmtId) -> bool {
    let scope = facts.stmt(stmt).scope;
    let own = facts.held().iter().any(|held| held.scope == scope);
    let function = facts.function_of(scope);
    let by_callers = function.and_then(|function| facts.callers_hold(function)) == Some(true);
    own || by_callers || facts.held_at(stmt).next().is_some()
}

fn hit(old: &Facts, new: &Facts, held: &Held, stmt: StmtId, used: ExprId) -> Hit {
    let (lock, what) = (old.shown(held.lock.expr), new.shown(used));
    let parent = new.expr(used).parent.and_then(|parent| new.call(parent));
    let does = match parent.is_some_and(|call| call.function == used) {
        true => "runs",
        false => "is used",
    };
    let handover = new.handover_of(stmt);
    let verdict = match handover {
        Some(_) => HitVerdict::Violation,
        None => HitVerdict::Look,
    };
    let ask = match handover {
        Some(_) => format!("Take `{lock}` around it again, for each thread."),
        None => format!(
            "Can two threads come here at once? If so, keep `{lock}`; if not, say who keeps them apart now."
        ),
    };
    let words = Words::new(
        format!("`{what}` {does} without `{lock}` now, which was held for it before."),
        "Nothing that is shown has taken the lock's place, and the object is still the same for all who call.",
        ask,
    );
    let anchor = Anchor {
        stmt,
        span: new.expr(used).span,
    };
    let mut hit = Hit::new(INCONSISTENT_LOCK, anchor, verdict, words);
    if let Some(handover) = handover {
        let span = new.expr(handover.call).span;
        hit = hit.with_related(span, "another thread runs it from here");
    }
    hit
}
