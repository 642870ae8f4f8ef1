//! What becomes of fragments: fixtures for each way in which a hunk can start and end, damage, and whole files.

use super::problem::SourceProblemKind;
use super::{DocLine, Document, Sourced, document};
use crate::dump::listing;
use report::Side;
use std::path::Path;
use syntax::{Kind, LineIndex, Tree};

fn sourced(diff: &str, side: Side, whole: Option<&str>) -> Sourced {
    let mut parser = native::Parser::new().unwrap();
    let patch = diff::parse(diff);
    document(&patch.files[0], &patch, side, whole, &mut |text| {
        parser.parse(text)
    })
}

/// `kind text` for each node with the first line of its text.
fn seen(document: &Document, tree: &Tree) -> Vec<String> {
    let nodes = tree.nodes().filter(|&node| tree.is_named(node));
    nodes
        .map(|node| {
            let text = tree.text(node, &document.text);
            format!(
                "{} {}",
                tree.kind(node).name(),
                text.lines().next().unwrap_or("")
            )
        })
        .collect()
}

#[test]
fn fixtures_of_fragments() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/fragments");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "diff")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let sourced = sourced(&text, Side::New, None);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        check_expectations(&name, &text, &sourced);
        settings.bind(|| insta::assert_snapshot!(name.clone(), listing(&sourced.document)));
    }
}

/// `# sees KIND TEXT` and `# hides KIND TEXT` in front of the diff: nodes that must be there or must not.
#[track_caller]
fn check_expectations(name: &str, text: &str, sourced: &Sourced) {
    let seen = seen(&sourced.document, &sourced.tree);
    let has = |wanted: &str| seen.iter().any(|node| node.starts_with(wanted));
    for line in text.lines().take_while(|line| line.starts_with('#')) {
        if let Some(wanted) = line.strip_prefix("# sees ") {
            assert!(has(wanted), "{name} lacks {wanted}: {seen:#?}");
        }
        if let Some(unwanted) = line.strip_prefix("# hides ") {
            assert!(!has(unwanted), "{name} has {unwanted}");
        }
    }
    assert_eq!(sourced.problems, [], "{name}");
    let broken = seen.iter().find(|node| node.starts_with("ERROR"));
    assert_eq!(broken, None, "{name}");
}

const WHOLE: &str = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n";

const EDIT: &str = "--- a/m.py\n+++ b/m.py\n@@ -4,2 +4,3 @@ import os\n def one():\n-    return 0\n+    value = 1\n+    return 1\n";

#[test]
fn a_given_text_that_does_not_fit_is_a_problem() {
    let sourced = sourced(EDIT, Side::New, Some(WHOLE));
    let kinds: Vec<_> = sourced
        .problems
        .iter()
        .map(|problem| problem.kind)
        .collect();
    assert_eq!(kinds, [SourceProblemKind::WholeFileMismatch]);
    assert!(!sourced.document.whole);
}

#[test]
fn the_old_side_of_a_given_text_is_rebuilt() {
    let new = WHOLE.replace("    return 1\n", "    value = 1\n    return 1\n");
    let old = sourced(EDIT, Side::Old, Some(&new));
    assert!(old.document.whole);
    assert_eq!(old.document.text, WHOLE.replace("return 1", "return 0"));
    let new_side = sourced(EDIT, Side::New, Some(&new));
    assert_eq!(new_side.document.text, new);
    insta::assert_snapshot!(listing(&new_side.document), @r"
         1 |import os
         2 |
         3 |
         4 |def one():
         5+|    value = 1
         6+|    return 1
         7 |
         8 |
         9 |def two():
        10 |    return 2
    ");
}

#[test]
fn a_new_file_is_whole_and_a_changed_one_is_not() {
    let added = "--- /dev/null\n+++ b/m.py\n@@ -0,0 +1,2 @@\n+x = 1\r\n+y = 2\r\n";
    let new = sourced(added, Side::New, None);
    assert!(new.document.whole);
    assert_eq!(new.document.text, "x = 1\ny = 2\n");
    assert!(!sourced(EDIT, Side::New, None).document.whole);
}

#[test]
fn hunks_that_touch_are_one_fragment() {
    let diff = "--- a/m.py\n+++ b/m.py\n@@ -4,2 +4,2 @@\n def one(\n+    a,\n-    b,\n@@ -6,2 +6,2 @@ def zero():\n     c,\n-):\n+) -> int:\n";
    let sourced = sourced(diff, Side::New, None);
    assert_eq!(
        sourced.document.text,
        "def one(\n    a,\n    c,\n) -> int:\n    pass\n".replace("    pass", " pass")
    );
}

/// One hunk of added lines behind a line of context.
fn added(lines: &str) -> String {
    let count = lines.lines().count();
    let body: String = lines.lines().map(|line| format!("+{line}\n")).collect();
    format!(
        "--- a/m.py\n+++ b/m.py\n@@ -9,1 +9,{} @@ class A:\n x = 1\n{body}",
        count + 1
    )
}

#[test]
fn nesting_bombs_are_read() {
    for text in [
        "(".repeat(5000),
        ")".repeat(5000),
        "}]\n".repeat(800),
        "[{(".repeat(2000) + "\n" + &")}]".repeat(2000),
        (0..400).map(|n| format!("{:n$}if x:\n", "")).collect(),
        (0..400).rev().map(|n| format!("{:n$}x()\n", "")).collect(),
        "\"\"\"\n".repeat(901),
        "x = '".repeat(300),
        "a, ".repeat(1000),
    ] {
        let sourced = sourced(&added(&text), Side::New, None);
        assert!(sourced.document.lines.len() >= text.lines().count());
    }
}

#[test]
fn trials_are_limited_and_the_limit_is_told() {
    let broken = "@@ @@ ) ] = = ( \"\"\" x\n".repeat(3000);
    let diff = added(&broken);
    let mut parser = native::Parser::new().unwrap();
    let patch = diff::parse(&diff);
    let mut bytes = 0;
    let sourced = document(&patch.files[0], &patch, Side::New, None, &mut |text| {
        bytes += text.len();
        parser.parse(text)
    });
    assert!(bytes < 12 * diff.len() + 400_000, "{bytes}");
    let kinds: Vec<_> = sourced
        .problems
        .iter()
        .map(|problem| problem.kind)
        .collect();
    assert!(kinds.contains(&SourceProblemKind::Unparsed), "{kinds:?}");
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Any lines at all: each line of the diff stands in the document once, in its order, and nothing panics.
    #[test]
    fn every_line_is_kept(lines in proptest::collection::vec("[ \t]{0,9}(\\PC{0,12}|[\\x00\\r\\x0c\"'()\\[\\]{}:,#\\\\@=]{0,8}|(if|def f|class A|else|except|case x|with a):?)", 1..30)) {
        let diff = added(&lines.join("\n"));
        let patch = diff::parse(&diff);
        let shown: Vec<_> = patch.files[0].hunks.iter().flat_map(|hunk| &hunk.lines).collect();
        let sourced = sourced(&diff, Side::New, None);
        let own: Vec<&str> = sourced.document.text.split('\n').zip(&sourced.document.lines)
            .filter(|(_, line)| matches!(line, DocLine::Diff { .. }))
            .map(|(text, _)| text)
            .collect();
        let plain: Vec<_> = shown.iter().map(|line| super::fragment::plain(patch.text(line))).collect();
        proptest::prop_assert_eq!(own, plain);
    }
}

/// Cuts every stretch out of every file, as a hunk of additions with three lines of context, and compares what the
/// tree has on the added lines with the tree of the file. The files are short and dense, much harder than usual code.
#[test]
fn cut_out_hunks_read_like_the_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/python");
    let (mut right, mut all) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let full = whole(&text);
        let count = text.lines().count();
        for (start, length) in (0..count).flat_map(|start| [(start, 7), (start, 12)]) {
            let hunk = cut(&text, start, length);
            let part = sourced(&hunk, Side::New, None);
            let is_right = nodes(&part, &part) == nodes(&full, &part);
            right += usize::from(is_right);
            all += 1;
        }
    }
    assert_eq!(right, all);
}

