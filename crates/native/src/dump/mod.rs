//! Dumps of single stages, for developers.

mod patch;

use crate::cli::Stage;
use crate::{REFUSED, input, output};
use report::Source;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(stage: &Stage) -> anyhow::Result<ExitCode> {
    match stage {
        Stage::Patch { file } => dump_patch(file),
        Stage::Tree { file } => dump_tree(file),
        Stage::Facts { file } => dump_facts(file),
    }
}

fn dump_patch(file: &Path) -> anyhow::Result<ExitCode> {
    let decoded = input::diff(file)?;
    let mut patch = diff::parse(&decoded.text);
    patch.problems.splice(0..0, decoded.problems);
    output::print(&format!("{}\n", patch::patch(&patch)))?;
    Ok(status(patch.files.is_empty()))
}

fn dump_tree(file: &Path) -> anyhow::Result<ExitCode> {
    let decoded = input::diff(file)?;
    let patch = diff::parse(&decoded.text);
    let mut parser = native::Parser::new()?;
    output::print(&review::dump::documents(&patch, &mut |text| {
        parser.parse(text)
    }))?;
    Ok(status(patch.files.is_empty()))
}

fn dump_facts(file: &Path) -> anyhow::Result<ExitCode> {
    let decoded = input::diff(file)?;
    let input = review::Input {
        text: &decoded.text,
        decoding: &decoded.problems,
        files: None,
        profile: &topic::Profile::builtin(),
        dismissals: &[],
        source: &Source::default(),
    };
    let plan = review::plan(&input);
    let mut parser = native::Parser::new()?;
    for n in 0..plan.len() {
        let parse = &mut |text: &str| parser.parse(text);
        output::print(&review::dump::facts(&plan, n, parse))?;
    }
    Ok(status(plan.is_empty()))
}

fn status(is_empty: bool) -> ExitCode {
    match is_empty {
        true => ExitCode::from(REFUSED),
        false => ExitCode::SUCCESS,
    }
}
