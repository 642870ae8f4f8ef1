//! R9: contexts and resources are left and closed on every path.

mod closed_only_on_success;
mod constructor_leaks_context;
mod context_entered_not_exited;
mod figures;
mod handed_on_late;
mod init_failure_leak;
mod kept_pipe_end;
mod marks;
mod never_unsubscribed;
mod opened;
mod overridden_close;
mod overwritten_field;
mod pooled;
mod resource_not_closed;
mod setting_not_restored;
mod stack_in_enter;
mod streams;
mod taken_back;
#[cfg(test)]
mod tests;
mod timed_out;
mod transactions;
mod unawaited_close;
mod undoing;
mod wrapped_clients;
mod yield_without_finally;

use super::Check;

pub(crate) const RESOURCE_NOT_CLOSED: &Check = &resource_not_closed::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &constructor_leaks_context::CHECK,
    &context_entered_not_exited::CHECK,
    &yield_without_finally::CHECK,
    &closed_only_on_success::CHECK,
    &resource_not_closed::CHECK,
    &init_failure_leak::CHECK,
    &setting_not_restored::CHECK,
];
