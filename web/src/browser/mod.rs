//! What the page asks of the browser, each behind one function: address, clipboard, files, stores, worker.

pub(crate) mod address;
pub(crate) mod answers;
pub(crate) mod clipboard;
pub(crate) mod github;
pub(crate) mod handover;
pub(crate) mod heights;
pub(crate) mod intake;
pub(crate) mod keep;
pub(crate) mod reading;
pub(crate) mod scroll;
pub(crate) mod selection;
pub(crate) mod session;
pub(crate) mod store;
pub(crate) mod viewport;
pub(crate) mod worker;
