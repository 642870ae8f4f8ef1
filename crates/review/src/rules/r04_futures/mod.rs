//! R4: waits for futures on hot paths are bounded.

mod bespoke_future_resolver;
mod literal_hot_timeout;
mod pipes;
mod replies;
mod unbounded_queue_or_join;
mod unbounded_result;
mod unbounded_wait;
mod worklists;

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &unbounded_result::CHECK,
    &unbounded_wait::CHECK,
    &unbounded_queue_or_join::CHECK,
    &bespoke_future_resolver::CHECK,
    &literal_hot_timeout::CHECK,
];
