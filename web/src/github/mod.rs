//! GitHub as far as no browser is needed: addresses, what its answers say, and what its refusals mean.
//! The requests themselves are in `browser/github`.

pub(crate) mod address;
mod answer;
mod limit;
mod patch;
mod refusal;
pub(crate) mod request;

pub(crate) use address::Target;
pub(crate) use answer::{ChangedFile, Commit, Compare, Pull, Repo, message, title};
pub(crate) use limit::{Limit, Reset};
pub(crate) use patch::{is_new_without_lines, of_new, rebuild};
pub(crate) use refusal::{Refusal, Told, Way};
pub(crate) use request::Token;
