//! The site as it is put on a host.

use crate::command::run as run_command;
use crate::{checksums, hosts, licenses, npm, site, wasm};
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Prints a table of a folder's files: plain, gzip and brotli. Node.js has both compressions.
const SIZES: &str = include_str!("sizes.mjs");

/// Builds dist/ and prints its sizes. The same sources give the same bytes.
pub(crate) fn run(root: &Path) -> Result<()> {
    let dist = root.join("dist");
    site::empty(&dist)?;
    let node_modules = assemble(root, &dist, wasm::Profile::Web)?;
    print_sizes(&dist)?;
    fs::write(
        dist.join("licenses.txt"),
        licenses::text(root, &node_modules)?,
    )?;
    hosts::write(&dist)?;
    checksums::write(&dist)
}

/// Puts what the page loads into a folder, the modules that users get as small as they can be; returns the packages
/// it is made of.
pub(crate) fn assemble(root: &Path, folder: &Path, profile: wasm::Profile) -> Result<PathBuf> {
    let built = site::build(root, profile)?;
    site::copy_folder(&built, folder)?;
    let node_modules = npm::install(&root.join("web"))?;
    if profile == wasm::Profile::Web {
        for (_, name) in wasm::MODULES {
            wasm::shrink(&folder.join(format!("{name}_bg.wasm")), &node_modules)?;
        }
    }
    Ok(node_modules)
}

fn print_sizes(dist: &Path) -> Result<()> {
    run_command(
        Command::new("node")
            .args(["--input-type=module", "--eval", SIZES])
            .current_dir(dist),
    )
}
