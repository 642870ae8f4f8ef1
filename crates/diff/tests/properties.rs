//! What holds for every text, and the reader against a second one (diffy) on generated diffs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use diff::{Hunk, LineKind, Patch};
use proptest::collection::vec;
use proptest::prelude::*;

/// Lines of files, many of which look like something else once a sign stands before them.
fn file_line() -> impl Strategy<Value = String> {
    const LOOKALIKES: &[&str] = &[
        "",
        " ",
        "-",
        "--",
        "-- ",
        "-- a/x.py",
        "+",
        "++ b/x.py",
        "@@ -1 +1 @@",
        "@@ -1,3 +1,4 @@ def f():",
        "diff --git a/x.py b/x.py",
        "\\ No newline at end of file",
        "commit 0123456789abcdef",
        "Index: x.py",
        "```",
        "[-old-]{+new+}",
        "    return x == y",
        "x = '=3D'",
        "if '<' != '&lt;':",
        "> quoted",
        "| drawn",
        "\t",
        "2.47.3",
        "From a@b.example Mon Sep 17 00:00:00 2001",
        "Binary files a and b differ",
        "\u{e9}t\u{e9}",
        "end\r",
    ];
    prop_oneof![3 => prop::sample::select(LOOKALIKES).prop_map(str::to_owned), 1 => "[a-c ]{0,3}"]
}

fn file_text() -> impl Strategy<Value = String> {
    (vec(file_line(), 0..20), any::<bool>()).prop_map(|(lines, newline)| {
        let text = lines.join("\n");
        if newline && !text.is_empty() {
            text + "\n"
        } else {
            text
        }
    })
}

/// Two files that share lines, and how much context their diff shows.
fn two_files() -> impl Strategy<Value = (String, String, usize)> {
    let edits = vec((0usize..20, vec(file_line(), 0..3)), 0..4);
    (file_text(), edits, 0usize..4).prop_map(|(old, edits, context)| {
        let mut lines: Vec<String> = old.split('\n').map(str::to_owned).collect();
        for (at, added) in edits {
            let at = at.min(lines.len());
            let end = (at + 1).min(lines.len());
            lines.splice(at..end, added);
        }
        (old, lines.join("\n"), context)
    })
}

/// The diff of two files as git would write it.
fn git_diff(old: &str, new: &str, context: usize) -> String {
    let mut options = diffy::DiffOptions::new();
    options
        .set_context_len(context)
        .set_original_filename("a/x.py")
        .set_modified_filename("b/x.py");
    format!(
        "diff --git a/x.py b/x.py\n{}",
        options.create_patch(old, new)
    )
}

fn side(patch: &Patch, kind: LineKind) -> Vec<(Option<u32>, &str, bool)> {
    let lines = patch
        .files
        .iter()
        .flat_map(|file| &file.hunks)
        .flat_map(|hunk| &hunk.lines);
    let number = |line: &diff::Line| {
        if kind == LineKind::Deleted {
            line.old
        } else {
            line.new
        }
    };
    let on_side = lines.filter(|line| line.kind == kind || line.kind == LineKind::Context);
    on_side
        .map(|line| (number(line), patch.text(line), line.no_newline))
        .collect()
}

/// Rebuilds one side of a file from the other one and the hunks.
fn apply(patch: &Patch, old: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let mut new = String::new();
    let mut next = 1;
    for hunk in patch.files.iter().flat_map(|file| &file.hunks) {
        let first = hunk.old_start as usize + usize::from(hunk.old_len == 0);
        new.extend(old[next - 1..first - 1].iter().copied());
        for line in hunk.lines.iter().filter(|line| line.new.is_some()) {
            new.push_str(patch.text(line));
            new.push_str(if line.no_newline { "" } else { "\n" });
        }
        next = first + hunk.old_len as usize;
    }
    new.extend(old[next - 1..].iter().copied());
    new
}

