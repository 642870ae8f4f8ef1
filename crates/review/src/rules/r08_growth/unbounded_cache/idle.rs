//! Removals in a function that nothing calls, though what puts entries in is called.

use crate::facts::{Container, Facts, ScopeId, Use, UseKind};

/// The function that would take entries out, where each removal stands in one that nobody calls or hands on.
pub(super) fn left_to_nobody(facts: &Facts, container: &Container) -> Option<ScopeId> {
    let mut removals = container
        .uses
        .iter()
        .filter(|of| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size))
        .map(|of| facts.function_of(facts.stmt(of.stmt).scope));
    let first = removals.next()??;
    let fills = || container.uses.iter().any(|of| is_called(facts, of));
    let idle = |function: ScopeId| {
        is_never_run(facts, function)
            && (is_private(facts, function) || (ends_one(facts, function) && fills()))
    };
    (facts.sees_all_uses(container) && idle(first) && removals.all(|of| of.is_some_and(idle)))
        .then_some(first)
}

/// A private function has no callers in other files.
pub(super) fn is_private(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or_default();
    name.starts_with('_') && !name.starts_with("__")
}

/// `disconnect(client)`, in a file that shows all there is of it: where entries go in, they would go out.
fn ends_one(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or_default();
    let ends = topic::has_word(
        name,
        "disconnect unsubscribe leave unregister remove release forget drop \
         finish detach",
    );
    facts.document.whole && ends && facts.scope(function).params.len() > 1
}

/// The function that puts an entry in is called by another of this file.
fn is_called(facts: &Facts, of: &Use) -> bool {
    let function = facts.function_of(facts.stmt(of.stmt).scope);
    let called = |function: ScopeId| {
        facts.calls_to(function).next().is_some() || !facts.calls_on_objects(function).is_empty()
    };
    matches!(of.kind, UseKind::Insert(_)) && function.is_some_and(called)
}

fn is_never_run(facts: &Facts, function: ScopeId) -> bool {
    let Some(name) = facts.scope_name(function) else {
        return false;
    };
    let shown = facts.document.whole
        || facts
            .class_of(function)
            .is_some_and(|class| facts.is_visible(class));
    // A base class that is not shown may call what it asks its heirs for.
    let based = facts.class_of(function).is_some_and(|class| {
        let mut bases = facts.base_names(class);
        bases.any(|base| !matches!(base, "object" | "ABC" | "Generic"))
    });
    let undressed = facts.decorators(function).is_empty() && !based;
    shown && undressed && facts.exprs_named(name).next().is_none()
}
