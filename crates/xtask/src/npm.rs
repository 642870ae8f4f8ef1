//! Packages from npm, exactly as the lock files say.

use crate::command::run;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs a folder's packages unless they are there already; returns its node_modules.
///
/// Install scripts do not run: one of them would compile a native addon that nothing here uses.
pub(crate) fn install(folder: &Path) -> Result<PathBuf> {
    let modules = folder.join("node_modules");
    let installed = modules.join(".installed-lock.json");
    let wanted = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json.", folder.display()))?;
    if fs::read(&installed).is_ok_and(|lock| lock == wanted) {
        return Ok(modules);
    }
    run(npm()
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(folder))?;
    fs::write(installed, wanted)?;
    Ok(modules)
}

fn npm() -> Command {
    // On Windows npm is a script, which only its full name starts.
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}
