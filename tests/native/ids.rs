//! Ids survive what changes nothing about a finding.

use std::collections::BTreeMap;
use tests::{new_file, review, review_with};

/// The new side. The diff below adds its last statement and the one before `other`.
const FILE: &str = "\
from concurrent.futures import ThreadPoolExecutor


class Dispatcher:
    def __init__(self):
        self._pool = ThreadPoolExecutor()

    def close(self):
        self._pool.shutdown()

    def dispatch(self, job):
        future = self._pool.submit(job)
        return future.result()

    def dispatch_other(self, job):
        future = self._pool.submit(job)
        return future.result()
";

const DIFF: &str = "\
diff --git a/service/dispatch.py b/service/dispatch.py
--- a/service/dispatch.py
+++ b/service/dispatch.py
@@ -10,6 +10,8 @@ class Dispatcher:
 
     def dispatch(self, job):
         future = self._pool.submit(job)
+        return future.result()
 
     def dispatch_other(self, job):
         future = self._pool.submit(job)
+        return future.result()
";

fn ids(text: &str, files: Option<&BTreeMap<String, String>>) -> Vec<String> {
    let report = review_with(text, files).unwrap();
    report.counted().map(|finding| finding.id.clone()).collect()
}

#[test]
fn equal_statements_have_ids_of_their_own() {
    let ids = ids(DIFF, None);
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn whole_files_change_no_id() {
    let files = BTreeMap::from([("service/dispatch.py".to_owned(), FILE.to_owned())]);
    let with_files = ids(DIFF, Some(&files));
    assert!(ids(DIFF, None).iter().all(|id| with_files.contains(id)));
}

#[test]
fn a_shift_or_an_edit_elsewhere_changes_no_id() {
    let shifted = DIFF.replace("@@ -10,6 +10,8 @@", "@@ -110,6 +115,8 @@");
    assert_eq!(ids(DIFF, None), ids(&shifted, None));
    let more = format!("{DIFF}{}", new_file("service/other.py", "VALUE = 1\n"));
    assert_eq!(ids(DIFF, None), ids(&more, None));
}

#[test]
fn another_path_is_another_finding() {
    let moved = DIFF.replace("dispatch.py", "dispatcher.py");
    assert!(
        ids(&moved, None)
            .iter()
            .all(|id| !ids(DIFF, None).contains(id))
    );
}

#[test]
fn a_dismissal_holds_in_a_review_with_whole_files() {
    let files = BTreeMap::from([("service/dispatch.py".to_owned(), FILE.to_owned())]);
    let before = review(DIFF).unwrap();
    let after = review_with(DIFF, Some(&files)).unwrap();
    let id = &before.findings[0].id;
    assert_eq!(after.finding(id).unwrap().line, before.findings[0].line);
}
