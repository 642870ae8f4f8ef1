//! Switches of the process that are changed for a while and put back.

use super::global_runtime_flag::switched;
use crate::facts::{ExprId, Facts, StmtId, StmtKind};

/// In a `finally`, after another statement of the function has changed the same; or what the function was told before.
pub(super) fn puts_back(facts: &Facts, stmt: StmtId, switch: &str) -> bool {
    let scope = facts.stmt(stmt).scope;
    gives_saved(facts, stmt, switch)
        || facts.in_finally(stmt)
            && facts.statements_of(scope).any(|other| {
                facts.stmt(other).scope == scope
                    && !facts.in_finally(other)
                    && switched(facts, other).is_some_and(|(name, _)| name == switch)
            })
}

/// `os.umask(before)` where `before = os.umask(0o77)`, `os.environ["KEY"] = before` where it was read from there: the first
/// change is the one to ask about.
fn gives_saved(facts: &Facts, stmt: StmtId, switch: &str) -> bool {
    let given = match &facts.stmt(stmt).kind {
        StmtKind::Assign { value, .. } => *value,
        _ => facts.calls_in(stmt).find_map(|call| call.positional(0)),
    };
    let Some(given) = given.filter(|&given| facts.name(given).is_some()) else {
        return false;
    };
    let is_same = |id: ExprId| match facts.call(id) {
        Some(call) => {
            call.callee() == switch
                || (switch.starts_with("os.environ[") && call.callee() == "os.environ.get")
        }
        None => facts.expr_text(id) == switch,
    };
    let saved = |value: ExprId| facts.expr(value).stmt < stmt && is_same(value);
    let scope = facts.stmt(stmt).scope;
    let changes = |other: StmtId| {
        let kept = || facts.calls_in(other).any(|call| call.callee() == switch);
        other < stmt && (kept() || switched(facts, other).is_some_and(|(name, _)| name == switch))
    };
    facts.values(given).into_iter().any(saved) && facts.statements_of(scope).any(changes)
}

/// A `finally` around it, or behind it in its block, changes the same thing again; or it stands in one itself.
pub(super) fn is_restored(facts: &Facts, stmt: StmtId, switch: &str) -> bool {
    let puts_back = |block: &[StmtId]| {
        facts
            .statements_in(block)
            .into_iter()
            .any(|other| switched(facts, other).is_some_and(|(name, _)| name == switch))
    };
    let around = facts.finally_blocks(stmt).any(|block| puts_back(block));
    let behind = facts
        .following(stmt)
        .iter()
        .any(|&next| match &facts.stmt(next).kind {
            StmtKind::Try { finally, .. } => puts_back(finally),
            _ => false,
        });
    around || behind || facts.in_finally(stmt)
}
