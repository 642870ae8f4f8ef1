//! R10: clean-up degrades gracefully.

mod cache_outage_propagates;
mod cancellation_swallowed;
mod cleanup_propagates;
mod configured;
mod corrupt_entry_propagates;
mod exit_suppresses;
mod failure_as_success;
mod first_failure_skips_rest;
mod gathered_hooks;
mod hooks;
mod last_work;
mod missing_key;
mod narrow_except;
mod none_after_failure;
mod parsers;
mod raise_in_finally;
mod ready_after_failure;
mod side_work_shares_try;
mod silent_swallow;
mod state_restarts;
mod unbound_after_failure;
mod unbound_in_cleanup;

use super::Check;

pub(crate) const CACHE_OUTAGE_PROPAGATES: &Check = &cache_outage_propagates::CHECK;
pub(crate) const CLEANUP_PROPAGATES: &Check = &cleanup_propagates::CHECK;
pub(crate) const FAILURE_AS_SUCCESS: &Check = &failure_as_success::CHECK;
pub(crate) const FIRST_FAILURE_SKIPS_REST: &Check = &first_failure_skips_rest::CHECK;
pub(crate) const SIDE_WORK_SHARES_TRY: &Check = &side_work_shares_try::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &raise_in_finally::CHECK,
    &side_work_shares_try::CHECK,
    &cache_outage_propagates::CHECK,
    &exit_suppresses::CHECK,
    &unbound_in_cleanup::CHECK,
    &unbound_after_failure::CHECK,
    &cancellation_swallowed::CHECK,
    &cleanup_propagates::CHECK,
    &corrupt_entry_propagates::CHECK,
    &failure_as_success::CHECK,
    &ready_after_failure::CHECK,
    &state_restarts::CHECK,
    &silent_swallow::CHECK,
    &first_failure_skips_rest::CHECK,
    &narrow_except::CHECK,
    &none_after_failure::CHECK,
    &missing_key::CHECK,
];
