//! Files that the change writes straight to the name onto which it moved what was complete before.

use crate::conclude::seen::{Half, Seen};
use crate::facts::{CacheProof, Facts, Leads, Move, Write};
use crate::plan::Plan;
use crate::rules::{self, Anchor, Check, Hit, HitVerdict, Words};

/// The check whose hit the loss makes.
const CHECK: &str = "bare-cache-write";

/// Hits at the writes that have lost their replace, on the new side of a file.
pub(super) fn lost(plan: &Plan, file: &Seen<'_>) -> Vec<Hit> {
    let Some((old, new)) = file.warm_sides(&plan.profile) else {
        return Vec::new();
    };
    let changed = |write: &Write<'_>| {
        let stmt = write.call.stmt();
        new.changed.iter().any(|&(other, _)| other == stmt)
    };
    let writes = new.facts.writes().filter(changed);
    writes
        .filter(|write| !is_told(new, write) && !new.facts.is_moved_away(write.path))
        .filter_map(|write| {
            let moved = former(old, new, &write)?;
            hit(plan, old.facts, new.facts, &write, &moved)
        })
        .collect()
}

/// The deleted replace of the same function onto the name that is written now, where no replace onto it is left.
fn former<'f>(old: &Half<'f>, new: &Half<'_>, write: &Write<'_>) -> Option<Move<'f>> {
    let scope = new.scope_names(write.call.stmt());
    let target = target(new.facts, write.path);
    let is_left = new
        .facts
        .moves()
        .any(|moved| self::target(new.facts, moved.to) == target);
    let is_deleted = |moved: &Move<'_>| {
        let stmt = moved.call.stmt();
        old.changed.iter().any(|&(other, _)| other == stmt) && old.scope_names(stmt) == scope
    };
    old.facts
        .moves()
        .filter(|_| !is_left && !scope.is_empty())
        .filter(is_deleted)
        .find(|moved| self::target(old.facts, moved.to) == target)
}

/// `self._target` of `str(self._target)`, without white space.
fn target(facts: &Facts, path: crate::facts::ExprId) -> String {
    let inner = facts
        .call(path)
        .filter(|call| call.is(&["str", "os.fspath", "pathlib.Path"]) && call.args.len() == 1)
        .and_then(|call| call.positional(0));
    let text = facts.expr_text(inner.unwrap_or(path));
    text.split_whitespace().collect()
}

/// Whether a check of the rule has something to say of the statement already.
fn is_told(new: &Half<'_>, write: &Write<'_>) -> bool {
    let stmt = write.call.stmt();
    let mut sightings = new.sightings.iter();
    sightings.any(|sighting| {
        let hit = &sighting.hit;
        hit.anchor.stmt == stmt
            && hit.check.rule == 5
            && !matches!(hit.verdict, HitVerdict::Excused(_))
    })
}

fn hit(plan: &Plan, old: &Facts, new: &Facts, write: &Write<'_>, moved: &Move<'_>) -> Option<Hit> {
    let check: &'static Check = rules::checks().find(|check| check.id == CHECK)?;
    let leads = [
        new.leads(write.path, &plan.profile),
        old.leads(moved.to, &plan.profile),
    ];
    let is_cached = leads
        .iter()
        .any(|leads| matches!(leads, Leads::Cache(CacheProof::Flows | CacheProof::Says)));
    let verdict = match is_cached {
        true => HitVerdict::Violation,
        false => HitVerdict::Look,
    };
    let path = new.expr_text(write.path);
    let words = Words::new(
        format!("`{path}` is written in place now; before, a complete file was moved onto it."),
        "Whoever opens it in the meantime reads a part, and a crash leaves a part there for good: the replace kept both away.",
        "Write to a temp file in the same folder again, and `os.replace` it onto the name when it is complete.",
    );
    Some(Hit::new(check, Anchor::call(&write.call), verdict, words))
}
