//! A patch back to text: all of it, or only some hunks.
//!
//! What is written is what `git diff` would write, whatever the text was that the patch came from. Reading it gives
//! the same hunks and line numbers again. A merge is written as its difference from the first parent.

mod file_lines;
mod hunk_lines;

use std::fmt::Write as _;

use crate::clean::is_disguised;
use crate::{Commit, Hunk, Patch};

/// The whole patch as a unified diff.
pub fn to_text(patch: &Patch) -> String {
    write(patch, true, |_, _| true)
}

/// The hunks for which `keep(file, hunk)` holds, both counted from 0, as a unified diff with its file headers. A file
/// without such a hunk is left out.
pub fn excerpt(patch: &Patch, keep: impl Fn(usize, usize) -> bool) -> String {
    write(patch, false, keep)
}

fn write(patch: &Patch, hunkless_files: bool, keep: impl Fn(usize, usize) -> bool) -> String {
    let mut text = String::new();
    let mut written = 0;
    // Names that follow a header without hunks would be taken for that file's own.
    let mut is_open = false;
    for (file_idx, file) in patch.files.iter().enumerate() {
        let kept = file
            .hunks
            .iter()
            .enumerate()
            .filter(|(hunk_idx, _)| keep(file_idx, *hunk_idx));
        let hunks = kept.map(|(_, hunk)| hunk).collect::<Vec<&Hunk>>();
        if hunks.is_empty() && !(hunkless_files && file.hunks.is_empty()) {
            continue;
        }
        write_commits(
            &mut text,
            &patch.commits,
            &mut written,
            commits_before(patch, file.commit),
        );
        file_lines::write(&mut text, file, !hunks.is_empty(), is_open);
        is_open = hunks.is_empty();
        hunks
            .iter()
            .for_each(|hunk| hunk_lines::write(&mut text, patch, hunk));
    }
    write_commits(&mut text, &patch.commits, &mut written, patch.commits.len());
    if is_disguised(&text) {
        format!("{UNDISGUISED}{text}")
    } else {
        text
    }
}

/// A first line for code that is about the very signs by which disguised text is recognised.
const UNDISGUISED: &str = "# a plain diff, neither escaped nor encoded: < = >\n";

/// How many commits begin before a file. One commit alone is not numbered, and stands first.
fn commits_before(patch: &Patch, commit: Option<u32>) -> usize {
    match commit {
        Some(index) => (index as usize).saturating_add(1),
        None => usize::from(patch.commits.len() == 1),
    }
}

/// Writes the commits that were not written yet, up to the given number, so that each keeps its place.
fn write_commits(text: &mut String, commits: &[Commit], written: &mut usize, up_to: usize) {
    for commit in commits.get(*written..up_to).unwrap_or(&[]) {
        let id = if commit.id.is_empty() {
            "0000000"
        } else {
            &commit.id
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "commit {id}\n\n    {}\n", commit.title);
    }
    *written = up_to.max(*written);
}
