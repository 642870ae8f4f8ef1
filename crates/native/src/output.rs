//! What leaves the command: standard output and standard error.

use anyhow::Context as _;
use std::io::{ErrorKind, Write as _};

/// Prints a whole text. A reader that went away (`| head`) is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write the output"),
    }
}

/// One sentence on standard error.
pub(crate) fn complain(sentence: &str) {
    let _ = writeln!(std::io::stderr().lock(), "hunkwise: {sentence}");
}
