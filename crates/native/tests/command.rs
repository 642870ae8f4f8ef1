//! The command as scripts see it: arguments, standard streams and exit statuses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A wait without a limit on a dispatch path: a violation of severity BLOCK.
const BLOCK: &str = "\
diff --git a/service/dispatch.py b/service/dispatch.py
new file mode 100644
--- /dev/null
+++ b/service/dispatch.py
@@ -0,0 +1,6 @@
+from concurrent.futures import ThreadPoolExecutor
+
+
+def dispatch(pool: ThreadPoolExecutor, job):
+    future = pool.submit(job)
+    return future.result()
";

#[track_caller]
fn hunkwise(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hunkwise"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may refuse its arguments before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn check(arguments: &[&str], input: &str, status: i32) -> (String, String) {
    let output = hunkwise(arguments, input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(status), "{out}\n{err}");
    (out, err)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A file of this test run with the given content.
fn file(name: &str, content: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
    std::fs::write(&folder, content).unwrap();
    folder
}

#[test]
fn a_review_is_json_unless_a_person_reads_it() {
    let (out, err) = check(&["review"], BLOCK, 0);
    let report = json(&out);
    assert_eq!(report["schema"], "hunkwise.report/1");
    assert_eq!(report["findings"][0]["check"], "unbounded-result");
    assert_eq!(err, "");
    let (text, _) = check(&["review", "--format", "text", "-"], BLOCK, 0);
    assert!(text.contains("service/dispatch.py:6:12"), "{text}");
}

#[test]
fn every_format_is_written() {
    let (markdown, _) = check(&["review", "--format", "markdown"], BLOCK, 0);
    assert!(markdown.contains("service/dispatch.py"), "{markdown}");
    let (sarif, _) = check(&["review", "--format", "sarif"], BLOCK, 0);
    assert_eq!(json(&sarif)["version"], "2.1.0");
}

#[test]
fn a_written_review_names_its_head_and_grades_as_the_reviewer_says() {
    let known = ["--repo", "acme/serve", "--head", "4d5e6f7", "--pull", "7"];
    let arguments = [&["review", "--format", "markdown"], &known as &[&str]].concat();
    let (high, _) = check(&arguments, BLOCK, 0);
    assert!(high.contains("#### High\n"), "{high}");
    assert!(high.ends_with("\nReviewed at HEAD: 4d5e6f7\n"), "{high}");
    assert!(high.contains("https://github.com/acme/serve/blob/4d5e6f7/service/dispatch.py#L6"));
    let (critical, _) = check(
        &["review", "--format", "markdown", "--block-as", "critical"],
        BLOCK,
        0,
    );
    assert!(critical.contains("#### Critical\n"), "{critical}");
}

#[test]
fn comments_are_what_the_code_host_takes() {
    let (out, _) = check(&["review", "--format", "comments"], BLOCK, 0);
    let review = json(&out);
    assert_eq!(review["event"], "COMMENT");
    let comment = &review["comments"][0];
    assert_eq!(comment["path"], "service/dispatch.py");
    assert_eq!(
        (&comment["line"], &comment["side"]),
        (&json("6"), &json("\"RIGHT\""))
    );
}

#[test]
fn a_reference_link_names_its_diff() {
    let arguments = [
        "link",
        "--reference",
        "--repo",
        "acme/serve",
        "--base",
        "0a1b2c3",
        "--head",
        "4d5e6f7",
    ];
    let (link, _) = check(&arguments, BLOCK, 0);
    assert!(link.starts_with("#v1.r."), "{link}");
    let (_, err) = check(&["open", link.trim()], "", 2);
    assert!(err.contains("compare/0a1b2c3...4d5e6f7.diff"), "{err}");
    check(&["link", "--reference", "--repo", "acme/serve"], BLOCK, 2);
}

#[test]
fn a_link_says_by_which_names_it_was_made() {
    let profile = file("linked.json", r#"{"name": "acme"}"#);
    let profile = profile.to_str().unwrap();
    let (link, _) = check(&["link", "--profile", profile], BLOCK, 0);
    let (_, err) = check(&["open", link.trim()], "", 0);
    assert!(err.contains("made with the profile \"acme\""), "{err}");
    let (_, err) = check(&["open", "--profile", profile, link.trim()], "", 0);
    assert_eq!(err, "");
}

#[test]
fn only_violations_that_severe_fail_a_run() {
    check(&["review", "--fail-on", "never"], BLOCK, 0);
    check(&["review", "--fail-on", "block"], BLOCK, 1);
    check(&["review", "--fail-on", "flag"], BLOCK, 1);
    let look = BLOCK
        .replace("def dispatch", "def fetch_one")
        .replace("dispatch.py", "a.py");
    check(&["review", "--fail-on", "flag"], &look, 0);
}

#[test]
fn no_diff_is_refused_with_a_sentence_and_whole_json() {
    let (out, err) = check(&["review"], "just a text\n", 2);
    assert_eq!(json(&out)["problems"][0]["kind"], "no-diff");
    assert!(err.starts_with("hunkwise: No diff was found"), "{err}");
    assert_eq!(err.lines().count(), 1);
    let (out, err) = check(&["review"], " \n", 0);
    assert_eq!(
        (json(&out)["input"]["files"].as_u64(), err.as_str()),
        (Some(0), "")
    );
}

#[test]
fn bad_arguments_are_refused_with_one_sentence() {
    for arguments in [
        &["review", "--format", "xml"] as &[&str],
        &["review", "no-such-file.diff"],
        &["review", "--root", "no-such-folder"],
        &["explain", "R11"],
        &["open", "nothing"],
        &["frobnicate"],
        &[],
    ] {
        let (out, err) = check(arguments, BLOCK, 2);
        assert_eq!(
            (out.as_str(), err.lines().count()),
            ("", 1),
            "{arguments:?}: {err}"
        );
    }
}

#[test]
fn a_dismissal_excuses_with_its_reason() {
    let (out, _) = check(&["review"], BLOCK, 0);
    let id = json(&out)["findings"][0]["id"].as_str().unwrap().to_owned();
    let dismissals = file(
        "dismissals.json",
        &format!("{{\"{id}\": \"bounded by the caller\"}}"),
    );
    let path = dismissals.to_str().unwrap();
    let arguments = ["review", "--fail-on", "block", "--dismissals", path];
    let (out, _) = check(&arguments, BLOCK, 0);
    let finding = &json(&out)["findings"][0];
    assert_eq!(finding["verdict"], "excused");
    assert_eq!(finding["reason"], "Dismissed: bounded by the caller");
}

#[test]
fn a_profile_replaces_the_names() {
    let profile = file(
        "profile.json",
        r#"{"name": "other", "places": {"cold_paths": ["service/**"]}}"#,
    );
    let (out, _) = check(
        &["review", "--profile", profile.to_str().unwrap()],
        BLOCK,
        0,
    );
    let report = json(&out);
    assert_eq!(report["tool"]["profile"], "other");
    assert_eq!(report["findings"][0]["verdict"], "excused");
    let broken = file("broken.json", r#"{"nmae": "other"}"#);
    let (_, err) = check(&["review", "--profile", broken.to_str().unwrap()], BLOCK, 2);
    assert!(err.contains("nmae"), "{err}");
}

#[test]
fn whole_files_come_from_the_root_and_never_from_outside() {
    let text: String = BLOCK
        .lines()
        .skip(5)
        .map(|line| format!("{}\n", line.get(1..).unwrap_or_default()))
        .collect();
    let there = file("root/service/dispatch.py", &text);
    let root = there.parent().unwrap().parent().unwrap().to_str().unwrap();
    let (out, _) = check(&["review", "--root", root], BLOCK, 0);
    let report = json(&out);
    assert_eq!(report["input"]["context"], "files");
    assert_eq!(report["problems"].as_array().map(Vec::len), Some(0));
    let outside = BLOCK.replace("service/dispatch.py", "../dispatch.py");
    file("dispatch.py", "not what the diff says\n");
    let (out, _) = check(&["review", "--root", root], &outside, 0);
    assert_eq!(json(&out)["problems"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_link_opens_to_the_same_report() {
    let (link, _) = check(
        &["link", "--page", "https://example.org/hunkwise"],
        BLOCK,
        0,
    );
    assert!(
        link.starts_with("https://example.org/hunkwise#v1.d."),
        "{link}"
    );
    let (fragment, _) = check(&["link"], BLOCK, 0);
    assert!(fragment.starts_with("#v1.d."), "{fragment}");
    let (opened, _) = check(&["open", link.trim()], "", 0);
    assert_eq!(opened, check(&["review"], BLOCK, 0).0);
    let (_, err) = check(&["link"], "no diff", 2);
    assert_eq!(err.lines().count(), 1);
}

#[test]
fn a_reference_says_how_to_get_its_diff() {
    let (_, err) = check(&["open", "https://example.org/#pr=owner/name/7"], "", 2);
    assert!(
        err.contains("https://github.com/owner/name/pull/7.diff"),
        "{err}"
    );
}

#[test]
fn rules_and_checks_are_explained() {
    let (rule, _) = check(&["explain", "R4"], "", 0);
    assert!(
        rule.contains("unbounded-result (BLOCK)") && rule.contains("#2489"),
        "{rule}"
    );
    let (shared, _) = check(&["explain", "own-instead-of-shared-helper"], "", 0);
    for rule in ["R1", "R2", "R5", "R6", "R7"] {
        assert!(
            shared.contains(&format!("own-instead-of-shared-helper ({rule}, ")),
            "{shared}"
        );
    }
    let (check, _) = check(&["explain", "unbounded-result"], "", 0);
    assert!(check.ends_with(&rule), "{check}");
}

#[test]
fn stages_are_dumped() {
    let (patch, _) = check(&["dump", "patch", "-"], BLOCK, 0);
    assert_eq!(json(&patch)["files"][0]["added_lines"][5], 6);
    let (tree, _) = check(&["dump", "tree", "-"], BLOCK, 0);
    assert!(tree.contains("service/dispatch.py (new)"), "{tree}");
    let (facts, _) = check(&["dump", "facts", "-"], BLOCK, 0);
    assert!(facts.contains("R4 unbounded-result: violation"), "{facts}");
    let (empty, _) = check(&["dump", "patch", "-"], "none", 2);
    assert_eq!(json(&empty)["files"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hunkwise"))
        .args(["explain", "R4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
