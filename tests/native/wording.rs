//! What findings say of code: on one line, with names instead of placeholders, and no more than what is shown.

use report::{Finding, Verdict};
use tests::{fixtures, new_file, review};

/// The findings of a Python file that is new.
fn findings(text: &str) -> Vec<Finding> {
    review(&new_file("service/module.py", text))
        .unwrap()
        .findings
}

#[track_caller]
fn only(findings: &[Finding], check: &str) -> Finding {
    let mut of_check = findings.iter().filter(|finding| finding.check == check);
    let first = of_check.next().expect("no such finding");
    assert!(of_check.next().is_none(), "more than one {check}");
    first.clone()
}

#[test]
fn quoted_code_is_short_and_stands_on_one_line() {
    for fixture in fixtures("rules").unwrap() {
        for finding in review(&fixture.diff).unwrap().findings {
            let name = fixture.path.display();
            for sentence in [&finding.message, &finding.why, &finding.ask] {
                for code in sentence.split('`').skip(1).step_by(2) {
                    assert_ne!(code, "it", "{name}: {sentence}");
                    assert_ne!(code, "the call", "{name}: {sentence}");
                    assert!(!code.contains('\n'), "{name}: {sentence}");
                    assert!(code.chars().count() <= 72, "{name}: {sentence}");
                }
            }
        }
    }
}

#[test]
fn an_unlink_of_shared_memory_has_no_keyword() {
    let clean_up = "\
def write(blocks, send):
    try:
        send(blocks)
    except Exception:
        for shm in blocks:
            shm.close()
            shm.unlink()
        raise
";
    let told = only(&findings(clean_up), "first-failure-skips-rest");
    assert!(!told.ask.contains("missing_ok"), "{}", told.ask);
    let of_path = clean_up
        .replace("shm.close()", "log(shm)")
        .replace("shm", "path");
    let told = only(&findings(&of_path), "first-failure-skips-rest");
    assert!(told.ask.contains("missing_ok"), "{}", told.ask);
}

#[test]
fn a_plain_generator_has_no_body_of_a_with() {
    let dependency = "\
def session():
    session = make()
    yield session
    session.close()
";
    let told = only(&findings(dependency), "yield-without-finally");
    assert!(!told.message.contains("`with`"), "{}", told.message);
    let manager = format!("from contextlib import contextmanager\n\n@contextmanager\n{dependency}");
    let told = only(&findings(&manager), "yield-without-finally");
    assert!(told.message.contains("`with`"), "{}", told.message);
}

#[test]
fn an_id_of_two_parts_brings_no_further_slash() {
    let joined = "\
import os
from service.env import MODEL_CACHE_DIR

def folder(model_id):
    return os.path.join(MODEL_CACHE_DIR, model_id)
";
    let told = only(&findings(joined), "raw-id-in-path");
    assert!(told.why.contains("nests"), "{}", told.why);
    let unpacked = joined.replace(
        "    return os.path.join(MODEL_CACHE_DIR, model_id)",
        "    dataset, version = model_id.split(\"/\")\n    return os.path.join(MODEL_CACHE_DIR, dataset, version)",
    );
    let told = only(&findings(&unpacked), "raw-id-in-path");
    assert_eq!(told.verdict, Verdict::Violation);
    assert!(
        !told.why.contains("nests") && told.why.contains("`..`"),
        "{}",
        told.why
    );
    let open_ended = unpacked.replace(
        "dataset, version = model_id",
        "dataset, *version = model_id",
    );
    let told = only(&findings(&open_ended), "raw-id-in-path");
    assert!(told.why.contains("nests"), "{}", told.why);
}

const RESULT: &str = "\
diff --git a/service/dispatch.py b/service/dispatch.py
--- a/service/dispatch.py
+++ b/service/dispatch.py
@@ -1,9 +1,6 @@
 class Dispatcher:
     def dispatch(self, request):
         future = self._executor.submit(self._run, request)
-        try:
-            answer = future.result(timeout=5)
-        except TypeError:
-            answer = future.result() or None
+        answer = future.result()
         return answer
 
";

#[test]
fn a_fallback_is_not_what_was_so_before() {
    let report = review(RESULT).unwrap();
    let told = only(&report.findings, "unbounded-result");
    assert_eq!(told.verdict, Verdict::Violation);
    assert!(!told.message.contains("before"), "{}", told.message);
    let before = RESULT.replace("timeout=5", "timeout=None");
    let told = only(&review(&before).unwrap().findings, "unbounded-result");
    assert!(told.message.contains("before"), "{}", told.message);
}

const RENAMED: &str = "\
diff --git a/service/stream.py b/service/stream.py
--- a/service/stream.py
+++ b/service/stream.py
@@ -20,8 +20,8 @@ class Stream:
     def start(self):
-        self._thread = Thread(target=self._consume_all)
+        self._thread = Thread(target=self._consume)
         self._thread.start()

     def terminate(self):
         self._ending = True
";

#[test]
fn a_stop_of_which_only_the_head_is_shown_is_not_accused() {
    let told = review(RENAMED).unwrap().findings;
    let counted: Vec<&Finding> = told.iter().filter(|one| one.verdict.counts()).collect();
    assert!(counted.is_empty(), "{counted:?}");
    let added = RENAMED
        .replace(
            "-        self._thread = Thread(target=self._consume_all)\n",
            "",
        )
        .replace("-20,8", "-20,7");
    let told = review(&added).unwrap().findings;
    for one in told.iter().filter(|one| one.check == "thread-not-joined") {
        assert!(
            one.message.starts_with("Nothing shown joins"),
            "{}",
            one.message
        );
    }
}
