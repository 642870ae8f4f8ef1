//! The `hunkwise` command.

mod dump;

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

/// Reviews a unified diff of Python code for concurrency, resource and artifact safety.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reviews a diff from a file or standard input and prints the report.
    Review {
        #[arg(long, default_value = "json")]
        format: String,
        #[arg(long)]
        root: Option<PathBuf>,
        #[arg(default_value = "-")]
        file: PathBuf,
    },
    /// Prints what one stage makes of its input, for developers.
    #[command(subcommand)]
    Dump(Stage),
}

#[derive(Subcommand)]
enum Stage {
    /// The files, hunks and problems that the diff reader finds.
    Patch {
        /// A file with a diff, or `-` for standard input.
        file: PathBuf,
    },
    /// The documents made of the hunks, one for each file and side, with their trees.
    Tree {
        /// A file with a diff, or `-` for standard input.
        file: PathBuf,
    },
}

/// Exit status of a run that found no diff in its input.
const NO_DIFF: u8 = 2;

fn main() -> ExitCode {
    run(Arguments::parse()).unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "hunkwise: {error:#}");
        ExitCode::from(NO_DIFF)
    })
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Command::Dump(Stage::Patch { file }) => dump_patch(&file),
        Command::Dump(Stage::Tree { file }) => dump_tree(&file),
        Command::Review { file, .. } => review(&file),
    }
}

fn review(file: &Path) -> anyhow::Result<ExitCode> {
    let decoded = diff::decode(&read(file)?);
    let profile = topic::Profile::builtin();
    let source = report::Source::default();
    let input = review::Input {
        text: &decoded.text,
        decoding: &decoded.problems,
        files: None,
        profile: &profile,
        dismissals: &[],
        source: &source,
    };
    let mut parser = native::Parser::new()?;
    let report = review::review(&input, &mut |text| parser.parse(text));
    print!(
        "{}",
        report::export::json(&report, &report::Work::default())
    );
    Ok(ExitCode::SUCCESS)
}

fn dump_patch(file: &Path) -> anyhow::Result<ExitCode> {
    let decoded = diff::decode(&read(file)?);
    let mut patch = diff::parse(&decoded.text);
    patch.problems.splice(0..0, decoded.problems);
    let text = dump::patch(&patch).to_string();
    writeln!(std::io::stdout().lock(), "{text}").context("cannot write the dump")?;
    Ok(if patch.files.is_empty() {
        ExitCode::from(NO_DIFF)
    } else {
        ExitCode::SUCCESS
    })
}

fn dump_tree(file: &Path) -> anyhow::Result<ExitCode> {
    let decoded = diff::decode(&read(file)?);
    let patch = diff::parse(&decoded.text);
    let mut parser = native::Parser::new()?;
    let dump = review::dump::documents(&patch, &mut |text| parser.parse(text));
    write!(std::io::stdout(), "{dump}").context("cannot write the dump")?;
    Ok(if patch.files.is_empty() {
        ExitCode::from(NO_DIFF)
    } else {
        ExitCode::SUCCESS
    })
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
        return Ok(bytes);
    }
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}
