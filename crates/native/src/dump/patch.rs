//! `hunkwise dump patch`: what the diff reader makes of a text.

use serde_json::{Value, json};

/// The files with their hunk ranges and line numbers, and the problems, as JSON.
pub(crate) fn patch(patch: &diff::Patch) -> Value {
    json!({
        "files": patch.files.iter().map(file).collect::<Vec<_>>(),
        "problems": patch.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}

fn file(file: &diff::File) -> Value {
    let numbers = |kind, number: fn(&diff::Line) -> Option<u32>| {
        let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines
            .filter(|line| line.kind == kind)
            .filter_map(number)
            .collect::<Vec<_>>()
    };
    json!({
        "old_path": file.old_path,
        "new_path": file.new_path,
        "status": file.status.name(),
        "commit": file.commit,
        "line": file.line,
        "hunks": file.hunks.iter().map(hunk).collect::<Vec<_>>(),
        "added_lines": numbers(diff::LineKind::Added, |line| line.new),
        "deleted_lines": numbers(diff::LineKind::Deleted, |line| line.old),
    })
}

fn hunk(hunk: &diff::Hunk) -> Value {
    json!({
        "old_start": hunk.old_start,
        "old_len": hunk.old_len,
        "new_start": hunk.new_start,
        "new_len": hunk.new_len,
        "section": hunk.section,
        "complete": hunk.complete,
    })
}

fn problem(problem: &diff::Problem) -> Value {
    json!({
        "path": problem.path,
        "line": problem.line,
        "kind": problem.kind.name(),
        "message": problem.message,
    })
}
