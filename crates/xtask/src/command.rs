//! Running other programs.

use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace's Cargo.toml.
pub(crate) fn workspace_root() -> Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .map(Path::to_path_buf)
        .context("The folder of xtask does not lie in the workspace.")
}

/// The cargo that runs this task, so that the toolchain is the same.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs a program to its end; an error says which one failed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| not_started(command))?;
    if !status.success() {
        bail!("`{}` failed ({status}).", words(command));
    }
    Ok(())
}

/// What a program writes; an error carries its complaint.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| not_started(command))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "`{}` failed: {complaint}",
        words(command)
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// The sentence for a program that is not there.
pub(crate) fn not_started(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    format!("`{program}` could not be started. Is it installed and on the PATH?")
}

fn words(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    words.join(" ")
}
