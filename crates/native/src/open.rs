//! `hunkwise open`: the review of a permalink.

use crate::{cli, output, review};
use anyhow::bail;
use report::permalink::{self, Content, Reference};
use report::{Source, Work};
use std::process::ExitCode;

pub(crate) fn run(arguments: &cli::Open) -> anyhow::Result<ExitCode> {
    if let Some(pull) = permalink::pull(&arguments.link) {
        bail!(
            "This link names pull request {} of {} and holds no diff: get it with `curl -L https://github.com/{}/pull/{}.diff`, then run `hunkwise review` on it.",
            pull.number,
            pull.repo,
            pull.repo,
            pull.number
        );
    }
    let link = permalink::decode(&arguments.link)?;
    match link.content {
        Content::Diff { text, .. } => show(arguments, text, &link.work, &link.profile),
        Content::Reference(reference) => bail!("{}", how_to_get(&reference)),
    }
}

fn show(
    arguments: &cli::Open,
    text: String,
    work: &Work,
    profile: &str,
) -> anyhow::Result<ExitCode> {
    let decoded = diff::Decoded {
        text,
        problems: Vec::new(),
    };
    let reviewed = review::review(&decoded, None, &arguments.names, &Source::default())?;
    let names = &reviewed.report.tool.profile;
    if names != profile {
        output::complain(&format!(
            "This link was made with the profile {profile:?}, and is reviewed here with {names:?}: findings may differ. Give that profile with --profile."
        ));
    }
    review::finish(&reviewed, work, &arguments.output)
}

fn how_to_get(reference: &Reference) -> String {
    let Reference {
        repo, base, head, ..
    } = reference;
    format!(
        "This link refers to a diff and does not hold it: get it with `curl -L https://github.com/{repo}/compare/{base}...{head}.diff`, or with `git diff {base}...{head}` in a clone of {repo}, then run `hunkwise review` on it."
    )
}
