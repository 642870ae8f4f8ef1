//! A report in the forms that leave the page or the command: one format a file.
//!
//! Each is a pure function of the report and of the reviewer's work: the same input gives the same bytes.
//! A dismissed finding is excused in all of them; JSON carries the work beside the untouched report, so that it can be read back.

mod address;
mod comments;
mod json;
mod markdown;
#[cfg(test)]
pub(crate) mod sample;
mod sarif;
mod tally;
mod text;
mod wording;

pub use address::{key_file_url, pull_url};
pub use comments::comments;
pub use json::{Read, ReadError, Saved, from_json, json, json_with_diff, read, work_from_json};
pub use markdown::{MARKDOWN_LIMIT, comment, markdown};
pub use sarif::sarif;
pub use tally::Tally;
pub use text::text;
pub use wording::{Gravity, Question, Wording};