fn assert_numbered(hunk: &Hunk) {
    let olds: Vec<u32> = hunk.lines.iter().filter_map(|line| line.old).collect();
    let news: Vec<u32> = hunk.lines.iter().filter_map(|line| line.new).collect();
    assert!(hunk.parents > 1 || olds.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    assert!(news.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    assert_eq!(news.len(), hunk.new_len as usize);
    assert!(olds.len() <= hunk.old_len as usize);
    assert!(hunk.header_line < hunk.end_line || hunk.lines.is_empty());
}

/// What holds for every patch, whatever it was read from.
fn assert_sound(patch: &Patch) {
    let hunks: Vec<&Hunk> = patch.files.iter().flat_map(|file| &file.hunks).collect();
    hunks.iter().for_each(|hunk| assert_numbered(hunk));
    assert!(
        hunks
            .windows(2)
            .all(|pair| pair[0].end_line < pair[1].header_line),
        "hunks share lines"
    );
    let reversed = diff::reverse(patch);
    assert_eq!(
        side(patch, LineKind::Added),
        side(&reversed, LineKind::Deleted)
    );
    assert_eq!(
        side(patch, LineKind::Deleted),
        side(&reversed, LineKind::Added)
    );
    let again = diff::parse(&diff::to_text(patch));
    assert_eq!(side(patch, LineKind::Added), side(&again, LineKind::Added));
    assert_eq!(
        side(patch, LineKind::Deleted),
        side(&again, LineKind::Deleted)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in vec(any::<u8>(), 0..400)) {
        assert_sound(&diff::parse(&diff::decode(&bytes).text));
    }

    #[test]
    fn rows_of_diffs_in_any_order_never_panic(rows in vec(diff_row(), 0..40)) {
        assert_sound(&diff::parse(&rows.join("\n")));
    }

    #[test]
    fn a_damaged_diff_stays_sound((old, new, context) in two_files(), cut in 0usize..600, put in "[-+ @\\\\\n>0-9,]{0,6}", skip in 0usize..8) {
        let text = git_diff(&old, &new, context);
        let at = text.floor_char_boundary(cut);
        let rest = text.floor_char_boundary((at + skip).min(text.len())).max(at);
        assert_sound(&diff::parse(&format!("{}{put}{}", &text[..at], &text[rest..])));
    }

    #[test]
    fn an_intact_diff_reads_as_a_second_reader_has_it((old, new, context) in two_files()) {
        if old == new {
            return Ok(());
        }
        let text = git_diff(&old, &new, context);
        let patch = diff::parse(&text);
        prop_assert_eq!(&patch.problems, &[]);
        assert_sound(&patch);
        let other = diffy::Patch::from_str(text.split_once('\n').unwrap().1).unwrap();
        let hunks: Vec<&Hunk> = patch.files.iter().flat_map(|file| &file.hunks).collect();
        prop_assert_eq!(hunks.len(), other.hunks().len());
        for (hunk, other) in hunks.iter().zip(other.hunks()) {
            prop_assert_eq!((hunk.old_start as usize, hunk.old_len as usize), (other.old_range().start(), other.old_range().len()));
            prop_assert_eq!((hunk.new_start as usize, hunk.new_len as usize), (other.new_range().start(), other.new_range().len()));
            let lines: Vec<(LineKind, &str)> = hunk.lines.iter().map(|line| (line.kind, patch.text(line))).collect();
            prop_assert_eq!(lines, other.lines().iter().map(second_reading).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_patch_and_its_reverse_rebuild_both_files((old, new, context) in two_files()) {
        let patch = diff::parse(&git_diff(&old, &new, context));
        prop_assert_eq!(apply(&patch, &old), new.clone());
        prop_assert_eq!(apply(&diff::reverse(&patch), &new), old);
    }

    #[test]
    fn an_excerpt_has_just_the_hunks_asked_for((old, new, _) in two_files(), wanted in any::<u8>()) {
        let patch = diff::parse(&git_diff(&old, &new, 0));
        let keep = |hunk_idx: usize| hunk_idx < 8 && wanted & (1 << hunk_idx) != 0;
        let excerpt = diff::parse(&diff::excerpt(&patch, |_, hunk_idx| keep(hunk_idx)));
        let all = patch.files.iter().flat_map(|file| &file.hunks).enumerate();
        let starts = |hunk: &Hunk| (hunk.old_start, hunk.new_start);
        let expected: Vec<_> = all.filter(|(hunk_idx, _)| keep(*hunk_idx)).map(|(_, hunk)| starts(hunk)).collect();
        let hunks = excerpt.files.iter().flat_map(|file| &file.hunks);
        prop_assert_eq!(hunks.map(starts).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_quoted_or_indented_diff_reads_the_same((old, new, context) in two_files(), margin in prop::sample::select(vec!["> ", "    ", ">> ", "| ", "\t", "> > "])) {
        let text = git_diff(&old, &new, context);
        let quoted: String = text.split_inclusive('\n').map(|line| format!("{margin}{line}")).collect();
        let (patch, quoted) = (diff::parse(&text), diff::parse(&quoted));
        prop_assert_eq!(side(&patch, LineKind::Added), side(&quoted, LineKind::Added));
        prop_assert_eq!(side(&patch, LineKind::Deleted), side(&quoted, LineKind::Deleted));
    }
}

fn second_reading<'a>(line: &diffy::Line<'a, str>) -> (LineKind, &'a str) {
    let (kind, text) = match *line {
        diffy::Line::Context(text) => (LineKind::Context, text),
        diffy::Line::Delete(text) => (LineKind::Deleted, text),
        diffy::Line::Insert(text) => (LineKind::Added, text),
    };
    (kind, text.strip_suffix('\n').unwrap_or(text))
}

/// Rows that begin or continue something, in whatever order.
fn diff_row() -> impl Strategy<Value = String> {
    const ROWS: &[&str] = &[
        "diff --git a/x.py b/x.py",
        "diff --git \"a/\\303\\251\" \"b/\\303\\251\"",
        "diff --cc x.py",
        "index 1..2 100644",
        "index 1,2..3",
        "--- a/x.py",
        "+++ b/x.py",
        "--- ",
        "+++ ",
        "--- /dev/null",
        "+++ /dev/null",
        "@@ -1,2 +1,3 @@",
        "@@ -0,0 +1 @@ f",
        "@@@ -1,2 -1,2 +1,3 @@@",
        "@@ -3000000000,3 +4294967295,9 @@",
        "@@ -1,4294967295 +1,4294967295 @@",
        "@@ -0,0 +0,0 @@",
        "+x",
        "-x",
        " x",
        "x",
        "",
        "++x",
        " +x",
        "- x",
        "--x",
        "\\ No newline",
        "-- ",
        "2.1",
        "rename from y",
        "rename to z",
        "new file mode 100644",
        "deleted file mode 100644",
        "GIT binary patch",
        "Binary files a/x and b/x differ",
        "commit 0123456789abcdef",
        "    title",
        "From 0123456789 Mon Sep 17 00:00:00 2001",
        "Index: y.py",
        "```",
        "> +x",
        "> @@ -1 +1 @@",
        "  @@ -1 +1 @@",
        "| diff --git a/x b/x",
        "* commit 0123456",
        "\u{1b}[1mdiff --git a/x b/x\u{1b}[m",
        "Content-Transfer-Encoding: quoted-printable",
        "=3D",
        "=",
        "+a &lt; b",
        "\u{a0}x",
        "[-a-]{+b+}",
        "+x\r",
        "@@ -1 +1 @@\r",
    ];
    prop::sample::select(ROWS).prop_map(str::to_owned)
}
