//! How much one review reads. What is beyond a limit is named in the report, never left out without a word.
//!
//! The limits count bytes, lines and files, so that the same text meets the same ones everywhere. README.md states them.

use crate::plan::is_read;
use diff::{File, Patch};
use report::Problem;
use std::collections::BTreeMap;

/// Bytes of the text of a diff. More would not fit beside its own review into the memory of a worker.
const TEXT_LIMIT: usize = 100 << 20;

/// Lines of the text of a diff.
const LINE_LIMIT: usize = 4_000_000;

/// Files of a diff that are read and shown.
const MOST_FILES: usize = 10_000;

/// Hunks of all files together that are read and shown.
const MOST_HUNKS: usize = 100_000;

/// Python of one file beyond this many bytes is generated or data, and would hold everything else up.
pub(crate) const FILE_LIMIT: usize = 2 << 20;

/// Python of all files together that one review reads, in bytes.
pub(crate) const TOTAL_LIMIT: usize = 24 << 20;

/// The part of a text that is read, up to the end of a line.
pub(crate) fn within(text: &str) -> (&str, Option<Problem>) {
    let head = text
        .get(..text.floor_char_boundary(TEXT_LIMIT))
        .unwrap_or(text);
    let of_bytes = match head.len() < text.len() {
        true => head.rfind('\n').map_or(head.len(), |end| end + 1),
        false => text.len(),
    };
    let of_lines = text.match_indices('\n').nth(LINE_LIMIT - 1);
    let of_lines = of_lines.map_or(text.len(), |(end, _)| end + 1);
    let end = of_bytes.min(of_lines);
    let what = match of_lines < of_bytes {
        true => "4,000,000 lines",
        false => "100 MB",
    };
    let message = format!("The text is longer than {what}; what lies beyond was not read.");
    let problem = (end < text.len()).then(|| not_read("too-long", message));
    (text.get(..end).unwrap_or(text), problem)
}

/// Takes out of a diff what is beyond the limits of files and hunks.
pub(crate) fn cut(patch: &mut Patch) -> Vec<Problem> {
    let n_files = patch.files.len();
    let mut hunks_left = MOST_HUNKS;
    let mut kept = 0;
    let mut problems = Vec::new();
    for file in patch.files.iter_mut().take(MOST_FILES) {
        if hunks_left == 0 && !file.hunks.is_empty() {
            break;
        }
        if file.hunks.len() > hunks_left {
            file.hunks.truncate(hunks_left);
            let why = "the diff has more than 100,000 hunks up to its end";
            problems.push(beyond(file, "too-many-hunks", why));
        }
        hunks_left -= file.hunks.len();
        kept += 1;
    }
    patch.files.truncate(kept);
    if kept < n_files {
        let message = format!(
            "The diff changes more files than one review takes: the last {} were not read. \
             One review takes 10,000 files with 100,000 hunks.",
            n_files - kept
        );
        problems.push(not_read("too-many-files", message));
    }
    problems
}

/// The files that the review reads, and their bytes; what is beyond a limit becomes a problem.
pub(crate) fn read(
    patch: &Patch,
    files: Option<&BTreeMap<String, String>>,
    problems: &mut Vec<Problem>,
) -> (Vec<usize>, usize) {
    let mut total = 0;
    let mut read = Vec::new();
    for (at, file) in patch
        .files
        .iter()
        .enumerate()
        .filter(|(_, file)| is_read(file))
    {
        let size = size(patch, file).max(
            files
                .and_then(|of| of.get(file.path()))
                .map_or(0, String::len),
        );
        if size > FILE_LIMIT {
            problems.push(beyond(
                file,
                "file-too-long",
                "its hunks hold more than 2 MB of text",
            ));
        } else if total + size > TOTAL_LIMIT {
            problems.push(beyond(
                file,
                "diff-too-long",
                "the files before it hold 24 MB of Python",
            ));
        } else {
            total += size;
            read.push(at);
        }
    }
    (read, total)
}

/// The bytes of a file's hunks.
fn size(patch: &Patch, file: &File) -> usize {
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines.map(|line| patch.text(line).len() + 1).sum()
}

fn not_read(kind: &str, message: String) -> Problem {
    Problem {
        path: None,
        line: None,
        kind: kind.to_owned(),
        message,
    }
}

fn beyond(file: &File, kind: &str, why: &str) -> Problem {
    Problem {
        path: Some(file.path().to_owned()),
        line: Some(file.line),
        kind: kind.to_owned(),
        message: format!("This file was not reviewed, or not all of it: {why}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(problems: &[Problem]) -> Vec<&str> {
        problems.iter().map(|problem| &*problem.kind).collect()
    }

    fn file(n: usize, hunk: &str) -> String {
        format!("--- a/f{n}.py\n+++ b/f{n}.py\n{hunk}")
    }

    const HUNK: &str = "@@ -1 +1,2 @@\n a = 1\n+b = 2\n";

    #[test]
    fn a_text_within_the_limits_is_read_whole() {
        let text = "x\n".repeat(1_000);
        assert_eq!(within(&text), (&*text, None));
    }

    #[test]
    fn too_long_a_text_is_read_up_to_the_end_of_a_line_and_that_is_told() {
        let line = "é".repeat(500_000) + "\n";
        let text = line.repeat(120);
        let (head, problem) = within(&text);
        assert_eq!(head.len(), TEXT_LIMIT / line.len() * line.len());
        assert!(problem.unwrap().message.contains("100 MB"));
    }

    #[test]
    fn too_many_lines_are_told() {
        let text = "\n".repeat(LINE_LIMIT + 1);
        let (head, problem) = within(&text);
        assert_eq!(head.len(), LINE_LIMIT);
        assert!(problem.unwrap().message.contains("4,000,000 lines"));
    }

    #[test]
    fn a_limit_that_is_just_reached_is_none() {
        let text = "\n".repeat(LINE_LIMIT);
        assert_eq!(within(&text), (&*text, None));
        let mut patch = diff::parse(&(0..MOST_FILES).map(|n| file(n, HUNK)).collect::<String>());
        assert_eq!(
            (cut(&mut patch), patch.files.len()),
            (Vec::new(), MOST_FILES)
        );
    }

    #[test]
    fn files_beyond_the_limit_are_counted() {
        let text: String = (0..MOST_FILES + 7).map(|n| file(n, HUNK)).collect();
        let mut patch = diff::parse(&text);
        let problems = cut(&mut patch);
        assert_eq!(
            (kinds(&problems), patch.files.len()),
            (vec!["too-many-files"], MOST_FILES)
        );
        assert!(
            problems
                .iter()
                .any(|it| it.message.contains("the last 7 were not read"))
        );
    }

    #[test]
    fn hunks_beyond_the_limit_are_told_at_their_file_and_the_files_behind_are_counted() {
        let hunks = |n: usize| {
            (0..n)
                .map(|at| format!("@@ -{0} +{0} @@\n-a\n+b\n", at * 9 + 1))
                .collect::<String>()
        };
        let text = file(1, &hunks(MOST_HUNKS - 1)) + &file(2, &hunks(2)) + &file(3, &hunks(1));
        let mut patch = diff::parse(&text);
        let problems = cut(&mut patch);
        let left: Vec<usize> = patch.files.iter().map(|file| file.hunks.len()).collect();
        assert_eq!(left, [MOST_HUNKS - 1, 1]);
        assert_eq!(kinds(&problems), ["too-many-hunks", "too-many-files"]);
        assert_eq!(
            problems.first().and_then(|it| it.path.as_deref()),
            Some("f2.py")
        );
    }
}
