//! Places that forget the lock they keep: entries with an expiry, and memos of bounded size.

use crate::facts::{Bound, Call, ExprId, ExprKind, Facts, ScopeId, StmtKind};

/// Where a lock is kept that may be gone while somebody holds it.
pub(super) enum Forgets<'f> {
    /// The call that stores it with an expiry, and what that is worth.
    Entry(Call<'f>, Bound),
    /// The memoized function that returns it.
    Memo(&'f str),
}

/// Whether the place that is given a new lock forgets it in time.
pub(super) fn forgets<'f>(facts: &'f Facts, made: &Call<'_>) -> Option<Forgets<'f>> {
    let entry = expiring_entry(facts, made);
    entry.or_else(|| bounded_memo(facts, made).map(Forgets::Memo))
}

pub(super) const EXPIRIES: &[&str] = &["expire", "expires", "expiry", "ttl", "ex", "px", "timeout"];

/// `cache.set(key, Lock(), expire=60)`.
fn expiring_entry<'f>(facts: &'f Facts, made: &Call<'_>) -> Option<Forgets<'f>> {
    let store = store_of(facts, made)?;
    let expiry = EXPIRIES
        .iter()
        .find(|name| store.keyword(name).is_some())
        .map(|name| facts.bound(&store, usize::MAX, name))?;
    (expiry != Bound::Unbounded).then_some(Forgets::Entry(store, expiry))
}

/// The call that puts a new lock into a store: `cache.set(key, Lock())`, or `lock = Lock()` and then
/// `cache.set(key, lock)`.
pub(super) fn store_of<'f>(facts: &'f Facts, made: &Call<'_>) -> Option<Call<'f>> {
    let stores = |store: &Call<'_>| {
        matches!(
            store.method(),
            Some("set" | "add" | "put" | "store" | "setex")
        )
    };
    let outer = facts.expr(made.id).parent.and_then(|up| facts.call(up));
    if let Some(store) = outer {
        let is_given = store.args.iter().any(|arg| arg.value == made.id);
        return Some(store).filter(|store| stores(store) && is_given);
    }
    let StmtKind::Assign { targets, .. } = &facts.stmt(made.stmt()).kind else {
        return None;
    };
    let lock = targets.iter().find_map(|&target| facts.name(target))?;
    let is_given = |store: &Call<'_>| {
        let mut args = store.args.iter();
        args.len() > 1 && args.any(|arg| facts.name(arg.value) == Some(lock))
    };
    let behind = facts.following(made.stmt());
    let mut calls = behind.iter().flat_map(|&stmt| facts.calls_in(stmt));
    calls.find(|store| stores(store) && is_given(store))
}

/// `@lru_cache(maxsize=64)` on a function of a key that returns a new lock.
fn bounded_memo<'f>(facts: &'f Facts, made: &Call<'_>) -> Option<&'f str> {
    let function = facts.function_of(made.scope())?;
    let is_returned =
        matches!(facts.stmt(made.stmt()).kind, StmtKind::Return(Some(value)) if value == made.id);
    let drops = || {
        let mut decorators = facts.decorators(function).iter();
        decorators.any(|&decorator| drops_entries(facts, decorator))
    };
    let by_key = has_key(facts, function);
    (is_returned && by_key && drops())
        .then(|| facts.scope_name(function))
        .flatten()
}

/// A parameter beside `self`: without one there is one entry, which nothing pushes out.
fn has_key(facts: &Facts, function: ScopeId) -> bool {
    let params = &facts.scope(function).params;
    params
        .iter()
        .any(|param| !matches!(facts.text(param.name), "self" | "cls"))
}

fn drops_entries(facts: &Facts, decorator: ExprId) -> bool {
    let Some(call) = facts.call(decorator) else {
        return facts.is_one_of(decorator, &["functools.lru_cache"]);
    };
    let is_unbounded = call
        .arg(0, "maxsize")
        .is_some_and(|size| matches!(facts.expr(size).kind, ExprKind::None));
    call.is(&["functools.lru_cache"]) && !is_unbounded
}
