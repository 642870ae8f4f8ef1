//! Locks that are asked of a store and put there where none is found: `lock = store.get(key)`, then `store.set(key, lock)`.

use crate::facts::{Bound, Call, ExprId, ExprKind, Facts, Reach, Span, StmtId, StmtKind};

/// A new lock that a store is given because it had none.
pub(super) struct Fetched {
    pub(super) store: ExprId,
    /// The test that found none.
    pub(super) test: StmtId,
    /// Where the store is given the new one.
    pub(super) stored: Span,
    /// The entry is forgotten after a while.
    pub(super) expires: bool,
}

/// Whether a lock that is made here is one that a shared store did not have.
pub(super) fn fetched(facts: &Facts, made: &Call<'_>) -> Option<Fetched> {
    let found = match &facts.stmt(made.stmt()).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == made.id => kept_under_name(facts, made, targets),
        _ => kept_at_once(facts, made),
    };
    found.filter(|found| is_shared(facts, found.store))
}

/// `lock = Lock()`, and `store.set(key, lock)` or `store[key] = lock` behind it.
fn kept_under_name(facts: &Facts, made: &Call<'_>, targets: &[ExprId]) -> Option<Fetched> {
    let local = targets
        .iter()
        .copied()
        .find(|&id| facts.name(id).is_some())?;
    let test = facts.tested_before(made.stmt(), local)?;
    let name = facts.name(local)?;
    let (store, stored, expires) = facts
        .following(made.stmt())
        .iter()
        .find_map(|&next| stores(facts, next, name))?;
    is_asked(facts, made.stmt(), store, name).then_some(Fetched {
        store,
        test,
        stored,
        expires,
    })
}

/// `store.set(key, Lock())` where `key not in store`.
fn kept_at_once(facts: &Facts, made: &Call<'_>) -> Option<Fetched> {
    let call = facts.call(facts.expr(made.id).parent?)?;
    let store = call.receiver().filter(|_| is_put(&call))?;
    let test = facts.tested_before(made.stmt(), store)?;
    Some(Fetched {
        store,
        test,
        stored: call.span(),
        expires: expires(facts, &call),
    })
}

const PUTS: &[&str] = &[
    "set",
    "add",
    "put",
    "store",
    "setex",
    "set_item",
    "__setitem__",
];

/// A key and what is kept under it.
fn is_put(call: &Call<'_>) -> bool {
    call.method().is_some_and(|name| PUTS.contains(&name)) && call.args.len() > 1
}

/// The store that a statement puts the local object into.
fn stores(facts: &Facts, stmt: StmtId, name: &str) -> Option<(ExprId, Span, bool)> {
    if let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
        && facts.name(*value) == Some(name)
    {
        return targets
            .iter()
            .find_map(|&target| match facts.expr(target).kind {
                ExprKind::Subscript { object, .. } => Some((object, facts.stmt(stmt).head, false)),
                _ => None,
            });
    }
    facts.calls_in(stmt).find_map(|call| {
        let gives = call
            .args
            .iter()
            .any(|arg| facts.name(arg.value) == Some(name));
        let store = call.receiver().filter(|_| gives && is_put(&call))?;
        Some((store, call.span(), expires(facts, &call)))
    })
}

fn expires(facts: &Facts, call: &Call<'_>) -> bool {
    super::forgotten_locks::EXPIRIES.iter().any(|name| {
        call.keyword(name).is_some() && facts.bound(call, usize::MAX, name) != Bound::Unbounded
    })
}

/// The name was read from the same store before the new lock is made, or the test reads it.
fn is_asked(facts: &Facts, made: StmtId, store: ExprId, name: &str) -> bool {
    let wanted = facts.dotted(store);
    let asks = |id: ExprId| {
        let of = match facts.expr(id).kind {
            ExprKind::Subscript { object, .. } => Some(object),
            _ => facts
                .call(id)
                .filter(|call| matches!(call.method(), Some("get" | "fetch" | "lookup")))
                .and_then(|call| call.receiver()),
        };
        of.is_some() && of.and_then(|of| facts.dotted(of)) == wanted
    };
    let binds = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(|&id| facts.name(id) == Some(name)),
        _ => false,
    };
    facts
        .statements_of(facts.stmt(made).scope)
        .take_while(|&stmt| stmt < made)
        .filter(|&stmt| binds(stmt) || matches!(facts.stmt(stmt).kind, StmtKind::If { .. }))
        .any(|stmt| facts.exprs_of(stmt).any(asks))
}

/// A field, a name of the module or class, a parameter, or the object itself.
fn is_shared(facts: &Facts, store: ExprId) -> bool {
    facts.reach(store) != Reach::Local
        || matches!(facts.name(store), Some("self" | "cls"))
        || facts.parameter(store).is_some()
}
