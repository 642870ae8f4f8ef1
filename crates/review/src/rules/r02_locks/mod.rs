//! R2: locks are acquired with a timeout and always released.

mod acquire_lost_on_cancel;
mod acquire_without_release;
mod acquire_without_timeout;
mod added_locks;
mod asked_too_early;
mod callback_under_lock;
mod cancelled_awaits;
mod condition_misused;
mod deleted_unowned;
mod distributed_lock_without_expiry;
mod endless_flocks;
mod entries;
mod escape;
mod fetched_locks;
mod forgotten_locks;
mod generators;
mod guarded_state_escapes;
mod ignored_acquire_result;
mod interrupted_holders;
mod lock_across_blocking;
mod lock_across_yield;
mod lock_handle_overwritten;
mod lock_object_not_shared;
mod loops;
mod nested_lock;
mod own_instead_of_shared_helper;
mod process_copies;
mod purpose;
mod released_unacquired;
mod rendezvous_under_lock;
mod replaced_locks;
mod slots;
mod spin_locks;
mod stopped_loop;
mod stored_locks;
mod thread_lock_across_await;
mod transient_loop_lock;
mod unawaited;
mod wait_on_own_loop;

use super::Check;

pub(crate) const ACQUIRE_WITHOUT_RELEASE: &Check = &acquire_without_release::CHECK;
pub(crate) const ACQUIRE_WITHOUT_TIMEOUT: &Check = &acquire_without_timeout::CHECK;
pub(crate) const LOCK_ACROSS_BLOCKING: &Check = &lock_across_blocking::CHECK;
pub(crate) const NESTED_LOCK: &Check = &nested_lock::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &nested_lock::CHECK,
    &lock_object_not_shared::CHECK,
    &thread_lock_across_await::CHECK,
    &wait_on_own_loop::CHECK,
    &rendezvous_under_lock::CHECK,
    &transient_loop_lock::CHECK,
    &distributed_lock_without_expiry::CHECK,
    &lock_across_yield::CHECK,
    &condition_misused::CHECK,
    &lock_across_blocking::CHECK,
    &lock_handle_overwritten::CHECK,
    &acquire_without_release::CHECK,
    &released_unacquired::CHECK,
    &ignored_acquire_result::CHECK,
    &acquire_without_timeout::CHECK,
    &acquire_lost_on_cancel::CHECK,
    &asked_too_early::CHECK,
    &callback_under_lock::CHECK,
    &guarded_state_escapes::CHECK,
    &own_instead_of_shared_helper::CHECK,
];
