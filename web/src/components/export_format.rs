//! The forms in which a review is exported, and what each is good for.

use crate::desk::Desk;
use crate::diff_file::DiffFile;
use report::{DiffView, FileView, Report, export};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Markdown,
    Comments,
    Text,
    Sarif,
    Json,
}

/// What is exported.
pub(super) struct Review<'a> {
    pub(super) report: &'a Report,
    pub(super) desk: &'a Desk,
    /// Empty where the report came without its diff.
    pub(super) files: &'a [Rc<DiffFile>],
    pub(super) text: &'a str,
    /// Whether SARIF carries NITs.
    pub(super) nits: bool,
}

impl Format {
    pub(super) const ALL: [Format; 5] = [
        Format::Markdown,
        Format::Comments,
        Format::Text,
        Format::Sarif,
        Format::Json,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Format::Markdown => "Markdown",
            Format::Comments => "Review comments",
            Format::Text => "Plain text",
            Format::Sarif => "SARIF",
            Format::Json => "JSON",
        }
    }

    pub(super) fn good_for(self) -> &'static str {
        match self {
            Format::Markdown => "one comment for the author",
            Format::Comments => "at their lines, for GitHub\u{2019}s API",
            Format::Text => "for a mail or a terminal",
            Format::Sarif => "for code scanning and editors",
            Format::Json => "opens here again, with the diff",
        }
    }

    /// Name and type of the file.
    pub(super) fn file(self) -> (&'static str, &'static str) {
        match self {
            Format::Markdown => ("hunkwise-review.md", "text/markdown"),
            Format::Comments => ("hunkwise-comments.json", "application/json"),
            Format::Text => ("hunkwise-review.txt", "text/plain"),
            Format::Sarif => ("hunkwise-review.sarif", "application/sarif+json"),
            Format::Json => ("hunkwise-review.json", "application/json"),
        }
    }

    pub(super) fn write(self, review: &Review<'_>) -> String {
        let Review { report, desk, .. } = review;
        let work = &desk.kept.work;
        let wording = topic::topic().wording(desk.gravity);
        match self {
            Format::Markdown => export::markdown(report, work, &wording),
            Format::Comments => export::comments(report, work, &wording, &view(review.files)),
            Format::Text => export::text(report, work),
            Format::Sarif => export::sarif(report, work, review.nits),
            Format::Json if review.files.is_empty() => export::json(report, work),
            Format::Json => export::json_with_diff(report, work, review.text),
        }
    }
}

fn view(files: &[Rc<DiffFile>]) -> DiffView {
    DiffView {
        files: files
            .iter()
            .map(|file| FileView::clone(&file.view))
            .collect(),
    }
}
