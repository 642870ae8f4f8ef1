//! Which key a removal takes out, and which an insertion puts in.

use crate::facts::{ExprId, ExprKind, Facts, StmtKind, Use, UseKind};

/// The key of `X[key] = value` and `X.setdefault(key, ...)`; of a set or list the value that goes in.
pub(super) fn put_key(facts: &Facts, insertion: &Use) -> Option<ExprId> {
    match insertion.kind {
        UseKind::Insert(key) => Some(key),
        UseKind::Append => argument(facts, insertion, &["add", "append"]),
        _ => None,
    }
}

/// The key of `X.pop(key, None)`, `X.discard(key)`, `del X[key]`.
pub(super) fn removed_key(facts: &Facts, removal: &Use) -> Option<ExprId> {
    let by_del = || match &facts.stmt(removal.stmt).kind {
        StmtKind::Delete(targets) => targets.iter().find_map(|&target| {
            let is_it = removal.span.overlaps(facts.expr(target).span);
            match &facts.expr(target).kind {
                ExprKind::Subscript { index, .. } if is_it => index.first().copied(),
                _ => None,
            }
        }),
        _ => None,
    };
    argument(facts, removal, &["pop", "discard", "remove"]).or_else(by_del)
}

fn argument(facts: &Facts, of: &Use, methods: &[&str]) -> Option<ExprId> {
    let named = |method: &str| methods.contains(&method);
    let mut calls = facts.calls_within(of.span);
    let call = calls.find(|call| call.method().is_some_and(named))?;
    call.positional(0)
}
