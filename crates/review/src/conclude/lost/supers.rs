//! Calls of the base class's end that the change takes away from a method that goes on to replace it.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Call, Facts, PROTOCOL, ScopeId, StmtId, ends_object};
use crate::rules::{Anchor, Hit, HitVerdict, RESOURCE_NOT_CLOSED, Words};

/// Hits at methods that have lost the call, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let calls = old.changed_calls();
    calls
        .filter_map(|call| {
            let name = handed_up(old.facts, &call)?;
            let method = replacing(old, new, &call, name)?;
            let stmt = new.facts.scope(method).stmt?;
            let is_told = sides.is_told(Told::By(RESOURCE_NOT_CLOSED), stmt);
            (!is_told).then(|| Loss::with(call.stmt(), hit(new.facts, method, stmt, name)))
        })
        .collect()
}

/// `super().close()`, `Base.close(self)`: the method of the base that has the name of the one around.
fn handed_up<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<&'f str> {
    let name = call
        .method()
        .filter(|name| ends_object(name) || PROTOCOL.contains(name))?;
    let own = facts.function_name(call.stmt()) == Some(name);
    let receiver = call.receiver()?;
    let of_super = facts
        .call(receiver)
        .is_some_and(|of| of.callee() == "super");
    let given_self = call.positional(0).and_then(|first| facts.name(first)) == Some("self");
    let of_class = facts
        .name(receiver)
        .is_some_and(|name| name.starts_with(char::is_uppercase));
    (own && (of_super || (of_class && given_self))).then_some(name)
}

/// The method of the new side in the same place, shown whole, that calls no method of that name any more.
fn replacing(old: &Half<'_>, new: &Half<'_>, call: &Call<'_>, name: &str) -> Option<ScopeId> {
    let scope = old.scope_names(call.stmt());
    let facts = new.facts;
    let method = facts.scope_ids().find(|&id| {
        let around = facts.scope(id).stmt.map(|stmt| new.scope_names(stmt));
        facts.scope_name(id) == Some(name)
            && around.is_some_and(|around| scope.get(1..) == Some(around.as_slice()))
    })?;
    let mut calls = facts.calls_within(facts.scope(method).span);
    let hands_up = calls.any(|call| call.method() == Some(name) || call.name() == "super");
    (facts.scope(method).head_shown && !hands_up).then_some(method)
}

fn hit(facts: &Facts, method: ScopeId, stmt: StmtId, name: &str) -> Hit {
    let class = facts
        .class_of(method)
        .and_then(|class| facts.scope_name(class));
    let shown = class.map_or_else(|| name.to_owned(), |class| format!("{class}.{name}"));
    let words = Words::new(
        format!("`{shown}` does not call the `{name}` of its base class any more."),
        "It takes that method's place: what the base class opened, a connection, a thread, a file, is ended by nobody then.",
        format!(
            "What does `{name}` of the base class end? Call `super().{name}()`, in a `finally` if what stands before can raise."
        ),
    );
    let anchor = Anchor::stmt(facts, stmt);
    Hit::new(RESOURCE_NOT_CLOSED, anchor, HitVerdict::Look, words)
}
