//! `hunkwise link`: the permalink of a diff.

use crate::cli::{self, Names};
use crate::{REFUSED, input, output, review};
use report::permalink::{self, Content, Link};
use report::{Context, Report, Source, Work};
use std::process::ExitCode;

pub(crate) fn run(arguments: &cli::Link) -> anyhow::Result<ExitCode> {
    let decoded = input::diff(&arguments.file)?;
    let names = Names {
        profile: None,
        dismissals: None,
    };
    let report = review::review(&decoded, None, &names, &Source::default())?;
    if report.is_empty() {
        let reason = report
            .problems
            .first()
            .map(|problem| problem.message.as_str());
        output::complain(reason.unwrap_or("No diff was found."));
        return Ok(ExitCode::from(REFUSED));
    }
    let text = match arguments.excerpt {
        true => excerpt(&decoded, &report),
        false => decoded.text,
    };
    let link = link(text, arguments.excerpt, &report);
    let address = match &arguments.page {
        Some(page) => permalink::address(page, &link),
        None => format!("#{}", permalink::encode(&link)),
    };
    output::print(&format!("{address}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn link(text: String, excerpt: bool, report: &Report) -> Link {
    Link {
        content: Content::Diff { text, excerpt },
        topic_version: report.tool.topic_version.clone(),
        profile: report.tool.profile.clone(),
        context: Context::Diff,
        work: Work::default(),
        selected: None,
    }
}

fn excerpt(decoded: &diff::Decoded, report: &Report) -> String {
    let profile = topic::Profile::builtin();
    let input = ::review::Input {
        text: &decoded.text,
        decoding: &decoded.problems,
        files: None,
        profile: &profile,
        dismissals: &[],
        source: &Source::default(),
    };
    ::review::excerpt(&::review::plan(&input), report)
}
