//! What the code host is sent: it must be able to take every comment.

use super::*;
use crate::export::sample::{self, WORDING};
use crate::view::{FileStatus, HunkView};
use serde_json::Value;

fn file(path: &str, old_path: Option<&str>) -> FileView {
    FileView {
        path: path.to_owned(),
        old_path: old_path.map(str::to_owned),
        status: FileStatus::Modified,
        python: true,
        commit: None,
        added: 1,
        removed: 1,
        whole: None,
        hunks: vec![HunkView {
            old_start: 5,
            old_len: 3,
            new_start: 10,
            new_len: 4,
            section: String::new(),
            n_lines: 5,
            runs: Vec::new(),
        }],
    }
}

fn view() -> DiffView {
    DiffView {
        files: vec![file("serve/dispatch.py", Some("serve/old.py"))],
    }
}

fn finding(side: Side, line: u32, end_line: u32) -> Finding {
    let mut finding = sample::report().findings.swap_remove(0);
    (finding.side, finding.line, finding.end_line) = (side, line, end_line);
    finding
}

#[test]
fn a_review_is_posted_as_comments() {
    let text = comments(&sample::report(), &Work::default(), &WORDING, &view());
    insta::assert_snapshot!(text);
}

#[test]
fn what_the_diff_does_not_show_stands_in_the_text() {
    let nothing = DiffView::default();
    let text = comments(&sample::report(), &Work::default(), &WORDING, &nothing);
    let review: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(review["comments"].as_array().unwrap().len(), 0);
    let body = review["body"].as_str().unwrap();
    for id in ["f-block", "f-flag", "f-look"] {
        assert!(body.contains(&format!("What {id} says")), "{body}");
    }
}

#[test]
fn a_range_stays_in_its_hunk() {
    let place = |finding: &Finding| place(&view(), finding).map(|it| (it.first, it.last));
    assert_eq!(place(&finding(Side::New, 12, 40)), Some((12, 13)));
    assert_eq!(place(&finding(Side::New, 13, 13)), Some((13, 13)));
    assert_eq!(place(&finding(Side::New, 14, 14)), None);
    assert_eq!(place(&finding(Side::Old, 7, 9)), Some((7, 7)));
}

#[test]
fn a_renamed_file_goes_by_its_new_name() {
    let mut old = finding(Side::Old, 5, 5);
    old.path = "serve/old.py".to_owned();
    let comment = place(&view(), &old).unwrap().with(String::new());
    assert_eq!(
        (comment.path.as_str(), comment.side),
        ("serve/dispatch.py", "LEFT")
    );
}

#[test]
fn lines_of_one_commit_among_several_are_no_lines_of_the_change() {
    let mut view = view();
    view.files.push(FileView {
        commit: Some(1),
        ..file("b.py", None)
    });
    assert_eq!(place(&view, &finding(Side::New, 12, 12)), None);
}
