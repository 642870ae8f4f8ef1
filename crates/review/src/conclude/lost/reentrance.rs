//! Locks that their holder could take twice, and that the change makes plain ones; and waits under a lock that did not wait.
//!
//! Where the file shows who takes the lock again, the check of nested locks says so, and this is silent.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Call, ExprId, Facts, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, LOCK_ACROSS_BLOCKING, NESTED_LOCK, Words};

/// Hits at locks that are plain now, and at waits under a lock, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let is_told = sides.told(Told::By(NESTED_LOCK)).next().is_some();
    let plain = new.changed_stmts().filter_map(|stmt| {
        let target = made(new.facts, stmt, Kind::ThreadLock).filter(|_| !is_told)?;
        (was_reentrant(old, new.facts, target) && may_nest(new.facts, target))
            .then(|| word_plain(new.facts, stmt, target))
    });
    let waits = new.changed_calls().filter_map(|wait| {
        let held = new.facts.held_at(wait.stmt()).next()?;
        let lock = new.facts.shown(held.lock.expr);
        waits_now(old, new, &wait).then(|| word_waits(new.facts, &wait, &lock))
    });
    plain.chain(waits).map(Loss::gone).collect()
}

/// The target that a statement gives a new lock of this kind.
fn made(facts: &Facts, stmt: StmtId, kind: Kind) -> Option<ExprId> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let call = facts.call(*value)?;
    let target = targets.first().copied();
    target.filter(|_| facts.constructs(&call) == Some(kind))
}

fn was_reentrant(old: &Half<'_>, facts: &Facts, target: ExprId) -> bool {
    let name = facts.dotted(target);
    name.is_some()
        && old.changed_stmts().any(|stmt| {
            let was = made(old.facts, stmt, Kind::ReentrantLock);
            was.is_some_and(|was| old.facts.dotted(was) == name)
        })
}

/// Some of the code that could take it again is hidden, and something is called or read while it is held.
fn may_nest(facts: &Facts, target: ExprId) -> bool {
    let class = facts.class_of(facts.expr(target).scope);
    let is_shown = class.map_or(facts.document.whole, |class| facts.is_visible(class));
    let name = facts.dotted(target);
    let mut regions = facts
        .held()
        .iter()
        .filter(|held| facts.dotted(held.lock.expr) == name)
        .peekable();
    let runs_own = |&stmt: &StmtId| {
        facts
            .exprs_of(stmt)
            .any(|id| facts.property_read(id).is_some() || calls_self(facts, id))
    };
    let none_shown = regions.peek().is_none();
    !is_shown && (none_shown || regions.any(|held| held.body.iter().any(runs_own)))
}

fn calls_self(facts: &Facts, id: ExprId) -> bool {
    facts
        .call(id)
        .is_some_and(|call| facts.self_attribute(call.function).is_some())
}

fn word_plain(facts: &Facts, stmt: StmtId, target: ExprId) -> Hit {
    let lock = facts.shown(target);
    let words = Words::new(
        format!("`{lock}` could be taken again by its holder before; now that waits for ever."),
        "Somebody chose a lock that knows its holder. A method that holds it and calls another one which takes it, too, stops there with a plain one.",
        format!(
            "Does anything that runs under `{lock}` take it again, a property or a callback included? Look at all its uses before it becomes a plain lock."
        ),
    );
    let anchor = Anchor::stmt(facts, stmt);
    Hit::new(NESTED_LOCK, anchor, HitVerdict::Look, words)
}

/// `queue.put(item)` where `queue.put_nowait(item)` stood in the same function.
fn waits_now(old: &Half<'_>, new: &Half<'_>, wait: &Call<'_>) -> bool {
    let plain = match wait.method() {
        Some("put") if wait.args.len() == 1 => "put_nowait",
        Some("get") if wait.args.is_empty() => "get_nowait",
        _ => return false,
    };
    let of =
        |half: &Half<'_>, call: &Call<'_>| call.receiver().and_then(|of| half.facts.dotted(of));
    let scope = new.scope_names(wait.stmt());
    let tries = |half: &Half<'_>| {
        let is_it = |call: &Call<'_>| {
            call.method() == Some(plain)
                && of(half, call).is_some()
                && of(half, call) == of(new, wait)
        };
        let mut calls = half.changed_calls();
        calls.any(|call| half.scope_names(call.stmt()) == scope && is_it(&call))
    };
    !wait.is_awaited() && tries(old) && !tries(new)
}

fn word_waits(facts: &Facts, wait: &Call<'_>, lock: &str) -> Hit {
    let what = facts.expr_text(wait.function);
    let words = Words::new(
        format!(
            "`{lock}` is held while `{what}` waits for the other end of a queue; before, it did not wait."
        ),
        "Whoever needs the lock waits as long, and if the other end needs it to make room, both stand still for good.",
        "Take what is needed under the lock and wait outside of it, or keep the form that does not wait and say what is dropped.",
    );
    let anchor = Anchor::call(wait);
    Hit::new(LOCK_ACROSS_BLOCKING, anchor, HitVerdict::Look, words)
}
