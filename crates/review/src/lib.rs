//! The review of one diff.

mod facts;
mod rules;
mod sources;
