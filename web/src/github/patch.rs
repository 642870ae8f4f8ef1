//! A diff out of the API's list of files, for changes that are too large to be given as a diff.

use super::answer::ChangedFile;
use std::fmt::Write;

/// The content of an empty file, to git.
const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// A diff, and the paths of the files whose changes the list did not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rebuilt {
    pub(crate) text: String,
    pub(crate) without_patch: Vec<String>,
}

/// Gives each file the header that git would write, and its hunks.
///
/// A file without a patch gets its name lines and no hunk: that is what a text looks like in which hunks
/// are missing, so the review says that the file was not read, here and in every link and export of it.
pub(crate) fn rebuild(files: &[ChangedFile]) -> Rebuilt {
    let mut rebuilt = Rebuilt::default();
    for file in files {
        // Writing into a String cannot fail.
        let _ = write_file(file, &mut rebuilt.text);
        if lacks_its_patch(file) {
            rebuilt.without_patch.push(file.filename.clone());
        }
    }
    rebuilt
}

/// Whether the file is new Python whose lines the list does not hold: its whole text is its change.
pub(crate) fn is_new_without_lines(file: &ChangedFile) -> bool {
    let is_python = [".py", ".pyi", ".pyw"]
        .iter()
        .any(|end| file.filename.ends_with(end));
    is_python && file.status == "added" && lacks_its_patch(file)
}

/// The patch of a new file with this text.
pub(crate) fn of_new(text: &str) -> String {
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let mut patch = format!("@@ -0,0 +1,{} @@", lines.clone().count());
    for line in lines {
        patch.push_str("\n+");
        patch.push_str(line);
    }
    if !text.ends_with('\n') {
        patch.push_str("\n\\ No newline at end of file");
    }
    patch
}

/// Whether lines changed that the list does not show. Renaming alone has no patch, and neither has an empty file.
fn lacks_its_patch(file: &ChangedFile) -> bool {
    let has_no_lines = file.additions + file.deletions == 0
        && (is_moved(file) || file.sha.as_deref() == Some(EMPTY));
    file.patch.is_none() && !has_no_lines
}

fn write_file(file: &ChangedFile, out: &mut String) -> std::fmt::Result {
    let new = file.filename.as_str();
    let old = file.previous_filename.as_deref().unwrap_or(new);
    writeln!(out, "diff --git {} {}", name("a/", old), name("b/", new))?;
    write_status(file, old, out)?;
    if file.patch.is_some() || lacks_its_patch(file) {
        let old_side = match file.status.as_str() {
            "added" => "/dev/null".to_owned(),
            _ => name("a/", old),
        };
        let new_side = match file.status.as_str() {
            "removed" => "/dev/null".to_owned(),
            _ => name("b/", new),
        };
        writeln!(out, "--- {old_side}{}", tab(old))?;
        writeln!(out, "+++ {new_side}{}", tab(new))?;
    }
    match file
        .patch
        .as_deref()
        .map(|patch| patch.trim_end_matches('\n'))
    {
        Some(patch) if !patch.is_empty() => writeln!(out, "{patch}"),
        _ => Ok(()),
    }
}

fn write_status(file: &ChangedFile, old: &str, out: &mut String) -> std::fmt::Result {
    match file.status.as_str() {
        // The list names no modes; these are the common ones.
        "added" => writeln!(out, "new file mode 100644"),
        "removed" => writeln!(out, "deleted file mode 100644"),
        "renamed" | "copied" => {
            let verb = if file.status == "copied" {
                "copy"
            } else {
                "rename"
            };
            writeln!(out, "{verb} from {}", name("", old))?;
            writeln!(out, "{verb} to {}", name("", &file.filename))
        }
        _ => Ok(()),
    }
}

fn is_moved(file: &ChangedFile) -> bool {
    matches!(file.status.as_str(), "renamed" | "copied" | "unchanged")
}

