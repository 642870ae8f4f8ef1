//! The diff for those who show it: structure, and rows by the window.

mod colour;

use crate::plan::{Plan, is_read};
use diff::{File, Hunk, LineKind, Status};
use report::{DiffView, FileStatus, FileView, HunkView, Report, Row, RowKind, Side, Span};
use std::ops::Range;

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
        if end > from {
            let window = from.max(first) - first..to.min(end) - first;
            rows.extend(window_of(plan, hunk, is_read(file), window));
        }
        first = end;
    }
    rows
}

/// Some rows of a hunk, its header being row 0.
fn window_of(plan: &Plan, hunk: &Hunk, is_python: bool, window: Range<usize>) -> Vec<Row> {
    let mut rows = Vec::with_capacity(window.len());
    if window.contains(&0) {
        rows.push(header(hunk));
    }
    let mut colours = is_python.then(|| Colours::new(plan, hunk));
    for (at, line) in (1..).zip(&hunk.lines).take(window.end.saturating_sub(1)) {
        let text = plan.patch.text(line).trim_end_matches('\r');
        // Lines before the window are read for the strings that they leave open.
        let spans = colours
            .as_mut()
            .map(|colours| colours.line(line.kind, text));
        if at >= window.start {
            rows.push(row(line, text, spans.unwrap_or_default()));
        }
    }
    rows
}

/// What is open on either side while a hunk is painted.
struct Colours {
    old: colour::Open,
    new: colour::Open,
}

impl Colours {
    fn new(plan: &Plan, hunk: &Hunk) -> Colours {
        let before = |other: LineKind| {
            let lines = hunk.lines.iter().filter(move |line| line.kind != other);
            colour::before(lines.map(|line| plan.patch.text(line)))
        };
        Colours {
            old: before(LineKind::Added),
            new: before(LineKind::Deleted),
        }
    }

    fn line(&mut self, kind: LineKind, text: &str) -> Vec<Span> {
        let open = match kind {
            LineKind::Deleted => self.old,
            LineKind::Context | LineKind::Added => self.new,
        };
        let (spans, behind) = colour::line(text, open);
        match kind {
            LineKind::Added => self.new = behind,
            LineKind::Deleted => self.old = behind,
            LineKind::Context => {
                let same = self.old == self.new;
                self.old = if same {
                    behind
                } else {
                    colour::line(text, self.old).1
                };
                self.new = behind;
            }
        }
        spans
    }
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

fn row(line: &diff::Line, text: &str, spans: Vec<Span>) -> Row {
    Row {
        kind: match line.kind {
            LineKind::Context => RowKind::Context,
            LineKind::Added => RowKind::Added,
            LineKind::Deleted => RowKind::Deleted,
        },
        old: line.old,
        new: line.new,
        text: text.to_owned(),
        spans,
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
