//! What the command reads: a diff, a profile, a team's dismissals.

use crate::cli::Names;
use anyhow::{Context as _, bail};
use report::export::work_from_json;
use report::{Decision, Work};
use std::collections::BTreeMap;
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
    serde_json::from_str(&text(file)?)
        .with_context(|| format!("{} is not a profile", file.display()))
}

/// What the team has dismissed.
pub(crate) fn dismissals(names: &Names) -> anyhow::Result<Vec<review::Dismissal>> {
    let Some(file) = &names.dismissals else {
        return Ok(Vec::new());
    };
    let text = text(file)?;
    let of_file = || format!("{} holds no dismissals", file.display());
    dismissed(&text).with_context(of_file)
}

fn text(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// A `hunkwise.work/1` document, a report that carries one, or an object with a reason by id.
fn dismissed(text: &str) -> anyhow::Result<Vec<review::Dismissal>> {
    let value: serde_json::Value = serde_json::from_str(text).context("it is not JSON")?;
    if value.get("schema").is_some() {
        return Ok(of_work(&work_from_json(text)?));
    }
    let Ok(reasons) = serde_json::from_value::<BTreeMap<String, String>>(value) else {
        bail!("give an object with a reason by finding id, or a saved review");
    };
    let dismissal = |(id, reason)| review::Dismissal { id, reason };
    Ok(reasons.into_iter().map(dismissal).collect())
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
