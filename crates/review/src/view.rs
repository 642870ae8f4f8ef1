//! The diff for those who show it: structure, and rows by the window.

use crate::plan::{Plan, is_read};
use diff::{File, Hunk, LineKind, Status};
use report::{DiffView, FileStatus, FileView, HunkView, Report, Row, RowKind, Side};

/// Files and hunks without their text.
pub fn view(plan: &Plan) -> DiffView {
    DiffView {
        files: plan.patch.files.iter().map(file_view).collect(),
    }
}

fn file_view(file: &File) -> FileView {
    let moved =
        file.old_path.is_some() && file.new_path.is_some() && file.old_path != file.new_path;
    FileView {
        path: file.path().to_string(),
        old_path: file.old_path.clone().filter(|_| moved),
        status: status(file.status),
        python: is_read(file),
        commit: file.commit,
        added: file.added() as u32,
        removed: file.deleted() as u32,
        hunks: file.hunks.iter().map(hunk_view).collect(),
    }
}

fn status(status: Status) -> FileStatus {
    match status {
        Status::Added => FileStatus::Added,
        Status::Deleted => FileStatus::Deleted,
        Status::Modified => FileStatus::Modified,
        Status::Renamed => FileStatus::Renamed,
        Status::Copied => FileStatus::Copied,
        Status::Mode => FileStatus::Mode,
        Status::Binary => FileStatus::Binary,
    }
}

fn hunk_view(hunk: &Hunk) -> HunkView {
    HunkView {
        old_start: hunk.old_start,
        old_len: hunk.old_len,
        new_start: hunk.new_start,
        new_len: hunk.new_len,
        section: hunk.section.clone(),
        n_lines: hunk.lines.len() as u32,
    }
}

/// Rows `from..to` of a file; row 0 is the first hunk's header. What does not exist is left out.
pub fn rows(plan: &Plan, file: usize, from: usize, to: usize) -> Vec<Row> {
    let Some(file) = plan.patch.files.get(file) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut first = 0;
    for hunk in &file.hunks {
        let end = first + 1 + hunk.lines.len();
        if first >= to {
            break;
        }
        for at in from.max(first)..to.min(end) {
            rows.extend(match at - first {
                0 => Some(header(hunk)),
                n => hunk.lines.get(n - 1).map(|line| row(plan, line)),
            });
        }
        first = end;
    }
    rows
}

fn header(hunk: &Hunk) -> Row {
    let text = format!(
        "@@ -{},{} +{},{} @@ {}",
        hunk.old_start, hunk.old_len, hunk.new_start, hunk.new_len, hunk.section
    );
    Row {
        kind: RowKind::Hunk,
        old: None,
        new: None,
        text: text.trim_end().to_string(),
        spans: Vec::new(),
    }
}

fn row(plan: &Plan, line: &diff::Line) -> Row {
    let kind = match line.kind {
        LineKind::Context => RowKind::Context,
        LineKind::Added => RowKind::Added,
        LineKind::Deleted => RowKind::Deleted,
    };
    let text = plan.patch.text(line).trim_end_matches('\r').to_string();
    Row {
        kind,
        old: line.old,
        new: line.new,
        text,
        spans: Vec::new(),
    }
}

/// The diff cut to the hunks that carry a counted finding or a related place of one.
pub fn excerpt(plan: &Plan, report: &Report) -> String {
    let mut places: Vec<(&str, Side, u32)> = Vec::new();
    for finding in report.counted() {
        places.push((&finding.path, finding.side, finding.line));
        places.extend(
            finding
                .related
                .iter()
                .map(|place| (place.path.as_str(), place.side, place.line)),
        );
    }
    diff::excerpt(&plan.patch, |file, hunk| {
        let Some(file) = plan.patch.files.get(file) else {
            return false;
        };
        let Some(hunk) = file.hunks.get(hunk) else {
            return false;
        };
        places.iter().any(|&(path, side, line)| {
            let own =
                file.new_path.as_deref() == Some(path) || file.old_path.as_deref() == Some(path);
            own && holds(hunk, side, line)
        })
    })
}

fn holds(hunk: &Hunk, side: Side, line: u32) -> bool {
    hunk.lines.iter().any(|of| match side {
        Side::Old => of.old == Some(line),
        Side::New => of.new == Some(line),
    })
}
