//! The ten rules: one folder a rule, one file a check.
//!
//! A check reads the facts of one side of one file and says what it sees there; it knows nothing of diffs.
//! `conclude` runs every check on both sides and finds out what the change brought.

mod hit;
mod own_helper;
mod r01_global_runtime;
mod r02_locks;
mod r03_executors;
mod r04_futures;
mod r05_atomic_writes;
mod r06_cache_keys;
mod r07_cross_worker;
mod r08_growth;
mod r09_leaks;
mod r10_cleanup;

pub(crate) use hit::{
    Anchor, Check, Context, Evidence, Hit, HitVerdict, Others, Outcome, Place, Words,
};

// By name, for hits that no detection makes: what a change takes away shows on both sides only.
pub(crate) use r01_global_runtime::INCONSISTENT_LOCK;
pub(crate) use r02_locks::{
    ACQUIRE_WITHOUT_RELEASE, ACQUIRE_WITHOUT_TIMEOUT, LOCK_ACROSS_BLOCKING, NESTED_LOCK,
};
pub(crate) use r03_executors::{
    EXECUTOR_NEVER_SHUT_DOWN, LOOP_TOUCHED_FROM_THREAD, THREAD_LOCAL_IN_SHORT_POOL,
    THREAD_NOT_JOINED, THREAD_WITHOUT_STOP_FLAG,
};
pub(crate) use r04_futures::{
    REQUEST_WITHOUT_TIMEOUT, UNBOUNDED_QUEUE_OR_JOIN, UNBOUNDED_RESULT, UNBOUNDED_WAIT,
};
pub(crate) use r05_atomic_writes::BARE_CACHE_WRITE;
pub(crate) use r06_cache_keys::{KEY_MISSES_DIMENSION, UNCHECKED_CONTAINMENT};
pub(crate) use r07_cross_worker::{ASKED_BEFORE_LOCK, DELETE_NOT_IDEMPOTENT, UNLOCKED_DELETE};
pub(crate) use r08_growth::{
    REDIS_WITHOUT_EXPIRY, UNBOUNDED_CACHE, UNBOUNDED_QUEUE, UNPRUNED_COLLECTOR,
};
pub(crate) use r09_leaks::RESOURCE_NOT_CLOSED;
pub(crate) use r10_cleanup::{
    CACHE_OUTAGE_PROPAGATES, CLEANUP_PROPAGATES, FAILURE_AS_SUCCESS, FIRST_FAILURE_SKIPS_REST,
    SIDE_WORK_SHARES_TRY,
};

/// The checks of each rule, in checklist order.
const RULES: [&[&Check]; 10] = [
    r01_global_runtime::CHECKS,
    r02_locks::CHECKS,
    r03_executors::CHECKS,
    r04_futures::CHECKS,
    r05_atomic_writes::CHECKS,
    r06_cache_keys::CHECKS,
    r07_cross_worker::CHECKS,
    r08_growth::CHECKS,
    r09_leaks::CHECKS,
    r10_cleanup::CHECKS,
];

/// Every check, in checklist order.
pub(crate) fn checks() -> impl Iterator<Item = &'static Check> {
    RULES.into_iter().flatten().copied()
}
