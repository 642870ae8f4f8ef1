//! Lazily made fields of objects that the text shows to be used by several threads.

use crate::facts::{Call, ExprId, Facts, Kind, Proof, Reach, ScopeId, Span, StmtId};

/// What shows that several threads come by.
pub(super) enum Shared {
    /// A pool runs the function.
    Pool(Span),
    /// One caller holds a lock, this one does not.
    OneCallerLocks(Span),
    /// The class guards its other methods with a lock of its own.
    ClassLocks(Span),
    /// The class keeps other things apart by thread.
    ThreadLocals(Span),
}

impl Shared {
    pub(super) fn place(&self) -> (Span, &'static str) {
        match self {
            Shared::Pool(span) => (*span, "several workers of a pool run it"),
            Shared::OneCallerLocks(span) => (*span, "this call comes without the lock"),
            Shared::ClassLocks(span) => (*span, "a lock guards other uses of the object here"),
            Shared::ThreadLocals(span) => (
                *span,
                "each thread has its own here: several use the object",
            ),
        }
    }

    pub(super) fn is_proven(&self) -> bool {
        !matches!(self, Shared::ClassLocks(_) | Shared::ThreadLocals(_))
    }
}

/// Why a field that `stmt` makes when it is missing is shared by threads.
pub(super) fn shared_field(facts: &Facts, stmt: StmtId, target: ExprId) -> Option<Shared> {
    let function = facts.function_of(facts.stmt(stmt).scope)?;
    let class = facts.class_of(function)?;
    let is_field = facts.reach(target) == Reach::Instance && facts.self_attribute(target).is_some();
    if !is_field || facts.builds(function) || facts.is_async(function) {
        return None;
    }
    run_by_pool(facts, stmt)
        .or_else(|| one_caller_locks(facts, function, class))
        .or_else(|| class_locks(facts, function, class, target))
        .or_else(|| keeps_by_thread(facts, function, class, target))
}

/// `self._backend = self._get_backend()`: a method of the class that gets what the field is named for.
pub(super) fn fetched_for(facts: &Facts, field: ExprId, value: ExprId) -> bool {
    let Some(call) = facts.call(value) else {
        return false;
    };
    let noun = |name: &str| name.trim_start_matches('_').to_string();
    let method = facts.self_attribute(call.function).map(noun);
    let wanted = facts.self_attribute(field).map(noun);
    let (Some(method), Some(wanted)) = (method, wanted) else {
        return false;
    };
    ["get_", "new_", "setup_"]
        .iter()
        .any(|verb| method.strip_prefix(verb) == Some(&wanted))
}

fn run_by_pool(facts: &Facts, stmt: StmtId) -> Option<Shared> {
    let handover = facts.handover_of(stmt)?;
    let call = facts.call(handover.call)?;
    let is_pool = matches!(call.method(), Some("submit" | "map"))
        && call.receiver().and_then(|pool| facts.kind_of(pool)) == Some(Kind::Executor);
    is_pool.then(|| Shared::Pool(call.span()))
}

/// Some calls of a method hold a lock of the object, and one does not.
fn one_caller_locks(facts: &Facts, function: ScopeId, class: ScopeId) -> Option<Shared> {
    let name = facts.scope_name(function)?;
    let mut free = None;
    let mut locked = false;
    for call in facts
        .calls_named(name)
        .filter(|call| is_of(facts, call, function, class))
    {
        let is_held = facts.held_around(call.id).any(|held| !held.lock.is_async())
            || comes_locked(facts, &call);
        locked |= is_held;
        if !is_held && !facts.is_async(call.scope()) {
            free = free.or(Some(call.span()));
        }
    }
    free.filter(|_| locked).map(Shared::OneCallerLocks)
}

/// The function that calls is only called with a lock held itself.
fn comes_locked(facts: &Facts, call: &Call<'_>) -> bool {
    let caller = facts.function_of(call.scope());
    caller.and_then(|caller| facts.callers_hold(caller)) == Some(true)
}

/// A call of the method: through `self`, or through another name where no other class of the file has such a method.
fn is_of(facts: &Facts, call: &Call<'_>, function: ScopeId, class: ScopeId) -> bool {
    if facts.self_attribute(call.function).is_some() {
        let called = facts.callee_scope(call).map(|scope| facts.canonical(scope));
        return called == Some(facts.canonical(function));
    }
    let name = facts.scope_name(function);
    let is_only = facts
        .scope_ids()
        .filter(|&scope| scope == facts.canonical(scope) && facts.scope_name(scope) == name)
        .all(|scope| {
            facts.class_of(scope).map(|own| facts.canonical(own)) == Some(facts.canonical(class))
        });
    call.receiver().is_some() && is_only && name.is_some_and(|name| name.starts_with('_'))
}

/// The class takes a thread lock of its own elsewhere, and this method hands out what it has made.
fn class_locks(facts: &Facts, function: ScopeId, class: ScopeId, target: ExprId) -> Option<Shared> {
    let text = facts.dotted(target);
    let hands_out = facts
        .returns_of(function)
        .any(|value| facts.dotted(value) == text);
    let is_shown = facts.calls_to(function).next().is_some()
        || facts.document.whole
        || facts
            .scope_name(function)
            .is_some_and(|name| !name.starts_with('_'));
    if !hands_out || !is_shown || facts.callers_hold(function) == Some(true) {
        return None;
    }
    let guards = facts.held().iter().find(|held| {
        let scope = held.scope;
        let of_class = facts.class_of(scope).map(|own| facts.canonical(own));
        of_class == Some(facts.canonical(class))
            && held.lock.kind.is_blocking_lock()
            && held.lock.proof == Proof::Proven
            && facts.self_attribute(held.lock.expr).is_some()
    });
    let span = guards
        .map(|held| held.span)
        .or_else(|| made_lock(facts, class))?;
    Some(Shared::ClassLocks(span))
}

/// A lock that the constructor makes, where the methods that take it are not shown.
fn made_lock(facts: &Facts, class: ScopeId) -> Option<Span> {
    if facts.document.whole {
        return None;
    }
    let mut calls = facts.calls_of_class(class);
    let makes = |call: &Call<'_>| {
        let builds = facts
            .function_of(call.scope())
            .is_some_and(|of| facts.builds(of));
        builds && facts.constructs(call).is_some_and(Kind::is_blocking_lock)
    };
    calls.find(makes).map(|call| call.span())
}

/// The class has a `threading.local` for other things, and this method hands out what all threads then share.
fn keeps_by_thread(
    facts: &Facts,
    function: ScopeId,
    class: ScopeId,
    target: ExprId,
) -> Option<Shared> {
    let text = facts.dotted(target);
    let hands_out = facts
        .returns_of(function)
        .any(|value| facts.dotted(value) == text);
    let is_alone = !hands_out || facts.callers_hold(function) == Some(true);
    let local = facts
        .exprs_within(facts.scope(class).span)
        .find(|&id| is_thread_local(facts, id))?;
    (!is_alone).then_some(Shared::ThreadLocals(facts.expr(local).span))
}

/// A field that is a `threading.local`, by its making or by its name.
fn is_thread_local(facts: &Facts, id: ExprId) -> bool {
    let named = || {
        matches!(
            facts.self_attribute(id),
            Some("_local" | "_tls" | "_thread_local" | "_threadlocal" | "_thread_locals")
        )
    };
    facts.self_attribute(id).is_some() && (facts.kind_of(id) == Some(Kind::ThreadLocal) || named())
}
