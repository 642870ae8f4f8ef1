//! Locks that are an entry which only one can add, and that their holder deletes: nothing in their names need say so.

use crate::facts::{Bound, Call, ExprId, ExprKind, Facts, Kind, StmtKind};

/// What ends a lock that a call takes by adding an entry; `None` where it takes none.
pub(super) fn added_lock(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    let bound = expiry(facts, call)?;
    (asks_answer(facts, call) && is_deleted_again(facts, call)).then_some(bound)
}

/// Whether a call takes a lock by adding an entry that goes away by itself.
pub(super) fn expires(facts: &Facts, call: &Call<'_>) -> bool {
    let ends = expiry(facts, call).is_some_and(|end| !matches!(end, Bound::Unbounded));
    ends && asks_answer(facts, call)
}

/// `cache.add(key, owner, timeout=None)`, `redis.setnx(key, owner)`, `redis.set(key, owner, nx=True)`.
fn expiry(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    let receiver = call.receiver()?;
    let on_redis = facts.kind_of(receiver) == Some(Kind::Redis);
    match call.method()? {
        "add" if is_cache(facts, receiver) => {
            let timeout = call.arg(2, "timeout")?;
            Some(facts.bound_of(timeout))
        }
        "setnx" if on_redis => Some(match expires_later(facts, call) {
            true => Bound::Given,
            false => Bound::Unbounded,
        }),
        "set" if on_redis && is_only_absent(facts, call) => {
            let names = ["ex", "px", "exat", "pxat"];
            let mut given = names.iter().filter_map(|name| call.keyword(name));
            Some(
                given
                    .next()
                    .map_or(Bound::Unbounded, |end| facts.bound_of(end)),
            )
        }
        _ => None,
    }
}

/// Django's cache, which keeps for ever what is given no time (`None`).
fn is_cache(facts: &Facts, receiver: ExprId) -> bool {
    let named =
        |id: ExprId| facts.is_one_of(id, &["django.core.cache.cache", "django.core.cache.caches"]);
    match facts.expr(receiver).kind {
        ExprKind::Subscript { object, .. } => named(object),
        _ => named(receiver),
    }
}

fn is_only_absent(facts: &Facts, call: &Call<'_>) -> bool {
    call.keyword("nx")
        .is_some_and(|nx| matches!(facts.expr(nx).kind, ExprKind::True))
}

fn expires_later(facts: &Facts, call: &Call<'_>) -> bool {
    let mut others = facts.calls_of(call.scope());
    others.any(|other| {
        matches!(other.method(), Some("expire" | "pexpire" | "expireat"))
            && is_same_entry(facts, call, &other)
    })
}

/// Whoever adds wants to know whether it was there: the answer is kept or tested.
fn asks_answer(facts: &Facts, call: &Call<'_>) -> bool {
    let stmt = &facts.stmt(call.stmt()).kind;
    matches!(
        stmt,
        StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Assert(_)
    )
}

/// The function deletes the entry when it is done.
fn is_deleted_again(facts: &Facts, call: &Call<'_>) -> bool {
    let mut others = facts.calls_of(call.scope());
    others.any(|other| {
        matches!(other.method(), Some("delete" | "unlink" | "eval"))
            && is_same_entry(facts, call, &other)
    })
}

pub(super) fn is_same_entry(facts: &Facts, one: &Call<'_>, other: &Call<'_>) -> bool {
    let key = |call: &Call<'_>| call.positional(0).map(|key| facts.expr_text(key));
    key(one).is_some() && key(one) == key(other)
}
