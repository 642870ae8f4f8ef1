//! `hunkwise link`: the permalink of a diff.

use crate::review::Reviewed;
use crate::{REFUSED, cli, input, output, review};
use report::permalink::{self, Content, Link, Reference};
use report::{Context, Report, Source, Work};
use std::process::ExitCode;

pub(crate) fn run(arguments: &cli::Link) -> anyhow::Result<ExitCode> {
    let decoded = input::diff(&arguments.file)?;
    let source = arguments.origin.source();
    let reviewed = review::review(&decoded, None, &arguments.names, &source)?;
    let report = &reviewed.report;
    if report.is_empty() {
        let reason = report
            .problems
            .first()
            .map(|problem| problem.message.as_str());
        output::complain(reason.unwrap_or("No diff was found."));
        return Ok(ExitCode::from(REFUSED));
    }
    let link = link(content(arguments, decoded.text, &reviewed, source), report);
    let address = match &arguments.page {
        Some(page) => permalink::address(page, &link),
        None => format!("#{}", permalink::encode(&link)),
    };
    output::print(&format!("{address}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The diff, its hunks with findings, or where it lies.
fn content(arguments: &cli::Link, text: String, reviewed: &Reviewed, source: Source) -> Content {
    let excerpt = arguments.excerpt;
    match reference(source).filter(|_| arguments.reference) {
        Some(reference) => Content::Reference(reference),
        None if excerpt => Content::Diff {
            text: ::review::excerpt(&reviewed.plan, &reviewed.report),
            excerpt,
        },
        None => Content::Diff { text, excerpt },
    }
}

fn reference(source: Source) -> Option<Reference> {
    Some(Reference {
        repo: source.repo?,
        base: source.base?,
        head: source.head?,
        pull: source.pull,
    })
}

fn link(content: Content, report: &Report) -> Link {
    Link {
        content,
        topic_version: report.tool.topic_version.clone(),
        profile: report.tool.profile.clone(),
        context: Context::Diff,
        work: Work::default(),
        selected: None,
    }
}
