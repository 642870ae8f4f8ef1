//! Diffs in a format that is not read: recognised, so that the reviewer learns why nothing came out.

use super::rows::{Row, Rows};
use super::wording;
use crate::{Problem, ProblemKind};

/// Looks for a diff in another format; for texts in which no unified diff was found.
pub(super) fn find(rows: &Rows) -> Option<Problem> {
    let line = |at: usize| rows.raw(at).map_or("", Row::line);
    (0..rows.count()).find_map(|at| {
        let name = format_at(line(at), line(at + 1))?;
        Some(Problem {
            path: None,
            line: u32::try_from(at + 1).ok(),
            kind: ProblemKind::OtherFormat,
            message: wording::other_format(name),
        })
    })
}

fn format_at(line: &str, next: &str) -> Option<&'static str> {
    if line == "***************" && next.starts_with("*** ") {
        return Some("a context diff (diff -c)");
    }
    if is_normal_command(line) && next.starts_with(['<', '>']) {
        return Some("a normal diff (diff without -u)");
    }
    if line.starts_with("*** Begin Patch")
        || (line.starts_with("+++ ") && is_bare_hunk_header(next))
    {
        return Some("a patch without line numbers");
    }
    let stat = line.starts_with(' ') && line.contains(" | ") && line.ends_with(['+', '-']);
    (stat && next.starts_with(' ')).then_some("a summary (git diff --stat)")
}

/// `@@`, `@@ ... @@` or `@@ def f():`.
fn is_bare_hunk_header(line: &str) -> bool {
    line == "@@" || line.starts_with("@@ ")
}

/// `5c5,6`, `3d2`, `8a9,12`.
fn is_normal_command(line: &str) -> bool {
    let range = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b',')
    };
    line.split_once(['a', 'c', 'd'])
        .is_some_and(|(old, new)| range(old) && range(new))
}
