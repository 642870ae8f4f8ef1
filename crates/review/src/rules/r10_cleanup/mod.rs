//! R10: clean-up degrades gracefully.

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[];
