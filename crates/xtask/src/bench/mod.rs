//! Sizes and speed, measured side by side with others on the same inputs. No test asserts a time.

mod edit;
mod inputs;

use crate::browser::CHROME;
use crate::command::{cargo, run as run_command};
use crate::serve::Server;
use crate::wasm::Profile;
use crate::{dist, npm, site, wasm};
use anyhow::{Context, Result};
use inputs::Input;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is measured, and how thoroughly.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Small inputs, one round and a core that is quick to build: shows that the bench runs, and checks the budget of the
    /// first load. Its times say nothing.
    #[arg(long)]
    short: bool,
    /// Rounds of each measurement; what is compared takes turns.
    #[arg(long, default_value_t = 7)]
    rounds: u32,
    /// Changed lines of the made diffs.
    #[arg(long, value_delimiter = ',', default_value = "100,1000,10000,100000")]
    lines: Vec<usize>,
    /// Measure this alone.
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// More diffs to measure. The new-side files of `NAME.diff` are read from the folder `NAME` beside it.
    diffs: Vec<PathBuf>,
}

/// A part of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// The core of the command.
    Native,
    /// The worker, against the parser alone and other tools.
    Worker,
    /// The page: what is on the screen when.
    Page,
    /// Bytes of the first load.
    Load,
    /// Lengths of links.
    Links,
}

/// Files of the packages that the bench page loads.
const PEERS: &[&str] = &[
    "@astral-sh/ruff-wasm-web/ruff_wasm.js",
    "@astral-sh/ruff-wasm-web/ruff_wasm_bg.wasm",
    "@ast-grep/wasm/wasm_bg.js",
    "@ast-grep/wasm/wasm_bg.wasm",
    "diff2html/bundles/js/diff2html.min.js",
];

/// Builds everything, measures, and prints one table. The same as JSON goes to target/bench/results.json.
///
/// Fails where the first load takes more than its budget, unless the page is built to be quick to build.
pub(crate) fn run(root: &Path, arguments: &Arguments, profile: Profile) -> Result<()> {
    let packages = root.join("tests/bench");
    let modules = npm::install(&packages)?;
    let folder = wasm::target_folder(root).join("bench");
    let site = folder.join("site");
    site::empty(&site)?;
    dist::assemble(root, &site, profile)?;
    add_peers(&packages, &modules, &site.join("bench"))?;
    let inputs = site.join("bench/inputs");
    let names = write_inputs(root, arguments, &inputs)?;
    let native = measure_native(root, arguments, &inputs, &folder)?;
    let server = Server::start(&site, 0)?;
    let mut browser = Command::new("node");
    browser
        .arg(packages.join("run.mjs"))
        .args(names)
        .env("HUNKWISE_ADDRESS", server.address())
        .env("HUNKWISE_CHROME", CHROME.find_or_install()?)
        .env("HUNKWISE_SITE", &site)
        .env("HUNKWISE_NATIVE", native)
        .env("HUNKWISE_RESULTS", folder.join("results.json"))
        .env("HUNKWISE_ROUNDS", arguments.rounds().to_string())
        .env("HUNKWISE_ONLY", arguments.only.map_or("", Part::name))
        .env("HUNKWISE_BUDGET", budget(profile));
    run_command(&mut browser)
}

/// Bytes of the first load, compressed by brotli; none for a page that is quick to build.
fn budget(profile: Profile) -> &'static str {
    match profile {
        Profile::Web => "1500000",
        Profile::Dev => "",
    }
}

impl Arguments {
    /// What runs with the tests, so that the bench does not rot.
    pub(crate) fn short() -> Arguments {
        Arguments {
            short: true,
            rounds: 1,
            lines: Vec::new(),
            only: None,
            diffs: Vec::new(),
        }
    }

    fn rounds(&self) -> u32 {
        if self.short { 1 } else { self.rounds }
    }

    fn lines(&self) -> &[usize] {
        if self.short {
            &[100, 1_000]
        } else {
            &self.lines
        }
    }
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Native => "native",
            Part::Worker => "worker",
            Part::Page => "page",
            Part::Load => "load",
            Part::Links => "links",
        }
    }
}

/// The bench's own scripts, and what they measure against.
fn add_peers(packages: &Path, modules: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for script in ["bench.html", "contestant.js"] {
        fs::copy(packages.join(script), to.join(script))?;
    }
    for peer in PEERS {
        let name = peer.replace(['@', '/'], "-");
        let name = name.trim_start_matches('-');
        let file = modules.join(peer);
        fs::copy(&file, to.join(name))
            .with_context(|| format!("{} is missing.", file.display()))?;
    }
    // Written for bundlers; a worker resolves no bare names.
    let script = to.join("ast-grep-wasm-wasm_bg.js");
    let text = fs::read_to_string(&script)?;
    let text = text.replace("'web-tree-sitter'", "'../web-tree-sitter.js'");
    Ok(fs::write(script, text)?)
}

/// Writes each diff with its files; returns their names, the made ones first.
fn write_inputs(root: &Path, arguments: &Arguments, to: &Path) -> Result<Vec<String>> {
    fs::create_dir_all(to)?;
    let made = arguments.lines().iter().map(|&n| inputs::made(root, n));
    let given = arguments.diffs.iter().map(|file| inputs::given(file));
    let mut names = Vec::new();
    for input in made.chain(given) {
        let Input { name, diff, files } = input?;
        fs::write(to.join(format!("{name}.diff")), diff)?;
        let files = serde_json::to_vec(&files)?;
        fs::write(to.join(format!("{name}.files.json")), files)?;
        names.push(name);
    }
    Ok(names)
}

/// Measures the core of the command, and writes the documents that the parser alone is measured on.
fn measure_native(
    root: &Path,
    arguments: &Arguments,
    inputs: &Path,
    folder: &Path,
) -> Result<PathBuf> {
    let results = folder.join("native.json");
    let mut bench = cargo(root);
    bench.args(["bench", "--locked", "--quiet", "--package", "native"]);
    if arguments.short {
        bench.args(["--profile", "dev"]);
    }
    bench
        .args(["--bench", "against_parse", "--"])
        .arg(inputs)
        .arg(&results)
        .arg(arguments.rounds().to_string());
    run_command(&mut bench)?;
    Ok(results)
}
