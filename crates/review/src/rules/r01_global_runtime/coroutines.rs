//! Whether another coroutine of the same loop can come in between a test and what it leads to.

use crate::facts::{Call, ExprId, ExprKind, Facts, StmtId};

/// Where the loop may run something else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Between the test and the store: both coroutines make the object.
    Before,
    /// Behind the store, and before the object is ready: the other finds it half made.
    Behind,
}

/// Coroutines of one loop change places only where one awaits.
pub(super) fn gap(facts: &Facts, test: StmtId, stmt: StmtId, target: ExprId) -> Option<Gap> {
    if awaits_between(facts, test, stmt) {
        return Some(Gap::Before);
    }
    readied_behind(facts, stmt, target).then_some(Gap::Behind)
}

fn awaits_between(facts: &Facts, test: StmtId, stmt: StmtId) -> bool {
    let enters = |around: StmtId| around > test && facts.awaits(around);
    let is_before = |&other: &StmtId| {
        other > test && other < stmt && facts.awaits(other) && facts.always_before(other, stmt)
    };
    facts.awaits(stmt)
        || facts.ancestors(stmt).any(|around| enters(around.stmt))
        || facts
            .statements_of(facts.stmt(stmt).scope)
            .any(|other| is_before(&other))
}

/// `TABLE[key] = link` and then `await TABLE[key].connect()` or `await link.connect()`.
fn readied_behind(facts: &Facts, stmt: StmtId, target: ExprId) -> bool {
    if !matches!(facts.expr(target).kind, ExprKind::Subscript { .. }) {
        return false;
    }
    let mut texts = vec![facts.expr_text(target)];
    texts.extend(stored_names(facts, stmt));
    let readies = |call: Call<'_>| {
        let prepares = topic::has_word(
            call.name(),
            "connect open start setup init initialize initialise configure load login \
             prepare authenticate",
        );
        let of_it = call
            .receiver()
            .is_some_and(|receiver| texts.contains(&facts.expr_text(receiver)));
        call.is_awaited() && prepares && of_it
    };
    facts
        .statements_in(facts.following(stmt))
        .into_iter()
        .any(|next| facts.calls_in(next).any(readies))
}

/// The local names under which the stored object is known, too.
fn stored_names(facts: &Facts, stmt: StmtId) -> impl Iterator<Item = &str> {
    facts
        .exprs_of(stmt)
        .filter(|&id| facts.expr(id).parent.is_none())
        .filter_map(|id| facts.name(id))
}
