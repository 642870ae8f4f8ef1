//! Files that the change writes straight to the name onto which it moved what was complete before.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{CacheProof, ExprId, Facts, Leads, Move, Write};
use crate::rules::{Anchor, BARE_CACHE_WRITE, Hit, HitVerdict, Words};

/// Hits at the writes that have lost their replace, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let writes = new.facts.writes();
    writes
        .filter(|write| new.is_changed(write.call.stmt()))
        .filter(|write| !is_told(sides, write) && !new.facts.is_moved_away(write.path))
        .filter_map(|write| {
            let moved = former(old, new, &write)?;
            Some(Loss::gone(hit(sides, &write, &moved)))
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
        old.is_changed(stmt) && old.scope_names(stmt) == scope
    };
    old.facts
        .moves()
        .filter(|_| !is_left && !scope.is_empty())
        .filter(is_deleted)
        .find(|moved| self::target(old.facts, moved.to) == target)
}

/// `self._target` of `str(self._target)`, without white space.
fn target(facts: &Facts, path: ExprId) -> String {
    let inner = facts
        .call(path)
        .filter(|call| call.is(&["str", "os.fspath", "pathlib.Path"]) && call.args.len() == 1)
        .and_then(|call| call.positional(0));
    let text = facts.expr_text(inner.unwrap_or(path));
    text.split_whitespace().collect()
}

/// What is excused does not count: that the write was complete before says that it matters.
fn is_told(sides: &Sides<'_>, write: &Write<'_>) -> bool {
    let mut told = sides.told(Told::ByRuleOf(BARE_CACHE_WRITE));
    told.any(|one| one.hit.anchor.stmt == write.call.stmt() && !one.is_excused())
}

fn hit(sides: &Sides<'_>, write: &Write<'_>, moved: &Move<'_>) -> Hit {
    let (old, new) = (sides.old.facts, sides.new.facts);
    let leads = [
        new.leads(write.path, sides.profile),
        old.leads(moved.to, sides.profile),
    ];
    let is_cached = leads
        .iter()
        .any(|leads| matches!(leads, Leads::Cache(CacheProof::Flows | CacheProof::Says)));
    let verdict = HitVerdict::sure_if(is_cached);
    let path = new.expr_text(write.path);
    let words = Words::new(
        format!("`{path}` is written in place now; before, a complete file was moved onto it."),
        "Whoever opens it in the meantime reads a part, and a crash leaves a part there for good: the replace kept both away.",
        "Write to a temp file in the same folder again, and `os.replace` it onto the name when it is complete.",
    );
    Hit::new(BARE_CACHE_WRITE, Anchor::call(&write.call), verdict, words)
}
