//! What there is to say about a check without a review.

use crate::rules;
use report::Severity;

/// A check's metadata for those who list or explain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckInfo {
    /// Kebab-case.
    pub id: &'static str,
    /// 1 to 10.
    pub rule: u8,
    pub severity: Severity,
    pub summary: &'static str,
}

/// All checks in checklist order.
pub fn checks() -> impl Iterator<Item = CheckInfo> {
    rules::checks().map(|check| CheckInfo {
        id: check.id,
        rule: check.rule,
        severity: check.severity,
        summary: check.summary,
    })
}

/// The checks with this id: several where rules ask the same, each of its own kind of code.
pub fn checks_named(id: &str) -> impl Iterator<Item = CheckInfo> {
    checks().filter(move |check| check.id == id)
}
