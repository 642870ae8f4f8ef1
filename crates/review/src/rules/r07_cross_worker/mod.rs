//! R7: deleting and replacing across workers is locked and idempotent.

use super::Check;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[];
