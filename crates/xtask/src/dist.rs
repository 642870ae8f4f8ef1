//! The site as it is put on a host.

use crate::command::run as run_command;
use crate::{hosts, licenses, npm, site, wasm};
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Prints a table of a folder's files: plain, gzip and brotli. Node.js has both compressions.
const SIZES: &str = include_str!("sizes.mjs");

/// Builds dist/ and prints its sizes. The same sources give the same bytes.
pub(crate) fn run(root: &Path) -> Result<()> {
    let built = site::build(root, wasm::Profile::Web)?;
    let dist = root.join("dist");
    site::empty(&dist)?;
    site::copy_folder(&built, &dist)?;
    let node_modules = npm::install(&root.join("web"))?;
    for (_, name) in wasm::MODULES {
        wasm::shrink(&dist.join(format!("{name}_bg.wasm")), &node_modules)?;
    }
    print_sizes(&dist)?;
    fs::write(
        dist.join("licenses.txt"),
        licenses::text(root, &node_modules)?,
    )?;
    hosts::write(&dist)
}

fn print_sizes(dist: &Path) -> Result<()> {
    run_command(
        Command::new("node")
            .args(["--input-type=module", "--eval", SIZES])
            .current_dir(dist),
    )
}
