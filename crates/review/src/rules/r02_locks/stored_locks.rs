//! Locks that are rows or entries of a store: `LockStore.acquire(session, key)` and `LockStore.release(session, key)`.

use crate::facts::{Call, Facts, StmtId, says_lock};

/// Such a lock that is taken and given back by the same function, and what stands between and can leave.
pub(super) struct Unprotected<'f> {
    pub(super) release: Call<'f>,
    pub(super) leaves: StmtId,
}

/// The release that an acquire of such a lock waits for, where an error in between passes it by.
pub(super) fn unprotected<'f>(facts: &'f Facts, acquire: &Call<'_>) -> Option<Unprotected<'f>> {
    let receiver = acquire.receiver()?;
    let is_known = facts.lock(receiver).is_some() || facts.kind_of(receiver).is_some();
    if acquire.method() != Some("acquire") || is_known || !is_lock_by_name(facts, acquire) {
        return None;
    }
    let owner = facts.dotted(receiver)?;
    let release = facts.calls_of(acquire.scope()).find(|call| {
        call.method() == Some("release")
            && call.span().start > acquire.span().start
            && call.receiver().and_then(|of| facts.dotted(of)).as_ref() == Some(&owner)
    })?;
    let is_safe = facts.in_finally(release.stmt())
        || facts.enclosing_handler(release.stmt()).is_some()
        || !facts.always_before(acquire.stmt(), release.stmt());
    let leaves = facts
        .statements_of(acquire.scope())
        .filter(|&stmt| stmt > acquire.stmt() && stmt < release.stmt())
        .find(|&stmt| facts.yields(stmt) || super::escape::skips_release(facts, stmt))?;
    (!is_safe).then_some(Unprotected { release, leaves })
}

fn is_lock_by_name(facts: &Facts, acquire: &Call<'_>) -> bool {
    let name = acquire
        .receiver()
        .and_then(|receiver| facts.last_name(receiver));
    name.is_some_and(|name| says_lock(name) || topic::has_word(name, "lease leases"))
}
