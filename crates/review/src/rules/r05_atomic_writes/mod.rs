//! R5: writes into caches and artifacts are atomic.

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[];
