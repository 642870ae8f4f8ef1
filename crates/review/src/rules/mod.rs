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

pub(crate) use r06_cache_keys::{tells_entries_apart, told_apart_by};

/// Every check, in checklist order.
pub(crate) fn checks() -> impl Iterator<Item = &'static Check> {
    RULES.into_iter().flatten().copied()
}
