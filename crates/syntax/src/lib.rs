//! A Python syntax tree as plain columns.
//!
//! The crate knows no parser: a host walks its tree once, hands the columns over as [`RawTree`],
//! and [`Grammar::tree`] turns grammar ids into our [`Kind`] and [`Field`] and UTF-16 units into UTF-8 bytes.
//! Trees are values: they own their columns, borrow nothing, and compare by content.

mod kind;
mod lines;
mod print;
mod tree;

pub use kind::{Field, Kind};
pub use lines::LineIndex;
pub use tree::{Children, Grammar, NodeId, RawTree, Tree, Units};
