//! R2: locks are acquired with a timeout and always released.

mod acquire_without_release;
mod acquire_without_timeout;
mod ignored_acquire_result;
mod lock_across_blocking;
mod thread_lock_across_await;
mod transient_loop_lock;

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &thread_lock_across_await::CHECK,
    &transient_loop_lock::CHECK,
    &lock_across_blocking::CHECK,
    &acquire_without_release::CHECK,
    &ignored_acquire_result::CHECK,
    &acquire_without_timeout::CHECK,
];
