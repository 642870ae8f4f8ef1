//! The ten rules: one folder a rule, one file a check.
//!
//! A check reads the facts of one side of one file and says what it sees there; it knows nothing of diffs.
//! `conclude` runs every check on both sides and finds out what the change brought.

mod hit;

pub(crate) use hit::{Anchor, Check, Context, Evidence, Hit, HitVerdict, Outcome, Place, Words};

/// Every check, in checklist order.
pub(crate) const CHECKS: &[&Check] = &[];
