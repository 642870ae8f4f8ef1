//! Dumps of single stages, for developers.

mod patch;

pub(crate) use patch::patch;
