//! Texts as people paste them.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use diff::{LineKind, Patch};

/// Reads a text and compares its hunks, written with one sign a line.
#[track_caller]
fn check(text: &str, expected: &str) -> Patch {
    let patch = diff::parse(text);
    assert_eq!(drawn(&patch), expected);
    patch
}

/// `path`, then for each hunk the starts, then the lines with signs.
fn drawn(patch: &Patch) -> String {
    let mut text = String::new();
    for file in &patch.files {
        text += &format!("{} {}\n", file.status.name(), file.path());
        for hunk in &file.hunks {
            text += &format!("@ {} {}\n", hunk.old_start, hunk.new_start);
            for line in &hunk.lines {
                let sign = match line.kind {
                    LineKind::Context => '=',
                    LineKind::Added => '+',
                    LineKind::Deleted => '-',
                };
                text += &format!("{sign}{}\n", patch.text(line));
            }
        }
    }
    text
}

fn kinds(patch: &Patch) -> Vec<&'static str> {
    patch
        .problems
        .iter()
        .map(|problem| problem.kind.name())
        .collect()
}

const FILE: &str = "\
diff --git a/x.py b/x.py
--- a/x.py
+++ b/x.py
@@ -1,3 +1,3 @@
 def f():
-    old()
+    new()
     end()
";

const READ: &str = "modified x.py\n@ 1 1\n=def f():\n-    old()\n+    new()\n=    end()\n";

#[test]
fn a_reply_between_quoted_lines_is_passed_over() {
    let quoted = FILE
        .replace('\n', "\n> ")
        .replace("> +    new()\n", "> +    new()\n\nWhy?\n\n");
    let patch = check(&format!("On Monday Ann wrote:\n> {quoted}\nBye\n"), READ);
    assert_eq!(kinds(&patch), [""; 0]);
}

#[test]
fn a_diff_in_a_commit_message_is_no_change() {
    let message = FILE.replace('\n', "\n    ").replace("x.py", "sample.py");
    let log = format!(
        "commit 0123456789abcdef\nAuthor: A <a@example.org>\n\n    Title\n\n    {message}\n\n{FILE}"
    );
    let patch = check(&log, READ);
    assert_eq!(patch.commits[0].title, "Title");
}

#[test]
fn a_diff_in_a_message_of_a_drawn_log_is_no_change() {
    let draw = |text: &str| {
        text.lines()
            .map(|line| format!("| {line}\n"))
            .collect::<String>()
    };
    let message: String = FILE
        .replace("x.py", "sample.py")
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    let log = format!(
        "* commit 0123456789abcdef\n{}{}* commit 1123456789abcdef\n",
        draw(&message),
        draw(FILE)
    );
    assert_eq!(check(&log, READ).files[0].commit, Some(0));
}

#[test]
fn an_indented_diff_in_prose_is_read() {
    let indented: String = FILE
        .lines()
        .map(|line| format!("    {line}").trim_end().to_owned() + "\n")
        .collect();
    check(
        &format!("I changed this:\n\n{indented}\nand that is all.\n"),
        READ,
    );
}

#[test]
fn a_fence_ends_a_hunk_that_was_cut() {
    let cut = FILE.replace("     end()\n", "");
    let text = format!(
        "```diff\n{cut}```\n\nAnd then:\n\n```diff\n{}```\n",
        FILE.replace("x.py", "y.py")
    );
    let patch = check(
        &text,
        &format!(
            "{}{}",
            READ.replace("=    end()\n", ""),
            READ.replace("x.py", "y.py")
        ),
    );
    assert_eq!(kinds(&patch), ["hunk-cut"]);
    assert!(!patch.files[0].hunks[0].complete);
}

#[test]
fn prose_after_a_cut_hunk_is_no_context() {
    let cut = FILE.replace("     end()\n", "");
    let patch = check(
        &format!("{cut}and so on, you see\nmore prose\n"),
        &READ.replace("=    end()\n", ""),
    );
    assert_eq!(kinds(&patch), ["hunk-cut"]);
}

#[test]
fn lost_spaces_leave_the_indentation_as_it_is() {
    let lost = FILE
        .replace("\n def", "\ndef")
        .replace("\n     end", "\n    end");
    assert_eq!(kinds(&check(&lost, READ)), ["space-lost"]);
}

