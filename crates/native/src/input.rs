//! What the command reads: a diff, a profile, a team's dismissals.

use crate::cli::Names;
use anyhow::Context as _;
use report::export::work_from_json;
use report::{Decision, Work};
use std::io::Read as _;
use std::path::Path;

/// The diff in a file, or on standard input for `-`, decoded.
pub(crate) fn diff(file: &Path) -> anyhow::Result<diff::Decoded> {
    Ok(diff::decode(&bytes(file)?))
}

fn bytes(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
        return Ok(bytes);
    }
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The names to review by: the built-in ones, or those of a file.
pub(crate) fn profile(names: &Names) -> anyhow::Result<topic::Profile> {
    let Some(file) = &names.profile else {
        return Ok(topic::Profile::builtin());
    };
    topic::Profile::from_json(&text(file)?).with_context(|| file.display().to_string())
}

/// What the team has dismissed: an object with a reason by finding id, or a saved review.
pub(crate) fn dismissals(names: &Names) -> anyhow::Result<Vec<review::Dismissal>> {
    let Some(file) = &names.dismissals else {
        return Ok(Vec::new());
    };
    let of_file = || format!("{} holds no dismissals", file.display());
    let work = work_from_json(&text(file)?).with_context(of_file)?;
    Ok(of_work(&work))
}

fn text(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

fn of_work(work: &Work) -> Vec<review::Dismissal> {
    let dismissed = work
        .findings
        .iter()
        .filter(|(_, work)| work.decision == Decision::Dismissed);
    dismissed
        .map(|(id, work)| review::Dismissal {
            id: id.clone(),
            reason: work.reason.clone(),
        })
        .collect()
}
