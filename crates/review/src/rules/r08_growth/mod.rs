//! R8: nothing grows without bound.

mod ending;
mod entry_left_on_error;
mod entry_never_taken_back;
mod eviction_misses_structure;
mod handlers_added;
mod high_cardinality;
mod incomplete_entries;
mod lifespan;
mod noted_too_early;
mod own_instead_of_shared_helper;
mod per_caller;
mod pinned_not_respected;
mod redis_without_expiry;
mod registered_for_good;
mod removal;
mod swapped_keys;
mod unbounded_cache;
mod unbounded_memo;
mod unbounded_queue;
mod unpruned_collector;

use super::Check;

pub(crate) const REDIS_WITHOUT_EXPIRY: &Check = &redis_without_expiry::CHECK;
pub(crate) const UNBOUNDED_CACHE: &Check = &unbounded_cache::CHECK;
pub(crate) const UNBOUNDED_QUEUE: &Check = &unbounded_queue::CHECK;
pub(crate) const UNPRUNED_COLLECTOR: &Check = &unpruned_collector::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &eviction_misses_structure::CHECK,
    &entry_left_on_error::CHECK,
    &entry_never_taken_back::CHECK,
    &registered_for_good::CHECK,
    &pinned_not_respected::CHECK,
    &unbounded_queue::CHECK,
    &unbounded_memo::CHECK,
    &unpruned_collector::CHECK,
    &unbounded_cache::CHECK,
    &redis_without_expiry::CHECK,
    &own_instead_of_shared_helper::CHECK,
];
