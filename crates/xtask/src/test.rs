//! All tests, and one line that sums them up.

use crate::browser::{CHROME, FIREFOX};
use crate::command::{cargo, not_started, run as run_command};
use crate::serve::Server;
use crate::{bench, npm, site, wasm};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Suite {
    /// What `cargo test` runs.
    Rust,
    /// Native against wasm, and the page in a browser.
    Page,
    /// The bench in its short form, which counts as one test: it runs, and the first load keeps to its budget.
    Bench,
}

/// Runs one suite or all, ends with `N passed, N failed`, and fails if anything did.
pub(crate) fn run(root: &Path, suite: Option<Suite>, profile: wasm::Profile) -> Result<()> {
    let mut total = Tally::default();
    for each in [Suite::Rust, Suite::Page, Suite::Bench] {
        if suite.is_none_or(|suite| suite == each) {
            total += each.tally(root, profile);
        }
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed > 0 {
        std::process::exit(1);
    }
    Ok(())
}

impl Suite {
    fn tally(self, root: &Path, profile: wasm::Profile) -> Tally {
        let tally = match self {
            Suite::Rust => rust(root),
            Suite::Page => page(root, profile),
            Suite::Bench => bench(root, profile),
        };
        // What cannot even start is a failure like any other: the sum stays the last word.
        tally.unwrap_or_else(|error| {
            eprintln!("{error:#}");
            Tally {
                passed: 0,
                failed: 1,
            }
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u32,
    failed: u32,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

fn rust(root: &Path) -> Result<Tally> {
    let mut command = cargo(root);
    command
        .args(["test", "--locked", "--workspace", "--no-fail-fast"])
        .stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| not_started(&command))?;
    let mut tally = Tally::default();
    for line in child
        .stdout
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(BufRead::lines)
    {
        let line = line?;
        println!("{line}");
        tally += cargo_result(&line).unwrap_or_default();
    }
    // Tests that do not compile leave no line to count.
    if !child.wait()?.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

/// Counts of a line like `test result: ok. 3 passed; 0 failed; ...`.
fn cargo_result(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?;
    let (_, counts) = counts.split_once(". ")?;
    let count = |what: &str| {
        let count = counts
            .split("; ")
            .find_map(|part| part.strip_suffix(what))?;
        count.trim().parse().ok()
    };
    Some(Tally {
        passed: count("passed")?,
        failed: count("failed")?,
    })
}

/// The tests in JavaScript: the worker's wasm against the native command, and the page in a browser.
fn page(root: &Path, profile: wasm::Profile) -> Result<Tally> {
    let firefox = firefox()?;
    run_command(cargo(root).args(["build", "--locked", "--package", "native"]))?;
    let mut files = Vec::new();
    for folder in ["wasm", "browser"] {
        files.extend(test_files(&root.join("tests").join(folder))?);
    }
    in_javascript(root, profile, |tests| {
        tests
            .args(files)
            .envs(firefox.map(|path| ("HUNKWISE_FIREFOX", path)))
            .env("HUNKWISE_COMMAND", native_command(root))
    })
}

/// Long use of the page, whose figures are printed on the way.
pub(crate) fn soak(root: &Path, seed: u32) -> Result<()> {
    let file = root.join("tests/browser/soak.test.mjs");
    let tally = in_javascript(root, wasm::Profile::Web, |tests| {
        tests
            .arg(file)
            .env("HUNKWISE_SOAK", "long")
            .env("HUNKWISE_SEED", seed.to_string())
    })?;
    if tally.failed > 0 {
        bail!("The page does not stand long use.");
    }
    Ok(())
}

/// Serves the built site and runs Node.js on the tests that `add` names.
fn in_javascript(
    root: &Path,
    profile: wasm::Profile,
    add: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Tally> {
    let chrome = CHROME.find_or_install()?;
    npm::install(&root.join("tests/browser"))?;
    let site = site::build(root, profile)?;
    let server = Server::start(&site, 0)?;
    let results = wasm::target_folder(root).join("node-tests.tap");
    let mut tests = Command::new("node");
    tests
        .args(REPORTERS)
        .arg(&results)
        .env("HUNKWISE_ADDRESS", server.address())
        .env("HUNKWISE_CHROME", chrome)
        .env("HUNKWISE_SITE", site);
    add(&mut tests);
    run_node_tests(tests, &results)
}

fn bench(root: &Path, profile: wasm::Profile) -> Result<Tally> {
    bench::run(root, &bench::Arguments::short(), profile)?;
    Ok(Tally {
        passed: 1,
        failed: 0,
    })
}

/// Who has no Firefox can still run all other tests; where everything has to run, there must be one.
fn firefox() -> Result<Option<PathBuf>> {
    match FIREFOX.find_or_install() {
        Ok(path) => Ok(Some(path)),
        Err(error) if std::env::var_os("CI").is_some() => Err(error),
        Err(error) => {
            println!("{error:#} Its tests are left out.");
            Ok(None)
        }
    }
}

/// Results for people on standard output, and for counting in the file that is the next argument.
const REPORTERS: &[&str] = &[
    "--test",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=tap",
    "--test-reporter-destination",
];

fn run_node_tests(mut tests: Command, results: &Path) -> Result<Tally> {
    let status = tests
        .stdin(Stdio::null())
        .status()
        .context("`node` could not be started. Install Node.js 20 or newer.")?;
    let tally = tap_result(&fs::read_to_string(results)?)
        .context("The tests in JavaScript left no count.")?;
    if !status.success() && tally.failed == 0 {
        bail!("The tests in JavaScript broke off ({status}).");
    }
    Ok(tally)
}

fn native_command(root: &Path) -> PathBuf {
    let target = wasm::target_folder(root);
    target
        .join("debug/hunkwise")
        .with_extension(std::env::consts::EXE_EXTENSION)
}

/// Every `*.test.mjs` of a folder, in order.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    let is_test = |path: &PathBuf| {
        path.file_name()
            .and_then(OsStr::to_str)
            .is_some_and(|name| name.ends_with(".test.mjs"))
    };
    files.retain(is_test);
    files.sort();
    Ok(files)
}

/// Counts of the summary that ends a TAP document of `node --test`.
fn tap_result(tap: &str) -> Option<Tally> {
    let count = |what: &str| {
        let count = tap
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("# ")?.strip_prefix(what))?;
        count.trim().parse::<u32>().ok()
    };
    Some(Tally {
        passed: count("pass ")?,
        failed: count("fail ")? + count("cancelled ")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_cargo_says() {
        let line = "test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s";
        assert_eq!(
            cargo_result(line),
            Some(Tally {
                passed: 12,
                failed: 2
            })
        );
        assert_eq!(cargo_result("test result_is_kept ... ok"), None);
    }

    #[test]
    fn counts_what_node_says() {
        let tap = "ok 1 - # pass 9\n1..7\n# tests 7\n# suites 0\n# pass 4\n# fail 2\n# cancelled 1\n# skipped 0\n";
        assert_eq!(
            tap_result(tap),
            Some(Tally {
                passed: 4,
                failed: 3
            })
        );
        assert_eq!(tap_result("TAP version 13\n"), None);
    }
}
