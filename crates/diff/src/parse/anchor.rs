//! Rows that can only begin something: a file, a hunk, a commit.
//!
//! Inside a hunk the counts decide; anchors are looked for between hunks, and to find out that a hunk was cut off.

use super::commit;
use super::hunk_header::HunkHeader;
use super::rows::{Row, Rows};

/// What a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// `diff --git a/x b/x`.
    Git,
    /// `diff --cc x` or `diff --combined x`: a merge.
    Merge,
    /// `--- x`, then `+++ x`, then a hunk header.
    Names,
    /// `--- x`, then at once a hunk header: the second name was lost.
    OldName,
    /// `+++ x`, then a hunk header: the first name was lost.
    NewName,
    /// `@@ -1,2 +1,3 @@`.
    Hunk,
    /// A commit of a log, or a mail.
    Commit,
    /// `Index: x`, as Subversion and CVS write.
    Index,
    /// Any other `diff` command line, as `diff -r` writes.
    Command,
    /// `Binary files x and y differ` and its like.
    Binary,
    /// A code fence of Markdown.
    Fence,
}

/// Wider than any quote, drawing or indentation, in bytes.
const WIDEST_MARGIN: usize = 60;

/// What the row at `at` begins, seen through the rows' margin.
pub(super) fn anchor(rows: &Rows, at: usize) -> Option<Anchor> {
    let line = rows.get(at)?.line();
    match line.as_bytes().first()? {
        b'd' if line.starts_with("diff -") => diff_line(line),
        b'-' => old_name(rows, at, line),
        b'+' => (line.starts_with("+++ ") && line.len() > 4 && is_hunk_header(rows, at + 1))
            .then_some(Anchor::NewName),
        b'@' => is_hunk_header(rows, at).then_some(Anchor::Hunk),
        b'I' => line.starts_with("Index: ").then_some(Anchor::Index),
        b'B' | b'C' => is_binary_note(line).then_some(Anchor::Binary),
        b'`' => line.starts_with("```").then_some(Anchor::Fence),
        _ => commit::begins(rows, at).then_some(Anchor::Commit),
    }
}

/// The margin before a row that might be an anchor, or `None` if nothing in it looks like one.
pub(super) fn margin_of(row: Row<'_>) -> Option<&str> {
    let line = row.line();
    let rest = line.trim_start_matches([' ', '\t', '>', '|']);
    let drawn = rest.trim_start_matches(['*', '|', '/', '\\', '_', '-', '.', ' ']);
    let rest = if drawn.starts_with("commit ") {
        drawn
    } else {
        rest
    };
    let anchors = matches!(
        rest.as_bytes().first()?,
        b'd' | b'-' | b'+' | b'@' | b'c' | b'F' | b'I' | b'B' | b'#'
    );
    let margin = line.strip_suffix(rest).filter(|_| anchors)?;
    (margin.len() <= WIDEST_MARGIN).then_some(margin)
}

/// Whether the row begins something, be it behind another margin.
pub(super) fn is_anchor_anywhere(rows: &Rows, at: usize) -> bool {
    let margin = rows.raw(at).and_then(margin_of);
    margin.is_some_and(|margin| anchor(&rows.with_margin(margin), at).is_some())
}

fn diff_line(line: &str) -> Option<Anchor> {
    let rest = line.strip_prefix("diff -")?;
    if rest.starts_with("-git ") {
        return Some(Anchor::Git);
    }
    let merge = rest.starts_with("-cc ") || rest.starts_with("-combined ");
    Some(if merge {
        Anchor::Merge
    } else {
        Anchor::Command
    })
}

fn old_name(rows: &Rows, at: usize, line: &str) -> Option<Anchor> {
    if !line.starts_with("--- ") || line.len() == 4 {
        return None;
    }
    if is_hunk_header(rows, at + 1) {
        return Some(Anchor::OldName);
    }
    let named = rows.get(at + 1)?.text.starts_with("+++ ");
    (named && is_hunk_header(rows, at + 2)).then_some(Anchor::Names)
}

fn is_hunk_header(rows: &Rows, at: usize) -> bool {
    rows.get(at)
        .is_some_and(|row| HunkHeader::read(row.line()).is_some())
}

fn is_binary_note(line: &str) -> bool {
    (line.starts_with("Binary files ") && line.ends_with(" differ"))
        || (line.starts_with("Binary file ") && line.ends_with(" has changed"))
        || line == "Cannot display: file marked as a binary type."
}