#[test]
fn lost_spaces_show_in_indented_hunks_by_those_that_are_not() {
    let method = "@@ -11,3 +11,3 @@\n    a()\n-    b()\n+    c()\n    d()\n";
    let lost = FILE
        .replace("\n def", "\ndef")
        .replace("\n     end", "\n    end");
    let read = "@ 11 11\n=    a()\n-    b()\n+    c()\n=    d()\n";
    assert_eq!(
        kinds(&check(&format!("{lost}{method}"), &format!("{READ}{read}"))),
        ["space-lost", "space-lost"]
    );
}

#[test]
fn a_space_lost_on_one_line_alone_leaves_the_others() {
    let lost = FILE.replace("\n def", "\ndef");
    assert_eq!(kinds(&check(&lost, READ)), ["space-lost"]);
}

#[test]
fn no_break_spaces_are_spaces() {
    check(
        &FILE.replace("\n     end", "\n\u{a0}\u{a0}\u{a0} \u{a0}end"),
        READ,
    );
}

#[test]
fn an_empty_line_after_each_line_is_no_context() {
    let patch = check(&FILE.replace('\n', "\n\n"), READ);
    assert_eq!(
        (
            patch.files[0].hunks[0].header_line,
            patch.files[0].hunks[0].end_line
        ),
        (7, 15)
    );
}

#[test]
fn carriage_returns_alone_end_lines_too() {
    check(&FILE.replace('\n', "\r"), READ);
}

#[test]
fn carriage_returns_of_a_file_stay() {
    let file = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\r\n+b\r\n";
    check(file, "modified x.py\n@ 1 1\n-a\r\n+b\r\n");
    check(
        &file.replace('\n', "\r\n").replace("\r\r", "\r"),
        "modified x.py\n@ 1 1\n-a\n+b\n",
    );
}

#[test]
fn a_cover_letter_is_no_commit() {
    let mail = |subject: &str, body: &str| {
        format!(
            "From 0123456789abcdef Mon Sep 17 00:00:00 2001\nSubject: {subject}\n\n---\n{body}-- \n2.47.3\n\n"
        )
    };
    let cover = mail("[PATCH 0/2] Cover", "");
    let series = format!(
        "{cover}{}{}",
        mail("[PATCH 1/2] One", FILE),
        mail("[PATCH 2/2] Two", FILE)
    );
    let patch = check(&series, &format!("{READ}{READ}"));
    let titles: Vec<&str> = patch
        .commits
        .iter()
        .map(|commit| commit.title.as_str())
        .collect();
    assert_eq!(titles, ["One", "Two"]);
    assert_eq!(
        patch
            .files
            .iter()
            .map(|file| file.commit)
            .collect::<Vec<_>>(),
        [Some(0), Some(1)]
    );
}

#[test]
fn one_commit_alone_is_not_numbered() {
    let patch = check(
        &format!("commit 0123456789abcdef\n\n    Title\n\n{FILE}"),
        READ,
    );
    assert_eq!((patch.files[0].commit, patch.commits.len()), (None, 1));
}

#[test]
fn hunks_further_up_after_prose_are_of_another_file() {
    let text = format!("{FILE}\nAnd elsewhere:\n\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(
        kinds(&check(&text, &format!("{READ}modified \n@ 1 1\n-a\n+b\n"))),
        ["no-file-name"]
    );
}

#[test]
fn problems_name_the_file_and_the_line_of_the_pasted_text() {
    let cut = FILE.replace("     end()\n", "");
    let mail = format!("Content-Transfer-Encoding: quoted-printable\n\nA soft=\n break.\n{cut}");
    let patch = diff::parse(&mail);
    let problem = &patch.problems[0];
    assert_eq!(
        (problem.path.as_deref(), problem.line),
        (Some("x.py"), Some(8))
    );
    assert_eq!(
        problem.message,
        "The hunk ends 1 line before its header says; what came was read."
    );
}

