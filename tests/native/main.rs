//! End-to-end tests of the core and the command, without a browser.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on fails"
)]

mod bad_input;
mod cards;
mod ids;
mod properties;
mod removed;
mod rules;
mod sarif;
mod wording;
