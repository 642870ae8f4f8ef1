//! R3: executors and threads have a shutdown path and a fallback when they are dropped.

mod atexit_only_cleanup;
mod daemons;
mod endless_ends;
mod error_told_to_one;
mod executor_never_shut_down;
mod executor_per_call;
mod executor_without_gc_fallback;
mod feeders;
mod finalizer_keeps_owner_alive;
mod foreign_loops;
mod hard_coded_watchdog;
mod idle_limits;
mod idlers;
mod in_parameters;
mod inherited_over_fork;
mod joins_itself;
mod kept;
mod library_threads;
mod lifespans;
mod local_executor_not_closed;
mod loop_dies_on_error;
mod loop_touched_from_thread;
mod processes;
mod sentinel_only_on_success;
mod served_loops;
mod signals;
mod start_failure_leaks;
mod started;
mod started_early;
mod task_not_cancelled;
mod task_reference_dropped;
#[cfg(test)]
mod tests;
mod thread_local_in_short_pool;
mod thread_not_joined;
mod thread_stopped_only_on_success;
mod thread_without_stop_flag;
mod timer_not_cancelled;
mod unfed;

use super::Check;

pub(crate) const EXECUTOR_NEVER_SHUT_DOWN: &Check = &executor_never_shut_down::CHECK;
pub(crate) const LOOP_TOUCHED_FROM_THREAD: &Check = &loop_touched_from_thread::CHECK;
pub(crate) const THREAD_LOCAL_IN_SHORT_POOL: &Check = &thread_local_in_short_pool::CHECK;
pub(crate) const THREAD_NOT_JOINED: &Check = &thread_not_joined::CHECK;
pub(crate) const THREAD_WITHOUT_STOP_FLAG: &Check = &thread_without_stop_flag::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &executor_per_call::CHECK,
    &local_executor_not_closed::CHECK,
    &executor_never_shut_down::CHECK,
    &executor_without_gc_fallback::CHECK,
    &finalizer_keeps_owner_alive::CHECK,
    &thread_without_stop_flag::CHECK,
    &thread_stopped_only_on_success::CHECK,
    &thread_not_joined::CHECK,
    &start_failure_leaks::CHECK,
    &sentinel_only_on_success::CHECK,
    &error_told_to_one::CHECK,
    &atexit_only_cleanup::CHECK,
    &thread_local_in_short_pool::CHECK,
    &loop_touched_from_thread::CHECK,
    &loop_dies_on_error::CHECK,
    &task_reference_dropped::CHECK,
    &task_not_cancelled::CHECK,
    &timer_not_cancelled::CHECK,
    &hard_coded_watchdog::CHECK,
];
