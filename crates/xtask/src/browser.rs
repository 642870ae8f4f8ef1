//! The browsers for the tests.

use crate::command::run;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A browser, and where it may be.
pub(crate) struct Browser {
    name: &'static str,
    /// An environment variable with the path of the one to use.
    variable: &'static str,
    /// What its program is called on the PATH.
    programs: &'static [&'static str],
    /// Where installers put it without adding it to the PATH.
    places: &'static [&'static str],
    /// Debian's package.
    package: &'static str,
}

pub(crate) const CHROME: Browser = Browser {
    name: "Chrome or Chromium",
    variable: "CHROME",
    programs: &[
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
        "chrome",
        "chrome.exe",
    ],
    places: &[
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
    ],
    package: "chromium",
};

pub(crate) const FIREFOX: Browser = Browser {
    name: "Firefox",
    variable: "FIREFOX",
    programs: &["firefox-esr", "firefox", "firefox.exe"],
    places: &[
        "/Applications/Firefox.app/Contents/MacOS/firefox",
        "C:/Program Files/Mozilla Firefox/firefox.exe",
    ],
    package: "firefox-esr",
};

impl Browser {
    /// Its path. Where there is none and this is root on a Debian, it is installed.
    pub(crate) fn find_or_install(&self) -> Result<PathBuf> {
        if let Some(path) = self.find() {
            return Ok(path);
        }
        if may_install() {
            self.install()?;
        }
        self.find().with_context(|| {
            let Browser { name, variable, .. } = self;
            format!("No {name} was found for the browser tests: install it, or set {variable} to its path.")
        })
    }

    fn find(&self) -> Option<PathBuf> {
        let chosen = std::env::var_os(self.variable).map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = std::env::split_paths(&path)
            .flat_map(|folder| self.programs.iter().map(move |name| folder.join(name)));
        let places = self.places.iter().map(PathBuf::from);
        chosen
            .into_iter()
            .chain(on_path)
            .chain(places)
            .find(|place| place.is_file())
    }

    fn install(&self) -> Result<()> {
        println!("No {} was found; installing Debian's.", self.name);
        run(apt_get().arg("update"))?;
        let options = ["install", "--yes", "--no-install-recommends"];
        run(apt_get().args(options).arg(self.package))
    }
}

fn may_install() -> bool {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    is_root && Path::new("/usr/bin/apt-get").exists()
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command
        .arg("--quiet")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null());
    command
}
