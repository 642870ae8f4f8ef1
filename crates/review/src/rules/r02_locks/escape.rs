//! Which statements can skip a release that stands behind them.

use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, StmtId, StmtKind};

/// Raises, or leaves the function, with the lock held.
pub(super) fn escapes(facts: &Facts, stmt: StmtId) -> bool {
    matches!(facts.stmt(stmt).kind, StmtKind::Return(_)) || skips_release(facts, stmt)
}

/// Can raise: any call that is not harmless, a look-up, an import, a pause at which somebody may cancel.
pub(super) fn skips_release(facts: &Facts, stmt: StmtId) -> bool {
    let is_raise = matches!(
        facts.stmt(stmt).kind,
        StmtKind::Raise | StmtKind::Assert(_) | StmtKind::Import
    );
    is_raise
        || facts.awaits(stmt)
        || facts.yields(stmt)
        || facts.calls_in(stmt).any(|call| !is_harmless(facts, &call))
        || facts.exprs_of(stmt).any(|id| is_lookup(facts, id, stmt))
}

/// `models[model_id]` raises where the key is missing; storing under a key does not.
fn is_lookup(facts: &Facts, id: ExprId, stmt: StmtId) -> bool {
    let is_target = match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.contains(&id),
        _ => false,
    };
    matches!(facts.expr(id).kind, ExprKind::Subscript { .. })
        && !is_target
        && !is_annotation(facts, id, stmt)
}

fn is_annotation(facts: &Facts, id: ExprId, stmt: StmtId) -> bool {
    match facts.stmt(stmt).kind {
        StmtKind::Assign {
            annotation: Some(annotation),
            ..
        } => facts.expr(annotation).span.contains(facts.expr(id).span),
        _ => false,
    }
}

/// Calls that do not fail in sound code: logging, clocks, plain containers, events.
fn is_harmless(facts: &Facts, call: &Call<'_>) -> bool {
    let logs = call
        .receiver()
        .and_then(|receiver| facts.last_name(receiver))
        .is_some_and(|name| topic::has_word(name, "logger log logging"));
    let plain = matches!(
        call.name(),
        "append"
            | "setdefault"
            | "appendleft"
            | "add"
            | "discard"
            | "get"
            | "items"
            | "keys"
            | "values"
            | "clear"
            | "copy"
            | "is_set"
            | "set"
            | "notify"
            | "notify_all"
            | "get_ident"
            | "monotonic"
            | "perf_counter"
            | "time"
            | "len"
            | "isinstance"
            | "list"
            | "dict"
            | "tuple"
            | "bool"
            | "release"
            | "locked"
            | "range"
            | "type"
            | "id"
    );
    let by_queue = call
        .receiver()
        .and_then(|receiver| facts.kind_of(receiver))
        .is_some_and(|kind| matches!(kind, Kind::Queue | Kind::HttpSession | Kind::Redis));
    logs || call.is_message() || (plain && !by_queue)
}
