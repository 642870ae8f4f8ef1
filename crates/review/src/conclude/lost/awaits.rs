//! Closes that the change no longer awaits: a coroutine that nobody awaits never runs.

use super::Loss;
use crate::conclude::seen::{Half, Seen};
use crate::facts::{Call, StmtId};
use crate::plan::Plan;
use crate::rules::{self, Anchor, Hit, HitVerdict, Words};

/// The check whose hit the loss makes.
const CHECK: &str = "resource-not-closed";

/// Methods that end an object.
const ENDS: &[&str] = &[
    "close",
    "aclose",
    "stop",
    "disconnect",
    "shutdown",
    "wait_closed",
    "release",
    "cleanup",
];

/// Hits at such calls, on the new side of a file.
pub(super) fn lost(plan: &Plan, file: &Seen<'_>) -> Vec<Loss> {
    let Some((old, new)) = file.warm_sides(&plan.profile) else {
        return Vec::new();
    };
    let stmts = old.changed.iter().map(|&(stmt, _)| stmt);
    let awaited = stmts.flat_map(|stmt| {
        let calls = old
            .facts
            .calls_in(stmt)
            .filter(|call| ends(call) && call.is_awaited());
        calls.map(move |call| (stmt, call))
    });
    awaited
        .filter_map(|(deleted, call)| {
            let hit = unawaited(old, new, &call).and_then(|now| hit(new, &now))?;
            Some(Loss { hit, deleted })
        })
        .collect()
}

fn ends(call: &Call<'_>) -> bool {
    call.method().is_some_and(|name| ENDS.contains(&name))
}

/// The same call in the same function, as a statement of its own.
fn unawaited<'n>(old: &Half<'_>, new: &'n Half<'_>, call: &Call<'_>) -> Option<Call<'n>> {
    let scope = old.scope_names(call.stmt());
    let text = old.facts.expr_text(call.id);
    let stmts = new.changed.iter().map(|&(stmt, _)| stmt);
    let mut calls = stmts.flat_map(|stmt| new.facts.calls_in(stmt));
    calls.find(|now| {
        let same = new.facts.expr_text(now.id) == text && new.scope_names(now.stmt()) == scope;
        same && now.is_dropped() && !now.is_awaited()
    })
}

fn hit(new: &Half<'_>, call: &Call<'_>) -> Option<Hit> {
    let is_told = |stmt: StmtId| {
        let mut sightings = new.sightings.iter();
        sightings.any(|sighting| sighting.hit.check.id == CHECK && sighting.hit.anchor.stmt == stmt)
    };
    let check = rules::checks().find(|check| check.id == CHECK)?;
    let text = new.facts.shown(call.id);
    let words = Words::new(
        format!("`{text}` was awaited before this change, and is not any more."),
        "If it is a coroutine still, it never runs: nothing is closed, and Python warns of it at best.",
        "Does the object close without waiting now? If not, await it again.",
    );
    (!is_told(call.stmt())).then(|| Hit::new(check, Anchor::call(call), HitVerdict::Look, words))
}
