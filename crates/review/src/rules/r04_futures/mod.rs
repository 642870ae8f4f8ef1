//! R4: waits for futures on hot paths are bounded.

mod asked;
mod bespoke_future_resolver;
mod blocking_pops;
mod children;
mod empty_limits;
mod ending;
mod endless_clients;
mod gathered;
mod handed;
mod literal_hot_timeout;
mod mapped;
mod misplaced_timeout;
mod own_futures;
mod pipes;
mod queue_never_drained;
mod replies;
mod request_without_timeout;
mod streamers;
mod takers;
mod unbounded_queue_or_join;
mod unbounded_result;
mod unbounded_wait;
mod websockets;
mod worklists;

use super::Check;

pub(crate) const REQUEST_WITHOUT_TIMEOUT: &Check = &request_without_timeout::CHECK;
pub(crate) const UNBOUNDED_QUEUE_OR_JOIN: &Check = &unbounded_queue_or_join::CHECK;
pub(crate) const UNBOUNDED_RESULT: &Check = &unbounded_result::CHECK;
pub(crate) const UNBOUNDED_WAIT: &Check = &unbounded_wait::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &misplaced_timeout::CHECK,
    &unbounded_result::CHECK,
    &unbounded_wait::CHECK,
    &queue_never_drained::CHECK,
    &unbounded_queue_or_join::CHECK,
    &bespoke_future_resolver::CHECK,
    &literal_hot_timeout::CHECK,
    &request_without_timeout::CHECK,
];
