//! Removals that the change leaves without what kept other workers safe: the file lock around them, the tolerance of a
//! path that is gone, the test under the lock.
//!
//! What is removed need not be shown to be shared: that somebody guarded it so says enough. Where a check sees the
//! removal itself, it stands, and this is silent.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Deletion, Facts, Leads, StmtId, StmtKind};
use crate::rules::{
    ASKED_BEFORE_LOCK, Anchor, Check, DELETE_NOT_IDEMPOTENT, Hit, HitVerdict, UNLOCKED_DELETE,
    Words,
};

/// What a removal has lost.
#[derive(Clone, Copy)]
enum Guard {
    Lock,
    Test,
    Tolerance,
}

impl Guard {
    /// The check whose hit the loss makes.
    fn check(self) -> &'static Check {
        match self {
            Guard::Lock => UNLOCKED_DELETE,
            Guard::Test => ASKED_BEFORE_LOCK,
            Guard::Tolerance => DELETE_NOT_IDEMPOTENT,
        }
    }
}

/// Hits at the removals that have lost a guard, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let is_own = |removal: &Deletion<'_>| {
        matches!(
            new.facts.leads(removal.path, sides.profile),
            Leads::Own | Leads::Staged | Leads::Handle
        )
    };
    let is_told = |stmt| sides.is_told(Told::ByRuleOf(UNLOCKED_DELETE), stmt);
    let removals = new.facts.deletions();
    removals
        .filter(|removal| !is_own(removal) && !is_told(removal.call.stmt()))
        .filter_map(|removal| {
            let guard = lost_guard(old, new, &removal)?;
            Some(Loss::gone(hit(new.facts, &removal, guard)))
        })
        .collect()
}

fn lost_guard(old: &Half<'_>, new: &Half<'_>, removal: &Deletion<'_>) -> Option<Guard> {
    let was = former(old, new, removal)?;
    let stmt = removal.call.stmt();
    let was_locked = old.facts.file_lock_at(was.call.stmt()).is_some();
    let is_changed = is_touched(new, stmt);
    if was_locked && is_changed && !new.facts.is_file_locked(stmt) {
        return Some(Guard::Lock);
    }
    if was_locked && new.facts.is_file_locked(stmt) && lost_test(old, new, &was, removal) {
        return Some(Guard::Test);
    }
    let is_fragile = !removal.is_tolerant && new.facts.sees_enclosure(stmt);
    (is_fragile && was.is_tolerant && is_changed).then_some(Guard::Tolerance)
}

/// The removal of the old side that this one was: the only one in its function there, and this is the only one here.
fn former<'f>(old: &Half<'f>, new: &Half<'f>, removal: &Deletion<'_>) -> Option<Deletion<'f>> {
    let scope = new.scope_names(removal.call.stmt());
    let count = |half: &Half<'f>| {
        let facts = half.facts;
        let there = facts
            .deletions()
            .filter(|other| half.scope_names(other.call.stmt()) == scope)
            .filter(|other| other.is_tree == removal.is_tree);
        there.collect::<Vec<_>>()
    };
    let (was, is) = (count(old), count(new));
    match (was.as_slice(), is.as_slice()) {
        ([was], [_]) if !scope.is_empty() => Some(*was),
        _ => None,
    }
}

/// Whether the diff changed the statement, or the lock or `try` around it.
fn is_touched(half: &Half<'_>, stmt: StmtId) -> bool {
    let mut around = half.facts.ancestors(stmt);
    half.is_changed(stmt) || around.any(|around| half.is_changed(around.stmt))
}

/// A deleted `if` under the old lock decided on the removal, and under the new one nothing does.
fn lost_test(old: &Half<'_>, new: &Half<'_>, was: &Deletion<'_>, is: &Deletion<'_>) -> bool {
    let was_asked = tests(old.facts, was)
        .into_iter()
        .any(|test| old.is_changed(test));
    was_asked && tests(new.facts, is).is_empty()
}

/// The tests under the lock that lead away from a removal, or around it, and that ask after its path.
fn tests(facts: &Facts, removal: &Deletion<'_>) -> Vec<StmtId> {
    let stmt = removal.call.stmt();
    let held = facts.held_at(stmt).last();
    let names = facts.names_behind(removal.path);
    let asks = |test| {
        let mut inside = facts.within(test);
        // That it is there says nothing that a tolerant removal must know.
        let is_call = facts
            .within(test)
            .filter_map(|id| facts.call(id))
            .any(|call| facts.asked_path(&call).is_none());
        is_call
            && inside.any(|id| {
                facts
                    .last_name(id)
                    .is_some_and(|name| names.iter().any(|known| known == name))
            })
    };
    let scope = facts.stmt(stmt).scope;
    let body: Vec<StmtId> = match held {
        Some(held) => held.body.clone(),
        None => facts.statements_of(scope).collect(),
    };
    let is_test = |other: &StmtId| match &facts.stmt(*other).kind {
        StmtKind::If { test, body, .. } => {
            let around = facts.ancestors(stmt).any(|around| around.stmt == *other);
            *other < stmt && asks(*test) && (around || facts.always_leaves(body))
        }
        _ => false,
    };
    body.into_iter().filter(is_test).collect()
}

fn hit(facts: &Facts, removal: &Deletion<'_>, guard: Guard) -> Hit {
    let stmt = removal.call.stmt();
    let proves = facts.sees_enclosure(stmt) && !matches!(guard, Guard::Tolerance);
    let verdict = HitVerdict::sure_if(proves);
    let words = word(facts.expr_text(removal.path), guard);
    Hit::new(guard.check(), Anchor::call(&removal.call), verdict, words)
}

fn word(path: &str, guard: Guard) -> Words {
    match guard {
        Guard::Lock => Words::new(
            format!("`{path}` was removed under a file lock, and is removed without it now."),
            "Whoever holds the lock to load or fill this very path loses files under its hands: the lock was there for that.",
            "Remove it while the lock is held, or say what keeps the other processes away now.",
        ),
        Guard::Test => Words::new(
            format!(
                "`{path}` was looked at again under its lock, and is removed without that now."
            ),
            "While this worker waited for the lock, the one that held it may have made the entry anew or taken it into use: then what is fresh by now is removed.",
            "Repeat the test as the first thing under the lock, and leave the entry alone where it no longer holds.",
        ),
        Guard::Tolerance => Words::new(
            format!("Removing `{path}` was no error where it was gone already; now it is."),
            "Somebody made this removal tolerant: where several workers clean up the same folder, the slower one fails now, and what comes behind is left undone.",
            "Can anybody else remove the same path? Keep `missing_ok=True` (or `ignore_errors=True`), or catch `FileNotFoundError`.",
        ),
    }
}
