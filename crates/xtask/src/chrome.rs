//! A browser for the tests.

use crate::command::run;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set it to the path of a Chrome or Chromium to use that one.
const VARIABLE: &str = "CHROME";

const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chrome.exe",
];

/// Where installers put it without adding it to the PATH.
const PLACES: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/// The path of a Chrome or Chromium. Where there is none and this is root on a Debian, it is installed.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(chrome) = find() {
        return Ok(chrome);
    }
    if may_install() {
        install()?;
    }
    match find() {
        Some(chrome) => Ok(chrome),
        None => bail!(
            "No Chrome or Chromium was found for the browser tests: install Chromium, or set {VARIABLE} to its path."
        ),
    }
}

fn find() -> Option<PathBuf> {
    let chosen = std::env::var_os(VARIABLE).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path)
        .flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)));
    let places = PLACES.iter().map(PathBuf::from);
    chosen
        .into_iter()
        .chain(on_path)
        .chain(places)
        .find(|place| place.is_file())
}

fn may_install() -> bool {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    is_root && Path::new("/usr/bin/apt-get").exists()
}

fn install() -> Result<()> {
    println!("No Chrome or Chromium was found; installing Debian's.");
    run(apt_get().arg("update"))?;
    run(apt_get().args(["install", "--yes", "--no-install-recommends", "chromium"]))
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command
        .arg("--quiet")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null());
    command
}
