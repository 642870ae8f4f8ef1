//! The report of a review as plain data, and everything that is made of it:
//! exports, permalinks, and the messages between page and worker.
//!
//! This crate knows no diff reader, no parser and no rule; the page's module links it and nothing below it.
//! Its types are the only ones of the workspace that are serialised.

pub mod export;
mod finding;
mod message;
mod model;
pub mod permalink;
mod secrets;
mod view;
mod work;

pub use finding::{Finding, Reference, Severity, Side, Verdict};
pub use message::{FromWorker, ToWorker};
pub use model::{
    BROKE_DOWN, ChecklistLine, Context, Evidence, Input, NO_PYTHON, NOT_REACHED, OutOfScope,
    Problem, Report, SCHEMA, Signal, Source, Status, Tool, Topic,
};
pub use secrets::{Secret, secrets};
pub use view::{
    DiffView, FileStatus, FileView, FoundRow, HunkView, Row, RowKind, Run, Span, SpanClass,
};
pub use work::{
    Answer, Decision, FindingWork, LineWork, Version, WORK_SCHEMA, Work, fingerprint,
    line_fingerprint,
};
