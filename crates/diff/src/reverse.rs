//! The patch that undoes a patch.

use crate::{File, Hunk, Line, LineKind, Patch, Status};

/// Swaps the old and the new side of everything. Inside a change the deleted lines come first, as in any diff.
pub fn reverse(patch: &Patch) -> Patch {
    Patch {
        files: patch.files.iter().map(reverse_file).collect(),
        ..patch.clone()
    }
}

fn reverse_file(file: &File) -> File {
    File {
        old_path: file.new_path.clone(),
        new_path: file.old_path.clone(),
        status: reverse_status(file.status),
        hunks: file.hunks.iter().map(reverse_hunk).collect(),
        old_mode: file.new_mode,
        new_mode: file.old_mode,
        ..*file
    }
}

fn reverse_status(status: Status) -> Status {
    match status {
        Status::Added => Status::Deleted,
        Status::Deleted => Status::Added,
        other => other,
    }
}

fn reverse_hunk(hunk: &Hunk) -> Hunk {
    Hunk {
        old_start: hunk.new_start,
        old_len: hunk.new_len,
        new_start: hunk.old_start,
        new_len: hunk.old_len,
        section: hunk.section.clone(),
        lines: reverse_lines(&hunk.lines),
        ..*hunk
    }
}

fn reverse_lines(lines: &[Line]) -> Vec<Line> {
    let changes =
        |a: &Line, b: &Line| (a.kind == LineKind::Context) == (b.kind == LineKind::Context);
    let mut reversed = Vec::with_capacity(lines.len());
    for run in lines.chunk_by(changes) {
        let start = reversed.len();
        reversed.extend(run.iter().map(reverse_line));
        if let Some(run) = reversed.get_mut(start..) {
            // Stable, so each side keeps its order.
            run.sort_by_key(|line| line.kind == LineKind::Added);
        }
    }
    reversed
}

fn reverse_line(line: &Line) -> Line {
    let kind = match line.kind {
        LineKind::Context => LineKind::Context,
        LineKind::Added => LineKind::Deleted,
        LineKind::Deleted => LineKind::Added,
    };
    Line {
        kind,
        old: line.new,
        new: line.old,
        ..*line
    }
}
