//! The diff for those who show it: structure, rows by the window, their text, and a search in it.

mod colour;
mod excerpt;
mod find;
mod rows;
mod whole;
mod words;

pub use excerpt::excerpt;
pub use find::{Found, find};
pub use rows::{rows, text};
pub use whole::{n_whole_lines, whole_rows};

use crate::plan::{Plan, is_read};
use diff::{File, Hunk, LineKind, Status};
use report::{DiffView, FileStatus, FileView, HunkView, Run};

/// Files and hunks without their text.
pub fn view(plan: &Plan) -> DiffView {
    let file = |file| file_view(plan, file);
    DiffView {
        files: plan.patch.files.iter().map(file).collect(),
    }
}

fn file_view(plan: &Plan, file: &File) -> FileView {
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
        whole: whole::n_lines(plan, file),
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
        runs: runs(hunk),
    }
}

/// The kinds of a hunk's lines. What comes in another order than context, deleted, added begins a new run.
fn runs(hunk: &Hunk) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut run = Run::default();
    for line in &hunk.lines {
        let begins = match line.kind {
            LineKind::Context => run.deleted + run.added > 0,
            LineKind::Deleted => run.added > 0,
            LineKind::Added => false,
        };
        if begins {
            runs.push(std::mem::take(&mut run));
        }
        match line.kind {
            LineKind::Context => run.context += 1,
            LineKind::Deleted => run.deleted += 1,
            LineKind::Added => run.added += 1,
        }
    }
    runs.push(run);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_say_where_each_kind_of_line_stands() {
        let diff = "--- a/x.py\n+++ b/x.py\n@@ -1,4 +1,5 @@\n a\n-b\n+c\n+d\n-e\n f\n+g\n";
        let patch = diff::parse(diff);
        let found: Vec<[u32; 3]> = runs(&patch.files[0].hunks[0])
            .into_iter()
            .map(<[u32; 3]>::from)
            .collect();
        assert_eq!(found, [[1, 1, 2], [0, 1, 0], [1, 0, 1]]);
    }
}
