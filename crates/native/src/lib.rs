//! The native host of the core: the only crate with C code in its tree.

mod parse;

pub use parse::Parser;
