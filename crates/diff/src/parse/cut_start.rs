//! Texts that begin inside a hunk: its header stayed behind when the text was copied.
//!
//! Without the header nobody knows which file and lines these rows are, so they are told and not read.

use super::anchor::anchor;
use super::rows::{Row, Rows};
use super::wording;
use crate::{Problem, ProblemKind};

/// Looks for rows of a hunk before the first row that can begin something.
pub(super) fn find(rows: &Rows) -> Option<Problem> {
    let end = (0..rows.count()).find(|&at| anchor(rows, at).is_some() || !has_sign(rows, at))?;
    let is_cut = anchor(rows, end).is_some() && (0..end).any(|at| is_code_change(rows, at));
    is_cut.then(|| Problem {
        path: None,
        line: Some(1),
        kind: ProblemKind::HunkCut,
        message: wording::cut_start(end),
    })
}

/// A hunk's rows begin with a sign; the space before an empty line is often lost.
fn has_sign(rows: &Rows, at: usize) -> bool {
    let line = rows.raw(at).map_or("", Row::line);
    line.is_empty() || line.starts_with([' ', '+', '-', '\\'])
}

/// `+import x` and `-    return y`, but not the points of a list: `- item`, nor votes: `+1`.
fn is_code_change(rows: &Rows, at: usize) -> bool {
    let line = rows.raw(at).map_or("", Row::line);
    let Some(code) = line.strip_prefix(['+', '-']) else {
        return false;
    };
    let is_point = code
        .strip_prefix(' ')
        .is_some_and(|rest| !rest.starts_with(' '));
    let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
    !is_point && !is_number && !code.starts_with(['-', '+'])
}
