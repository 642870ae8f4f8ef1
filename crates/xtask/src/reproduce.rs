//! Whether the same sources give the same bytes: two builds, in two folders, with nothing in common.

use crate::command::{cargo, output, run as run_command};
use crate::{dist, site};
use anyhow::{Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Builds dist/ here and from a clone of the last commit elsewhere, and compares every file.
pub(crate) fn run(root: &Path) -> Result<()> {
    let changed = output(
        Command::new("git")
            .args(["status", "--porcelain"])
            .current_dir(root),
    )?;
    ensure!(
        changed.is_empty(),
        "A clone holds only what is committed. Commit or stash first:\n{changed}"
    );
    dist::run(root)?;
    let elsewhere = std::env::temp_dir().join("hunkwise-reproduced");
    site::empty(&elsewhere)?;
    run_command(
        Command::new("git")
            .arg("clone")
            .arg("--quiet")
            .arg(root)
            .arg(&elsewhere),
    )?;
    run_command(
        cargo(&elsewhere)
            .args(["xtask", "dist"])
            .env_remove("CARGO_TARGET_DIR"),
    )?;
    let sums = |root: &Path| fs::read_to_string(root.join("dist/checksums.txt"));
    let (here, there) = (sums(root)?, sums(&elsewhere)?);
    let differing = differing(&here, &there);
    ensure!(
        differing.is_empty(),
        "These files differ: {}.",
        differing.join(", ")
    );
    println!("Both builds gave the same bytes.");
    Ok(fs::remove_dir_all(elsewhere)?)
}

/// Names of files that only one of two lists has, or has so.
fn differing<'a>(one: &'a str, other: &'a str) -> Vec<&'a str> {
    let only = |these: &'a str, those: &'a str| {
        let those: Vec<&str> = those.lines().collect();
        these.lines().filter(move |line| !those.contains(line))
    };
    let mut names: Vec<&str> = only(one, other)
        .chain(only(other, one))
        .map(|line| line.split_once("  ").map_or(line, |(_, name)| name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_or_is_missing_is_named_once() {
        let one = "aa  a.js\nbb  b.js\ncc  c.js\n";
        assert_eq!(differing(one, one), Vec::<&str>::new());
        assert_eq!(differing(one, "aa  a.js\nb2  b.js\n"), ["b.js", "c.js"]);
    }
}
