//! From a crate to a wasm module with the JavaScript that loads it.

use crate::command::{cargo, run};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wasm_bindgen_cli_support::Bindgen;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to build.
    Dev,
    /// What users get.
    Web,
}

/// The wasm crates, and the name under which the site's scripts load each.
pub(crate) const MODULES: &[(&str, &str)] = &[("web", "page"), ("worker", "core")];

/// Builds both modules and writes `page.js`, `core.js` and their wasm into `site`.
pub(crate) fn build(root: &Path, profile: Profile, site: &Path) -> Result<()> {
    add_target();
    let mut command = cargo(root);
    command
        .args([
            "build",
            "--locked",
            "--target",
            TARGET,
            "--profile",
            profile.name(),
        ])
        .env("CARGO_ENCODED_RUSTFLAGS", without_local_paths(root));
    for (package, _) in MODULES {
        command.args(["--package", package]);
    }
    run(&mut command)?;
    for (package, name) in MODULES {
        let built = built(root, profile, package);
        bind(&built, name, site)?;
    }
    Ok(())
}

/// Makes a module of the site smaller with the wasm-opt of npm's binaryen.
pub(crate) fn shrink(module: &Path, node_modules: &Path) -> Result<()> {
    run(Command::new("node")
        .arg(node_modules.join("binaryen/bin/wasm-opt"))
        .arg("-Os")
        .arg(module)
        .arg("-o")
        .arg(module))
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Dev => "dev",
            Profile::Web => "web",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Web => "web",
        }
    }
}

/// The toolchain file names the target, but a toolchain that came some other way may lack it. Where
/// there is no rustup, the build itself says what is missing.
pub(crate) fn add_target() {
    let _ = Command::new("rustup")
        .args(["target", "add", TARGET])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

fn built(root: &Path, profile: Profile, package: &str) -> PathBuf {
    let folder = target_folder(root).join(TARGET).join(profile.folder());
    folder.join(package).with_extension("wasm")
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    let chosen = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    chosen.unwrap_or_else(|| root.join("target"))
}

fn bind(module: &Path, name: &str, site: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(name)
        .generate(site)
        .with_context(|| format!("No JavaScript could be made for {}.", module.display()))?;
    // Written for bundlers, from web/package.json; the site has none.
    let _ = fs::remove_file(site.join("package.json"));
    Ok(())
}

/// Flags that keep this machine's folders out of the modules, so that builds are alike everywhere.
fn without_local_paths(root: &Path) -> OsString {
    let mut remaps = vec![remap(root, "hunkwise")];
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.map(|home| home.join("registry/src"));
    let sources = sources.and_then(|sources| fs::read_dir(sources).ok());
    for registry in sources.into_iter().flatten().flatten() {
        remaps.push(remap(&registry.path(), "crates"));
    }
    // The separator of CARGO_ENCODED_RUSTFLAGS; paths may hold spaces.
    remaps.sort();
    remaps.join(&OsString::from("\x1f"))
}

fn remap(from: &Path, to: &str) -> OsString {
    let mut flag = OsString::from("--remap-path-prefix=");
    flag.push(from);
    flag.push("=");
    flag.push(to);
    flag
}
