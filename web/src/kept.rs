//! A review as it is kept between visits: everything but its text, which is stored beside it.

use crate::state::Fetched;
use report::{Report, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) title: String,
    /// The fingerprint of its text.
    pub(crate) text: String,
    pub(crate) n_lines: usize,
    /// What the text was fetched as, if it was: whole files can then be fetched again.
    #[serde(default)]
    pub(crate) fetched: Option<Fetched>,
    /// The analysis of the text was begun and has not ended: it may be what broke the page.
    #[serde(default)]
    pub(crate) is_running: bool,
    /// Files of the text, by their index in the view, that broke the analysis down. They are left out.
    #[serde(default)]
    pub(crate) skipped: BTreeSet<u32>,
    /// Id of the review of the version before, whose work this one carries on.
    #[serde(default)]
    pub(crate) older: Option<String>,
    pub(crate) work: Work,
    /// Milliseconds since 1970 when it was stored last; 0 before that.
    #[serde(default)]
    pub(crate) updated: u64,
}

impl Kept {
    /// Whether nothing would be lost with it but the text.
    pub(crate) fn is_draft(&self) -> bool {
        self.work.version.is_none() && self.has_no_entry()
    }

    /// Whether no line was answered and nothing decided.
    pub(crate) fn has_no_entry(&self) -> bool {
        self.work.lines.is_empty() && self.work.findings.is_empty()
    }
}

/// What a review is called in a list: its pull request, or its files.
pub(crate) fn title_of(report: &Report, paths: &BTreeSet<String>) -> Option<String> {
    let source = &report.source;
    if let (Some(repo), Some(pull)) = (&source.repo, source.pull) {
        return Some(format!("{repo}#{pull}"));
    }
    let first = paths.first()?;
    Some(match paths.len() {
        1 => first.clone(),
        n_paths => format!("{first} and {} more", n_paths - 1),
    })
}
