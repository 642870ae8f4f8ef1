//! What page and worker say to each other. Every answer carries the id of its request; the page drops stale ones.

use crate::finding::Finding;
use crate::model::{Report, Source};
use crate::permalink::Link;
use crate::view::{DiffView, FoundRow, Row};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ToWorker {
    /// Review this text; it replaces the current review.
    Review {
        id: u32,
        text: String,
        /// Where the diff was fetched from, as far as the page knows.
        #[serde(default)]
        source: Source,
        /// Whole new-side files by path, where the page has fetched them.
        #[serde(default)]
        files: Option<BTreeMap<String, String>>,
        /// A profile's JSON that takes the place of the built-in names.
        #[serde(default)]
        profile: Option<String>,
        /// What the fetcher could not get, a sentence each. Each becomes a problem of the report.
        #[serde(default)]
        left_out: Vec<String>,
        /// Files, by their index in the view, that broke the analysis down before. They are not read again.
        #[serde(default)]
        skipped: Vec<u32>,
    },
    /// Ends the current review, if it has this id, with what was read so far.
    Conclude { id: u32 },
    /// Whole new-side files by path that came after the diff. The current review is concluded anew with
    /// these and those before; the answers carry its id, and no second view comes.
    Files {
        id: u32,
        files: BTreeMap<String, String>,
    },
    /// Whether this is the JSON of a profile.
    Profile { id: u32, text: String },
    /// Rows `from..to` of a file of the current review; row 0 is the first hunk's header.
    Rows {
        id: u32,
        file: u32,
        from: u32,
        to: u32,
    },
    /// Lines `from..to`, counted from 1, of the new side of a file whose whole text is known.
    WholeRows {
        id: u32,
        file: u32,
        from: u32,
        to: u32,
    },
    /// The code of rows `from..to` as plain text: the new side, or where none of the rows has one, the old.
    Text {
        id: u32,
        file: u32,
        from: u32,
        to: u32,
    },
    /// Which rows hold this text; letters of ASCII match in both cases.
    Find {
        id: u32,
        text: String,
        /// The largest number of matches to tell.
        limit: u32,
    },
    /// The current review's diff, cut to the hunks that carry these findings' lines, for a short link.
    Excerpt { id: u32 },
    /// Pack this into the fragment of a link, which takes seconds for a large diff.
    Link { id: u32, link: Box<Link> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(
    clippy::large_enum_variant,
    reason = "one message is alive at a time, and only 64-bit hosts see the difference"
)]
pub enum FromWorker {
    /// The worker listens. Messages posted before this one may be lost.
    Ready {
        version: String,
    },
    /// The diff was read; analysis follows.
    View {
        id: u32,
        view: DiffView,
        /// The file that is read next, by its index in the view. If nothing comes after this, it is the cause.
        #[serde(default)]
        next: Option<u32>,
    },
    /// `done` of `total` Python files are analysed.
    Progress {
        id: u32,
        done: u32,
        total: u32,
        /// The file that was analysed last, by its index in the view.
        #[serde(default)]
        file: Option<u32>,
        /// What it shows by itself. The report may tell more, fewer, or others.
        #[serde(default)]
        findings: Vec<Finding>,
        /// As in `View`.
        #[serde(default)]
        next: Option<u32>,
    },
    Done {
        id: u32,
        report: Report,
    },
    Rows {
        id: u32,
        file: u32,
        from: u32,
        rows: Vec<Row>,
    },
    /// Of these files, by their index in the view, the whole new side is known now; each with its number of lines.
    Known {
        id: u32,
        files: Vec<(u32, u32)>,
        /// As in `View`.
        #[serde(default)]
        next: Option<u32>,
    },
    WholeRows {
        id: u32,
        file: u32,
        from: u32,
        rows: Vec<Row>,
    },
    Text {
        id: u32,
        text: String,
    },
    Found {
        id: u32,
        /// In the order of the diff.
        rows: Vec<FoundRow>,
        /// How many there are in all.
        total: u32,
    },
    Excerpt {
        id: u32,
        text: String,
    },
    /// The text is a profile, of this name.
    Profile {
        id: u32,
        name: String,
    },
    /// The text is no profile; the message is a sentence for the user.
    NoProfile {
        id: u32,
        message: String,
    },
    /// The fragment of a link, without its `#`.
    Link {
        id: u32,
        fragment: String,
    },
    /// The request failed; the message is a sentence for the user.
    Failed {
        id: u32,
        message: String,
    },
}
