//! Entries with an expiry that go only when somebody asks for the same key again.

use super::super::removal::removed_key;
use crate::facts::{BindingKind, Container, ExprId, ExprKind, Facts, Part, StmtKind, Use, UseKind};

/// Whether each removal takes out the one key that its function was asked for, because that entry is too old. What
/// nobody asks for again stays.
pub(super) fn goes_only_when_asked(facts: &Facts, container: &Container) -> bool {
    let mut removals = container
        .uses
        .iter()
        .filter(|of| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size))
        .peekable();
    removals.peek().is_some()
        && removals.all(|of| of.kind == UseKind::Shrink && takes_asked_key(facts, container, of))
}

fn takes_asked_key(facts: &Facts, container: &Container, removal: &Use) -> bool {
    let Some(key) = removed_key(facts, removal) else {
        return false;
    };
    let of_loop = |key: ExprId| {
        let bindings = facts.bindings_behind(key);
        bindings
            .iter()
            .any(|binding| matches!(binding.kind, BindingKind::Loop { .. }))
    };
    let is_plain = matches!(
        facts.expr(key).kind,
        ExprKind::Name | ExprKind::Attribute { .. } | ExprKind::Tuple(_)
    );
    let in_loop = facts.in_loop(removal.stmt);
    is_plain
        && !of_loop(key)
        && !in_loop
        && is_looked_up(facts, container, removal, key)
        && is_too_old(facts, removal)
}

/// The same function has read the entry under this key.
fn is_looked_up(facts: &Facts, container: &Container, removal: &Use, key: ExprId) -> bool {
    let text = facts.expr_text(key);
    let scope = facts.stmt(removal.stmt).scope;
    container.uses.iter().any(|of| {
        let before = facts.stmt(of.stmt).scope == scope && of.span.start < removal.span.start;
        let by_get = || {
            let mut calls = facts.calls_within(of.span);
            let get = calls.find(|call| call.method() == Some("get"));
            get.and_then(|get| get.positional(0))
        };
        let read = match of.kind {
            UseKind::Keyed(key) => Some(key),
            UseKind::Read => by_get(),
            _ => None,
        };
        before && read.is_some_and(|read| facts.expr_text(read) == text)
    })
}

/// A test around the removal compares ages or asks the entry whether it has expired.
fn is_too_old(facts: &Facts, removal: &Use) -> bool {
    let says = |name: &str| {
        topic::has_word(
            name,
            "time monotonic now utcnow ttl age expired expires expiry expire stale \
             deadline until fresh",
        )
    };
    let asks = |test: ExprId| {
        facts
            .within(test)
            .any(|id| facts.last_name(id).is_some_and(says))
    };
    let around = facts
        .ancestors(removal.stmt)
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } => around.part != Part::Finally && asks(test),
            _ => false,
        });
    // `if time.time() < expires: return value` before it.
    let block = facts.block_of(removal.stmt).iter();
    let mut before = block.take_while(|&&stmt| stmt < removal.stmt);
    around
        || before.any(|&stmt| match &facts.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => facts.always_leaves(body) && asks(*test),
            _ => false,
        })
}
