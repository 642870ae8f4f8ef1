//! The diff reader: text of any origin to a [`Patch`].
//!
//! [`decode`] makes text of bytes, [`parse`] makes a patch of text. Both take anything, never fail and never panic:
//! what could not be read is a [`Problem`]. The counts of the hunk headers decide which lines belong to a hunk, so a
//! line that only looks like a header decides nothing.

mod clean;
mod decode;
mod excerpt;
mod parse;
mod patch;
mod problem;
mod reverse;

pub use decode::{Decoded, decode};
pub use excerpt::{excerpt, to_text};
pub use patch::{Commit, File, Hunk, Line, LineKind, Patch, Status};
pub use problem::{Problem, ProblemKind};
pub use reverse::reverse;

/// Reads a diff out of any text.
pub fn parse(text: &str) -> Patch {
    parse::read(clean::clean(text))
}
