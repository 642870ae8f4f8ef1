//! R3: executors and threads have a shutdown path and a fallback when they are dropped.

mod executor_never_shut_down;
mod executor_per_call;
mod executor_without_gc_fallback;
mod kept;
mod local_executor_not_closed;
mod task_reference_dropped;
mod thread_not_joined;
mod thread_without_stop_flag;

#[cfg(test)]
mod tests;

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &executor_per_call::CHECK,
    &local_executor_not_closed::CHECK,
    &executor_never_shut_down::CHECK,
    &executor_without_gc_fallback::CHECK,
    &thread_without_stop_flag::CHECK,
    &thread_not_joined::CHECK,
    &task_reference_dropped::CHECK,
];
