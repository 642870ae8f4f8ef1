//! The review of one diff.

mod facts;
#[cfg(test)]
mod probe;
mod rules;
mod sources;
