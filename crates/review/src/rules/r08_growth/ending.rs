//! Containers that are emptied when their owner ends, and not before.

use crate::facts::{CleanupPlace, Container, Facts, ScopeId, StmtId, UseKind, ends_object};

/// Whether all that takes entries out of a container stands in `close`, `stop` and the like.
pub(super) fn only_the_end_empties(facts: &Facts, container: &Container) -> bool {
    let mut emptied = false;
    for of in &container.uses {
        match of.kind {
            UseKind::Shrink | UseKind::Rebind if ends_owner(facts, of.stmt) => emptied = true,
            UseKind::Shrink | UseKind::Rebind | UseKind::Size => return false,
            _ => {}
        }
    }
    emptied
}

/// A statement of a function that ends its owner, or that only such functions call.
pub(super) fn ends_owner(facts: &Facts, stmt: StmtId) -> bool {
    if is_end(facts, stmt) {
        return true;
    }
    let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
        return false;
    };
    let mut callers = facts.calls_to(function).peekable();
    match callers.peek() {
        Some(_) => callers.all(|call| is_end(facts, call.stmt())),
        None => ends_all(facts, function),
    }
}

fn is_end(facts: &Facts, stmt: StmtId) -> bool {
    let by_name = facts.function_name(stmt).is_some_and(|name| {
        let bare = name.trim_start_matches('_');
        // `release(slot)` and `disconnect(peer)` end one of those that the owner has.
        ends_object(bare) && !matches!(bare, "release" | "disconnect")
    });
    by_name || facts.cleanup_place(stmt) == Some(CleanupPlace::Protocol)
}

/// `_cancel_tasks(self)`: of nobody in particular, so of all.
fn ends_all(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or_default();
    let of_all = facts.scope(function).params.len() <= 1;
    of_all && name.starts_with('_') && topic::begins_with_word(name, "cancel close stop shutdown")
}
