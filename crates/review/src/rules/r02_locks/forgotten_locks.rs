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
    let store = facts.call(facts.expr(made.id).parent?)?;
    let stores = matches!(
        store.method(),
        Some("set" | "add" | "put" | "store" | "setex")
    );
    let is_given = store.args.iter().any(|arg| arg.value == made.id);
    let expiry = EXPIRIES
        .iter()
        .find(|name| store.keyword(name).is_some())
        .map(|name| facts.bound(&store, usize::MAX, name))?;
    (stores && is_given && expiry != Bound::Unbounded).then_some(Forgets::Entry(store, expiry))
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
