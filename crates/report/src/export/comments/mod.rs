//! The report as comments at the lines of a pull request: the body of the code host's request that makes a review.
//!
//! The host refuses the whole review if one comment names a line that its diff does not show. So a finding becomes a comment only
//! where the diff that was reviewed shows its line; any other stands in the review's own text.

use super::address::commit;
use super::markdown::{Sorted, comment, cover};
use super::wording::Wording;
use crate::finding::{Finding, Side};
use crate::model::Report;
use crate::view::{DiffView, FileView};
use crate::work::Work;
use serde::Serialize;

/// The review as indented JSON, to be posted to `/repos/OWNER/NAME/pulls/NUMBER/reviews`. It approves nothing:
/// its event is `COMMENT`. `view` is the diff of the report.
pub fn comments(report: &Report, work: &Work, wording: &Wording, view: &DiffView) -> String {
    let report = &work.apply(report);
    let sorted = Sorted::of(report, work);
    let shown = |finding: &&&Finding| place(view, finding).is_some();
    let told = sorted.findings.iter().chain(&sorted.asked).filter(shown);
    let placed: Vec<&str> = told.clone().map(|finding| finding.id.as_str()).collect();
    let is_placed = |finding: &Finding| placed.contains(&finding.id.as_str());
    let review = Review {
        commit_id: commit(&report.source).filter(|commit| commit.len() == FULL_NAME),
        event: "COMMENT",
        body: cover(report, work, wording, &is_placed),
        comments: told
            .filter_map(|finding| {
                let body = comment(report, work, wording, &finding.id)?;
                Some(place(view, finding)?.with(body))
            })
            .collect(),
    };
    // Nothing of these types refuses to be serialised, so the fallback is never taken.
    let mut text = serde_json::to_string_pretty(&review).unwrap_or_default();
    text.push('\n');
    text
}

/// Characters of a commit's whole name: the host takes no shorter one.
const FULL_NAME: usize = 40;

/// The request's body, in the host's own names.
#[derive(Serialize)]
struct Review<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_id: Option<&'a str>,
    event: &'static str,
    body: String,
    comments: Vec<Comment>,
}

#[derive(Serialize)]
struct Comment {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_side: Option<&'static str>,
    /// The last line of the range.
    line: u32,
    side: &'static str,
    body: String,
}

/// Where a comment stands: in one hunk of one file.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    path: String,
    side: Side,
    first: u32,
    last: u32,
}

impl Place {
    fn with(self, body: String) -> Comment {
        let side = match self.side {
            Side::Old => "LEFT",
            Side::New => "RIGHT",
        };
        let is_range = self.first < self.last;
        Comment {
            path: self.path,
            start_line: is_range.then_some(self.first),
            start_side: is_range.then_some(side),
            line: self.last,
            side,
            body,
        }
    }
}

/// The lines of a finding as far as one hunk shows them. Lines of one commit among several are not those of the whole change.
fn place(view: &DiffView, finding: &Finding) -> Option<Place> {
    if holds_several_commits(view) {
        return None;
    }
    let mut files = view.files.iter().filter(|file| is_named(file, finding));
    files.find_map(|file| {
        let end = end_of_hunk(file, finding.side, finding.line)?;
        Some(Place {
            path: file.path.clone(),
            side: finding.side,
            first: finding.line,
            last: finding.end_line.clamp(finding.line, end),
        })
    })
}

fn holds_several_commits(view: &DiffView) -> bool {
    view.files.iter().any(|file| file.commit > Some(0))
}

/// The host knows a renamed file by its new name alone; the old side's findings go by the old one.
fn is_named(file: &FileView, finding: &Finding) -> bool {
    file.path == finding.path || file.old_path.as_deref() == Some(&finding.path)
}

/// The last line of the hunk that shows this line.
fn end_of_hunk(file: &FileView, side: Side, line: u32) -> Option<u32> {
    file.hunks.iter().find_map(|hunk| {
        let (start, len) = match side {
            Side::Old => (hunk.old_start, hunk.old_len),
            Side::New => (hunk.new_start, hunk.new_len),
        };
        let last = start.checked_add(len)?.checked_sub(1)?;
        (start..=last).contains(&line).then_some(last)
    })
}

#[cfg(test)]
mod tests;
