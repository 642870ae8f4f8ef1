//! R6: cache keys are valid, unique and safe as paths.

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[];
