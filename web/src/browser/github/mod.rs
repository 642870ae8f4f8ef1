//! What the page asks of GitHub, always by the user's wish: a change, and whole files of its head.

mod ask;
mod change;
mod whole_files;

pub(crate) use ask::Asker;
pub(crate) use change::fetch_change;
pub(crate) use whole_files::fetch_whole_files;
