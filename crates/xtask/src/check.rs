//! What must hold before a commit.

use crate::command::{cargo, run as run_command};
use crate::wasm::{MODULES, Profile, TARGET, add_target};
use crate::{dependencies, test};
use anyhow::Result;
use std::path::Path;

/// The list of dependencies, formatting, lints natively and for wasm, then all tests.
pub(crate) fn run(root: &Path) -> Result<()> {
    dependencies::check(root)?;
    run_command(cargo(root).args(["fmt", "--all", "--check"]))?;
    run_command(cargo(root).args([
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))?;
    add_target();
    let mut for_wasm = cargo(root);
    for_wasm.args(["clippy", "--locked", "--target", TARGET]);
    for (package, _) in MODULES {
        for_wasm.args(["--package", package]);
    }
    run_command(for_wasm.args(["--", "-D", "warnings"]))?;
    test::run(root, None, Profile::Web)
}
