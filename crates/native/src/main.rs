//! The `hunkwise` command: the same core as the page, and the same answers.

mod cli;
mod dump;
mod explain;
mod input;
mod link;
mod open;
mod output;
mod review;
mod root;

use clap::Parser as _;
use cli::{Arguments, Command};
use std::process::ExitCode;

/// Exit status where there was no diff in the input, or the arguments were wrong.
const REFUSED: u8 = 2;

/// Exit status of `--fail-on` where a violation that severe stands.
const FAILED: u8 = 1;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse_arguments(&error),
    };
    run(&arguments.command).unwrap_or_else(|error| {
        output::complain(&format!("{error:#}"));
        ExitCode::from(REFUSED)
    })
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Review(arguments) => review::run(arguments),
        Command::Link(arguments) => link::run(arguments),
        Command::Open(arguments) => open::run(arguments),
        Command::Explain { id } => explain::run(id),
        Command::Dump(stage) => dump::run(stage),
    }
}

/// Help and version are no errors. Of an error the first paragraph is the sentence; usage is what `--help` is for.
fn refuse_arguments(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let told = output::print(&error.to_string());
        return told.map_or(ExitCode::from(REFUSED), |()| ExitCode::SUCCESS);
    }
    let text = error.to_string();
    let paragraph: Vec<&str> = text
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let sentence = paragraph.join(" ");
    let sentence = sentence.trim_start_matches("error: ");
    output::complain(&format!("{sentence} (see `hunkwise --help`)"));
    ExitCode::from(REFUSED)
}
