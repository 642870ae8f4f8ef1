//! What ended a thread's loop, where the change deletes it: the flag in its head, the sentinel in its body.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, THREAD_WITHOUT_STOP_FLAG, Words};

/// Hits at loops that nothing shown ends any more, on the new side of a file. A coroutine's is ended by its task.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let endless = loops(new).filter(|&stmt| {
        let scope = new.facts.stmt(stmt).scope;
        new.facts.is_endless_loop(stmt) && !new.facts.is_async(scope) && !is_told(sides, stmt)
    });
    endless
        .filter_map(|stmt| {
            let deleted = ending(old, before(old, new, stmt)?)?;
            Some(Loss::with(deleted, hit(new, stmt)))
        })
        .collect()
}

fn loops<'h>(half: &'h Half<'_>) -> impl Iterator<Item = StmtId> + 'h {
    let is_loop = |&stmt: &StmtId| matches!(half.facts.stmt(stmt).kind, StmtKind::While { .. });
    half.facts.stmt_ids().filter(is_loop)
}

/// The loop of the old side that this one was: the only one of the same function.
fn before(old: &Half<'_>, new: &Half<'_>, stmt: StmtId) -> Option<StmtId> {
    let scope = new.scope_names(stmt);
    let mut there = loops(old).filter(|&stmt| old.scope_names(stmt) == scope);
    let is_alone = loops(new)
        .filter(|&stmt| new.scope_names(stmt) == scope)
        .count()
        == 1;
    let before = there.next().filter(|_| is_alone && !scope.is_empty())?;
    (there.next().is_none() && !old.facts.is_endless_loop(before)).then_some(before)
}

/// The deleted statement that could end the loop: its head, or a way out of its body.
fn ending(old: &Half<'_>, outer: StmtId) -> Option<StmtId> {
    let facts = old.facts;
    let span = facts.stmt(outer).span;
    let ends = |stmt: StmtId| {
        let leaves = matches!(
            facts.stmt(stmt).kind,
            StmtKind::Break | StmtKind::Return(_) | StmtKind::Raise
        );
        stmt == outer || (leaves && span.contains(facts.stmt(stmt).span))
    };
    let mut changed = old.changed.iter().map(|&(stmt, _)| stmt);
    changed.find(|&stmt| ends(stmt))
}

/// The check has seen the loop itself, or the thread that runs it.
fn is_told(sides: &Sides<'_>, outer: StmtId) -> bool {
    let head = sides.new.facts.stmt(outer).head;
    sides
        .told(Told::By(THREAD_WITHOUT_STOP_FLAG))
        .any(|sighting| sighting.head == head || sighting.hit.causes.contains(&head))
}

fn hit(new: &Half<'_>, stmt: StmtId) -> Hit {
    let words = Words::new(
        "The change deletes what ended this loop, and nothing else that is shown does.",
        "Whoever sets the flag or sends the sentinel at shutdown is not heard any more: the thread goes on, or the join for it never comes back.",
        "What ends the loop now? If nothing does, keep the test of the flag or of the sentinel.",
    );
    let anchor = Anchor::stmt(new.facts, stmt);
    Hit::new(THREAD_WITHOUT_STOP_FLAG, anchor, HitVerdict::Look, words)
}