#[test]
fn names_are_read_as_each_program_writes_them() {
    let named = |old: &str, new: &str| {
        let patch = diff::parse(&format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n"));
        (
            patch.files[0].old_path.clone(),
            patch.files[0].new_path.clone(),
        )
    };
    let pair = |old: &str, new: &str| (Some(old.to_owned()), Some(new.to_owned()));
    assert_eq!(named("a/x.py", "b/x.py"), pair("x.py", "x.py"));
    assert_eq!(named("i/x.py", "w/x.py"), pair("x.py", "x.py"));
    assert_eq!(named("a/x.py", "a/x.py"), pair("a/x.py", "a/x.py"));
    assert_eq!(
        named("x.py.orig\t2024-01-01 00:00:00 +0000", "x.py"),
        pair("x.py.orig", "x.py")
    );
    assert_eq!(
        named("a/my x.py\t", "b/my x.py\t"),
        pair("my x.py", "my x.py")
    );
    assert_eq!(
        named("\"a/t\\303\\251.py\"", "\"b/t\\303\\251.py\""),
        pair("t\u{e9}.py", "t\u{e9}.py")
    );
    let added = "--- x.py\t1970-01-01 01:00:00.000000000 +0100\n+++ x.py\t2024-01-01 00:00:00\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(diff::parse(added).files[0].status, diff::Status::Added);
    assert_eq!(
        named("x.py (revision 3)", "x.py (working copy)"),
        pair("x.py", "x.py")
    );
}

#[test]
fn utf_16_is_read_in_either_order() {
    let units: Vec<u16> = FILE.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = [0xFEFF]
        .iter()
        .chain(&units)
        .flat_map(|unit: &u16| unit.to_be_bytes())
        .collect();
    for bytes in [little, big] {
        check(&diff::decode(&bytes).text, READ);
    }
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_line() {
    let decoded = diff::decode(b"+a\n+caf\xE9\n");
    assert_eq!(decoded.text, "+a\n+caf\u{FFFD}\n");
    assert_eq!(decoded.problems[0].line, Some(2));
}

#[test]
fn formats_without_lines_to_number_are_told() {
    let told = |text: &str| {
        let patch = check(text, "");
        kinds(&patch).join(" ")
    };
    assert_eq!(
        told("*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b\n*** End Patch\n"),
        "other-format"
    );
    assert_eq!(
        told("--- a/x.py\n+++ b/x.py\n@@ def f():\n-a\n+b\n"),
        "other-format"
    );
    assert_eq!(
        told(&FILE.replace("-    old()\n+    new()", "     [-old-]{+new+}()")),
        "word-diff"
    );
    let porcelain = FILE.replace(
        "\n-    old()\n+    new()\n",
        "\n~\n     \n-old\n+new\n ()\n~\n",
    );
    assert_eq!(told(&porcelain), "word-diff");
}

#[test]
fn a_text_that_begins_inside_a_hunk_says_so() {
    let cut = format!("     x = 1\n+    y = g()\n     return x\n{FILE}");
    let patch = diff::parse(&cut);
    assert_eq!(kinds(&patch), ["hunk-cut"]);
    assert_eq!(patch.files.len(), diff::parse(FILE).files.len());
    assert_eq!(patch.problems[0].line, Some(1));
    assert!(
        patch.problems[0]
            .message
            .starts_with("The first 3 lines belong")
    );
}

#[test]
fn lists_votes_and_indented_words_before_a_diff_are_prose() {
    for words in [
        "- fix the pool\n- add a test\n\n",
        "+1\n",
        "    see below\n\n",
        "- a\n  b\n",
    ] {
        assert!(
            kinds(&diff::parse(&format!("{words}{FILE}"))).is_empty(),
            "{words}"
        );
    }
}

#[test]
fn a_file_that_is_written_behind_one_without_hunks_keeps_its_names() {
    let text = "diff --git a/x.py b/y.py\nsimilarity index 100%\ncopy from x.py\ncopy to y.py\n\
        diff -u a/x.py b/z.py\n--- a/x.py\n+++ b/z.py\n@@ -1 +1 @@\n-a\n+b\n";
    let again = diff::parse(&diff::to_text(&diff::parse(text)));
    let names: Vec<_> = (again.files.iter())
        .map(|file| (file.old_path.as_deref(), file.new_path.as_deref()))
        .collect();
    let expected = [("x.py", "y.py"), ("x.py", "z.py")];
    assert_eq!(names, expected.map(|(old, new)| (Some(old), Some(new))));
}

#[test]
fn a_carriage_return_before_a_text_makes_no_empty_line_of_it() {
    let text = "--- a/x.py\n+++ b/x.py\n@@ -1,1 +1,2 @@\n a\n\rwait(job)\n+b\n";
    check(text, "modified x.py\n@ 1 1\n=a\n");
    assert_eq!(kinds(&diff::parse(text)), ["hunk-cut"]);
}

#[test]
fn a_header_that_counts_no_lines_says_so() {
    let text = "diff --git a/x.py b/x.py\nnew file mode 100644\n@@ -0,0 +1,0 @@\nimport os\n";
    let patch = diff::parse(text);
    assert_eq!(kinds(&patch), ["hunk-header"]);
    assert_eq!(patch.problems[0].line, Some(3));
}