/// A name as git writes it: quoted where a character would end the line or the quote.
fn name(prefix: &str, path: &str) -> String {
    let needs_quotes = |char: char| char.is_control() || matches!(char, '"' | '\\');
    if !path.contains(needs_quotes) {
        return format!("{prefix}{path}");
    }
    let mut quoted = format!("\"{prefix}");
    for char in path.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if char.is_ascii_control() => {
                let _ = write!(quoted, "\\{:03o}", u32::from(char));
            }
            _ => quoted.push(char),
        }
    }
    quoted + "\""
}

/// Git ends a name with a blank in it by a tab, so that readers know where it ends.
fn tab(path: &str) -> &'static str {
    if path.contains(' ') { "\t" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(filename: &str, status: &str, patch: Option<&str>) -> ChangedFile {
        ChangedFile {
            filename: filename.to_owned(),
            status: status.to_owned(),
            additions: 1,
            patch: patch.map(str::to_owned),
            ..ChangedFile::default()
        }
    }

    #[track_caller]
    fn check(file: ChangedFile, text: &str, without_patch: &[&str]) {
        let rebuilt = rebuild(&[file]);
        assert_eq!(rebuilt.text, text);
        assert_eq!(rebuilt.without_patch, without_patch);
    }

    #[test]
    fn a_changed_file_is_what_git_would_print() {
        check(
            file(
                "a b.py",
                "modified",
                Some("@@ -1 +1,2 @@\n x\n+y\n\\ No newline at end of file"),
            ),
            "diff --git a/a b.py b/a b.py\n--- a/a b.py\t\n+++ b/a b.py\t\n@@ -1 +1,2 @@\n x\n+y\n\\ No newline at end of file\n",
            &[],
        );
    }

    #[test]
    fn new_and_removed_files_have_one_side() {
        check(
            file("a.py", "added", Some("@@ -0,0 +1 @@\n+y")),
            "diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+y\n",
            &[],
        );
        check(
            file("a.py", "removed", Some("@@ -1 +0,0 @@\n-y")),
            "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n",
            &[],
        );
    }

    #[test]
    fn a_file_that_only_moved_or_is_empty_lacks_nothing() {
        let mut moved = file("new.py", "renamed", None);
        moved.previous_filename = Some("old.py".to_owned());
        moved.additions = 0;
        check(
            moved,
            "diff --git a/old.py b/new.py\nrename from old.py\nrename to new.py\n",
            &[],
        );
        let mut empty = file("e.py", "added", None);
        empty.additions = 0;
        empty.sha = Some(EMPTY.to_owned());
        check(
            empty,
            "diff --git a/e.py b/e.py\nnew file mode 100644\n",
            &[],
        );
    }

    #[test]
    fn a_file_whose_patch_is_missing_is_named_and_has_no_hunk() {
        check(
            file("big.py", "modified", None),
            "diff --git a/big.py b/big.py\n--- a/big.py\n+++ b/big.py\n",
            &["big.py"],
        );
        let mut binary = file("a.png", "modified", None);
        binary.additions = 0;
        assert_eq!(rebuild(&[binary]).without_patch, ["a.png"]);
    }

    #[test]
    fn a_new_file_is_its_own_patch() {
        let big = file("big.py", "added", None);
        assert!(is_new_without_lines(&big));
        assert!(!is_new_without_lines(&file("big.py", "modified", None)));
        assert_eq!(of_new("a\n\nb\n"), "@@ -0,0 +1,3 @@\n+a\n+\n+b");
        assert_eq!(
            of_new("a"),
            "@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file"
        );
    }

    #[test]
    fn a_name_that_would_break_a_line_is_quoted() {
        check(
            file("a\n\"b\u{1}.py", "modified", Some("@@ -1 +1 @@\n-a\n+b")),
            "diff --git \"a/a\\n\\\"b\\001.py\" \"b/a\\n\\\"b\\001.py\"\n--- \"a/a\\n\\\"b\\001.py\"\n\
             +++ \"b/a\\n\\\"b\\001.py\"\n@@ -1 +1 @@\n-a\n+b\n",
            &[],
        );
    }
}
