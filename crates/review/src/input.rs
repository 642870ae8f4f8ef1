//! What a review is given.

use std::collections::BTreeMap;
use topic::Profile;

/// Everything that a review depends on. The same input gives the same report.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The decoded diff, of any origin.
    pub text: &'a str,
    /// What decoding the bytes had to say.
    pub decoding: &'a [diff::Problem],
    /// Whole new-side files by path, where they are known.
    pub files: Option<&'a BTreeMap<String, String>>,
    pub profile: &'a Profile,
    /// Findings that a team has dismissed.
    pub dismissals: &'a [Dismissal],
    /// Where the diff comes from, as far as its fetcher knows.
    pub source: &'a report::Source,
}

/// A finding that a team has dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dismissal {
    /// The finding's id.
    pub id: String,
    pub reason: String,
}
