//! The reader against the diff cases: each text has an expectation that was written from its edit script.
//!
//! `tests/fixtures/diff/README.md` tells how the cases came about and what their policies mean.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use diff::{File, LineKind, Patch};
use serde_json::Value;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/diff");
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = entries
        .filter(|path| path.to_string_lossy().ends_with(".expected.json"))
        .collect();
    cases.sort();
    cases
}

fn read(case: &Path) -> (Value, Patch) {
    let expected: Value = serde_json::from_str(&fs::read_to_string(case).unwrap()).unwrap();
    let input = case.with_file_name(expected["input"].as_str().unwrap());
    (
        expected,
        diff::parse(&diff::decode(&fs::read(input).unwrap()).text),
    )
}

#[test]
fn every_case_reads_as_expected() {
    let cases = cases();
    assert!(cases.len() > 90, "the cases are missing");
    let failures: Vec<_> = cases.iter().filter_map(|case| failure(case)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a case, if anything.
fn failure(case: &Path) -> Option<String> {
    let (expected, patch) = read(case);
    let wrong = match expected["policy"].as_str().unwrap() {
        "no-invention" => (!patch.files.is_empty()).then(|| "files out of no diff".to_owned()),
        "detect" => patch.problems.is_empty().then(|| "not told".to_owned()),
        _ => compare_files(&expected, &patch),
    };
    wrong.map(|wrong| format!("{}: {wrong}", expected["case"]))
}

fn compare_files(expected: &Value, patch: &Patch) -> Option<String> {
    let mut files = patch.files.iter().peekable();
    for want in expected["files"].as_array().unwrap() {
        let wrong = files
            .peek()
            .map_or(Some("missing".to_owned()), |file| compare(want, file));
        match wrong {
            None => drop(files.next()),
            Some(_) if want["optional"] == true => {}
            Some(wrong) => {
                return Some(format!(
                    "{} {}: {wrong}",
                    want["old_path"], want["new_path"]
                ));
            }
        }
    }
    files
        .next()
        .map(|file| format!("{} is too much", file.path()))
}

fn compare(want: &Value, file: &File) -> Option<String> {
    let numbers = |kind, number: fn(&diff::Line) -> Option<u32>| {
        let lines = file
            .hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(move |line| line.kind == kind);
        Value::from(lines.filter_map(number).collect::<Vec<_>>())
    };
    let path = |key: &str, path: &Option<String>| {
        let path = Value::from(path.clone());
        path == want[key] || Some(&path) == want.get(format!("alt_{key}"))
    };
    let checks = [
        ("old path", path("old_path", &file.old_path)),
        ("new path", path("new_path", &file.new_path)),
        ("status", want["status"] == file.status.name()),
        (
            "added lines",
            want["added_lines"] == numbers(LineKind::Added, |line| line.new),
        ),
        (
            "deleted lines",
            want["deleted_lines"] == numbers(LineKind::Deleted, |line| line.old),
        ),
        (
            "hunks",
            want["truncated"] == true || ranges(want) == read_ranges(file),
        ),
    ];
    checks
        .iter()
        .find(|(_, holds)| !holds)
        .map(|(what, _)| format!("{what} differ in {file:?}"))
}

fn ranges(want: &Value) -> Vec<[u64; 4]> {
    let range = |hunk: &Value| {
        ["old_start", "old_len", "new_start", "new_len"].map(|key| hunk[key].as_u64().unwrap())
    };
    want["hunks"]
        .as_array()
        .unwrap()
        .iter()
        .map(range)
        .collect()
}

fn read_ranges(file: &File) -> Vec<[u64; 4]> {
    let range = |hunk: &diff::Hunk| {
        [hunk.old_start, hunk.old_len, hunk.new_start, hunk.new_len].map(u64::from)
    };
    file.hunks.iter().map(range).collect()
}

#[test]
fn files_know_their_commit_where_there_are_several() {
    for case in cases() {
        let (expected, patch) = read(&case);
        for (want, file) in expected["files"]
            .as_array()
            .unwrap()
            .iter()
            .zip(&patch.files)
        {
            let commit = want["commit"].as_u64().filter(|_| patch.commits.len() > 1);
            assert_eq!(
                file.commit.map(u64::from),
                commit,
                "{} in {}",
                file.path(),
                expected["case"]
            );
        }
    }
}

#[test]
fn damaged_texts_say_so() {
    let told = [
        "miscount-too-small",
        "miscount-too-large",
        "paste-truncated-mid-hunk",
        "paste-starts-mid-hunk",
        "number-overflow",
        "git-word-diff",
    ];
    for case in cases() {
        let (expected, patch) = read(&case);
        if told.contains(&expected["case"].as_str().unwrap()) {
            assert!(!patch.problems.is_empty(), "{}", expected["case"]);
        } else if expected["policy"] == "must" {
            assert_eq!(patch.problems, [], "{}", expected["case"]);
        }
    }
}

#[test]
fn an_excerpt_of_everything_reads_the_same() {
    for case in cases() {
        let (expected, patch) = read(&case);
        let again = diff::parse(&diff::to_text(&patch));
        assert_eq!(again.files.len(), patch.files.len(), "{}", expected["case"]);
        for (file, other) in patch.files.iter().zip(&again.files) {
            assert_eq!(file.path(), other.path());
            assert_eq!(file.status, other.status, "{}", file.path());
            assert_eq!(file.commit, other.commit, "{}", file.path());
            assert_eq!(
                lines(&patch, file),
                lines(&again, other),
                "{}",
                expected["case"]
            );
        }
    }
}

type Numbered<'a> = (LineKind, Option<u32>, Option<u32>, &'a str, bool);

fn lines<'a>(patch: &'a Patch, file: &'a File) -> Vec<Numbered<'a>> {
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .map(|line| {
            (
                line.kind,
                line.old,
                line.new,
                patch.text(line),
                line.no_newline,
            )
        })
        .collect()
}

#[test]
fn a_text_cut_at_any_line_keeps_the_lines_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/diff");
    let text = fs::read_to_string(folder.join("git-multi-file.diff")).unwrap();
    let is_change = |line: &&str| {
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
    };
    for (end, _) in text.match_indices('\n') {
        let kept = &text[..=end];
        let cut = diff::parse(kept);
        let read: usize = cut
            .files
            .iter()
            .map(|file| file.added() + file.deleted())
            .sum();
        assert_eq!(read, kept.lines().filter(is_change).count(), "{kept}");
    }
}

#[test]
fn an_excerpt_about_escapes_is_not_taken_for_escaped() {
    let text =
        "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a < b\n+a > b\n@@ -9 +9 @@\n-'&gt;'\n+'&lt;'\n";
    let patch = diff::parse(text);
    let excerpt = diff::parse(&diff::excerpt(&patch, |_, hunk_idx| hunk_idx == 1));
    let lines = &excerpt.files[0].hunks[0].lines;
    assert_eq!(
        lines
            .iter()
            .map(|line| excerpt.text(line))
            .collect::<Vec<_>>(),
        ["'&gt;'", "'&lt;'"]
    );
}