fn whole(text: &str) -> Sourced {
    let body: String = text.lines().map(|line| format!("+{line}\n")).collect();
    let count = text.lines().count();
    let diff = format!("--- /dev/null\n+++ b/m.py\n@@ -0,0 +1,{count} @@\n{body}");
    sourced(&diff, Side::New, None)
}

/// A hunk of `length` lines; the heading is what git shows, the last `def` or `class` at column 0.
fn cut(text: &str, start: usize, length: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let heading = lines[..start]
        .iter()
        .rev()
        .find(|line| line.starts_with(|c: char| c.is_alphabetic()))
        .unwrap_or(&"");
    let shown = &lines[start..(start + length).min(lines.len())];
    let last = shown.len().saturating_sub(3);
    let body: String = shown
        .iter()
        .enumerate()
        .map(|(at, line)| match at {
            at if at < 3 || at >= last => format!(" {line}\n"),
            _ => format!("+{line}\n"),
        })
        .collect();
    let old = shown.len() - (3..last).len();
    format!(
        "--- a/m.py\n+++ b/m.py\n@@ -{n},{old} +{n},{} @@ {heading}\n{body}",
        shown.len(),
        n = start + 1
    )
}

/// Kind and place of the nodes that start on lines which `part` shows as changed, where they start and, if they end
/// inside of the part, where they end.
fn nodes(sourced: &Sourced, part: &Sourced) -> Vec<(Kind, u32, u32, Option<u32>)> {
    let numbers = |line: &DocLine| match line {
        DocLine::Diff {
            number, changed, ..
        } => Some((*number, *changed)),
        DocLine::Scaffold(_) => None,
    };
    let shown: Vec<(u32, bool)> = part.document.lines.iter().filter_map(numbers).collect();
    let texts = part.document.text.lines().zip(&part.document.lines);
    let code = texts.filter(|(text, _)| !text.trim().is_empty());
    let last = code.filter_map(|(_, line)| numbers(line)).last();
    let last = last.map_or(0, |line| line.0);
    let index = LineIndex::new(&sourced.document.text);
    let number = |offset: u32| {
        let line = sourced.document.lines.get(index.line(offset) as usize);
        line.and_then(numbers).map(|(number, _)| number)
    };
    let kinds = [
        Kind::Call,
        Kind::WithStatement,
        Kind::TryStatement,
        Kind::Assignment,
        Kind::KeywordArgument,
        Kind::FunctionDefinition,
        Kind::ClassDefinition,
    ];
    let tree = &sourced.tree;
    tree.nodes()
        .filter(|&node| tree.is_named(node) && kinds.contains(&tree.kind(node)))
        .filter_map(|node| {
            let span = tree.span(node);
            let first = number(span.start)?;
            let column = span.start - index.start(index.line(span.start));
            let end = number(span.end.saturating_sub(1)).filter(|&end| end < last);
            shown
                .contains(&(first, true))
                .then_some((tree.kind(node), first, column, end))
        })
        .collect()
}
