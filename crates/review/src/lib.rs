//! The review of one diff: the core that page and command share.
//!
//! Three steps, so that files are independent of each other until the end: [`plan`] reads the diff,
//! [`file_facts`] understands one file, [`conclude`] runs the rules and makes the report; [`review`] is the loop over them.
//! Nothing here does IO, reads a clock or fails: what could not be read is a problem in the report.

mod conclude;
pub mod dump;
mod explain;
mod facts;
mod fetched;
mod input;
mod kept;
mod left_out;
mod limits;
mod no_diff;
mod plan;
#[cfg(test)]
mod probe;
mod rules;
mod sources;
mod view;

pub use conclude::{Each, conclude, conclude_by, provisional};
pub use explain::{CheckInfo, checks, checks_named};
pub use input::{Dismissal, Input};
pub use left_out::LeftOut;
pub use plan::{FileFacts, Plan, file_facts, is_python_path as is_python, plan};
pub use view::{Found, excerpt, find, n_whole_lines, rows, text, view, whole_rows};

use syntax::Tree;

/// Reviews a diff. `parse` turns a text into a tree, an empty one where it fails.
pub fn review(input: &Input<'_>, parse: &mut dyn FnMut(&str) -> Tree) -> report::Report {
    let plan = plan(input);
    let facts: Vec<FileFacts> = (0..plan.len())
        .map(|n| file_facts(&plan, n, parse))
        .collect();
    conclude(&plan, &facts)
}
