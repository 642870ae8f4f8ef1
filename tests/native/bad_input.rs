//! Python that nobody wrote to be read: nothing panics, what was not understood is named, and the other files of the
//! diff are reviewed all the same.

use report::Report;
use tests::{new_file, review};

const SOUND: &str = "from concurrent.futures import ThreadPoolExecutor\n\n\ndef dispatch(pool: ThreadPoolExecutor, job):\n    return pool.submit(job).result()\n";

/// The review of a new file together with a sound one, whose fault must be found.
#[track_caller]
fn beside_sound(bad: &str) -> Report {
    beside_sound_diff(&new_file("service/bad.py", bad))
}

#[track_caller]
fn beside_sound_diff(bad: &str) -> Report {
    let text = format!("{bad}{}", new_file("service/sound.py", SOUND));
    let report = review(&text).unwrap();
    let is_found = report
        .counted()
        .any(|finding| finding.path == "service/sound.py" && finding.check == "unbounded-result");
    assert!(is_found, "the sound file is not reviewed");
    report
}

#[track_caller]
fn names(report: &Report, kind: &str) {
    let kinds: Vec<&str> = report
        .problems
        .iter()
        .map(|problem| problem.kind.as_str())
        .collect();
    assert!(kinds.contains(&kind), "{kinds:?}");
}

#[test]
fn broken_code_is_named() {
    names(&beside_sound("def f(:\n    return )\nclass\n"), "unparsed");
    names(&beside_sound("x = \0\n"), "unparsed");
    names(
        &beside_sound(&format!("x = {}\n", "[".repeat(5000))),
        "unparsed",
    );
}

#[test]
fn deep_code_is_named_and_exhausts_no_stack() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("x = {}{inner}{}\n", open.repeat(5000), close.repeat(5000))
    };
    beside_sound(&nested("(", "1", ")"));
    names(&beside_sound(&nested("[", "1", "]")), "too-deep");
    names(&beside_sound(&nested("not ", "y", "")), "too-deep");
    names(
        &beside_sound(&format!("x = a{}\n", ".b".repeat(20_000))),
        "too-deep",
    );
    let elifs = format!("if x:\n    pass\n{}", "elif x:\n    pass\n".repeat(5000));
    names(&beside_sound(&elifs), "too-deep");
}

#[test]
fn a_generated_file_is_named() {
    let table: String = (0..100_000)
        .map(|n| format!("X{n} = {{\"k\": {n}}}\n"))
        .collect();
    names(&beside_sound(&table), "file-too-long");
}

#[test]
fn python_2_and_odd_white_space_are_read() {
    beside_sound("print \"x\"\ntry:\n    f()\nexcept IOError, e:\n    print >>sys.stderr, e\n");
    beside_sound("def f(self):\n\tif x:\n        return 1\n\treturn 2\n");
    beside_sound("\u{c}\ndef f():\n    \u{c}x = 1\n    return x\n");
    beside_sound("\u{feff}def f():\n    return 1\n");
    beside_sound("def f():\r\n    return 1\r\n");
}

#[test]
fn hunks_without_a_statement_are_read() {
    let hunk = |lines: &str, count: u32| {
        format!(
            "--- a/service/bad.py\n+++ b/service/bad.py\n@@ -50,{} +50,{count} @@\n{lines}",
            count - 1
        )
    };
    beside_sound_diff(&hunk(" \n+@retry(times=3)\n \n", 3));
    beside_sound_diff(&hunk(
        "     prose with `code(` in it\n+    and lock.acquire() \"as\" prose\n     \"\"\"\n     x = 1\n",
        4,
    ));
}
