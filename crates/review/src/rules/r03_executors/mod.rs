//! R3: executors and threads have a shutdown path and a fallback when they are dropped.

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[];
