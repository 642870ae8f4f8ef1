//! Where objects are made that somebody has to end, who keeps each, and where it is ended.
//!
//! Ownership moves with the object: what is returned, yielded, stored elsewhere or handed to a constructor
//! is ended by whoever has it then.

mod branches;
mod closing;
mod connectors;
mod elements;
mod ends;
mod escapes;
mod factories;
mod fault;
mod field_fault;
mod keeper;
mod lending;
mod loops;
mod makers;
mod other_ends;
mod parts;
mod resource;
mod risk;
mod uses;

pub(crate) use closing::{Closing, How};
pub(crate) use ends::{ENDS, PROTOCOL, ends_object};
pub(crate) use fault::{Fault, FaultKind};
pub(crate) use keeper::{Holder, Keeper, Made};
pub(crate) use resource::Resource;
pub(crate) use risk::{Escape, Leak};
pub(crate) use uses::{HeldUse, HeldUseKind};
