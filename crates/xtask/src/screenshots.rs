//! Pictures of the page's main states, for the README and for whoever changes how the page looks.

use crate::browser::CHROME;
use crate::command::run as run_command;
use crate::serve::Server;
use crate::{npm, palette, site, wasm};
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Draws them anew into web/screenshots/.
pub(crate) fn run(root: &Path, profile: wasm::Profile) -> Result<()> {
    let chrome = CHROME.find_or_install()?;
    let tests = root.join("tests/browser");
    npm::install(&tests)?;
    let site = site::build(root, profile)?;
    let server = Server::start(&site, 0)?;
    let folder = root.join("web/screenshots");
    site::empty(&folder)?;
    run_command(
        Command::new("node")
            .arg(tests.join("screenshots.mjs"))
            .arg(&folder)
            .env("HUNKWISE_ADDRESS", server.address())
            .env("HUNKWISE_CHROME", chrome),
    )?;
    for entry in fs::read_dir(folder)? {
        palette::reduce(&entry?.path())?;
    }
    Ok(())
}
