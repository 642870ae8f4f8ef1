//! A whole change: first what it is, then its diff; where it is too large for one, the list of its files.

use super::ask::Asker;
use super::whole_files::whole_file;
use crate::github::address::is_sha;
use crate::github::request::{self, Media, PER_PAGE};
use crate::github::{
    ChangedFile, Commit, Compare, Pull, Refusal, Repo, Target, is_new_without_lines, of_new,
    rebuild, title,
};
use crate::state::{Fetched, Stage};
use crate::words::{count, thousands};
use yew::Callback;

/// Files up to which the API gives a diff.
const DIFF_FILES: u32 = 300;

/// Files that the API lists of a pull request or a commit.
const LISTED: u32 = 3_000;

/// New files whose lines are fetched one by one.
const COMPLETED: usize = 20;

/// What the text was fetched from, and the text.
pub(crate) type Change = (Fetched, String);

pub(crate) async fn fetch_change(
    asker: &Asker,
    target: &Target,
    stage: &Callback<Stage>,
) -> Result<Change, Refusal> {
    let (mut fetched, size, first) = name(asker, target).await?;
    stage.emit(Stage::Diff);
    let text = match diff(asker, target, size).await {
        Err(Refusal::TooLarge) => {
            let mut list = match first {
                Some(files) => files,
                None => list(asker, target, size, stage).await?,
            };
            complete(asker, &fetched, &mut list).await;
            fetched.left_out = left_out(target, size, &list);
            let rebuilt = rebuild(&list);
            fetched.without_patch = rebuilt.without_patch;
            rebuilt.text
        }
        text => text?,
    };
    if text.trim().is_empty() {
        return Err(Refusal::Nothing);
    }
    Ok((fetched, text))
}

/// What the change is, how many files it has where that is told, and its files where no other list has them.
async fn name(
    asker: &Asker,
    target: &Target,
) -> Result<(Fetched, Option<u32>, Option<Vec<ChangedFile>>), Refusal> {
    let url = request::change(target);
    let unnamed = Fetched::new(target);
    match target {
        Target::Pull { repo, number } => {
            let pull: Pull = asker.json(&url).await?;
            let named = |repo: Option<Repo>| repo.map(|repo| repo.full_name);
            // As GitHub spells it, whatever was typed: the review is known again by it.
            let repo = named(pull.base.repo).unwrap_or_else(|| repo.clone());
            let fetched = Fetched {
                pull: Some(*number),
                base: Some(pull.base.sha),
                head: pull.head.sha,
                head_repo: named(pull.head.repo).unwrap_or_else(|| repo.clone()),
                repo,
                title: pull.title,
                ..unnamed
            };
            Ok((fetched, Some(pull.changed_files), None))
        }
        Target::Commit { .. } => {
            let commit: Commit = asker.json(&url).await?;
            let fetched = Fetched {
                base: commit.parents.into_iter().next().map(|parent| parent.sha),
                head: commit.sha,
                title: title(&commit.commit.message),
                ..unnamed
            };
            Ok((fetched, None, None))
        }
        Target::Compare { head, pull, .. } => {
            let compare: Compare = asker.json(&url).await?;
            let last = compare.commits.into_iter().next_back();
            let fetched = Fetched {
                pull: *pull,
                base: Some(compare.merge_base_commit.sha),
                // The head may be given as the name of a branch.
                head: match last {
                    Some(commit) if !is_sha(head) => commit.sha,
                    _ => head.clone(),
                },
                ..unnamed
            };
            Ok((fetched, None, Some(compare.files)))
        }
    }
}

async fn diff(asker: &Asker, target: &Target, size: Option<u32>) -> Result<String, Refusal> {
    if size.is_some_and(|size| size > DIFF_FILES) {
        return Err(Refusal::TooLarge);
    }
    asker.text(&request::change(target), Media::Diff).await
}

/// The files, page after page.
async fn list(
    asker: &Asker,
    target: &Target,
    size: Option<u32>,
    stage: &Callback<Stage>,
) -> Result<Vec<ChangedFile>, Refusal> {
    let mut files = Vec::new();
    let total = size.unwrap_or(0).min(LISTED);
    for page in 1..=LISTED / PER_PAGE {
        let done = files.len() as u32;
        stage.emit(Stage::Files { done, total });
        let url = request::files(target, page);
        let more = match target {
            Target::Pull { .. } => asker.json::<Vec<ChangedFile>>(&url).await?,
            _ => asker.json::<Commit>(&url).await?.files,
        };
        let is_short = more.len() < PER_PAGE as usize;
        // A page that begins with what is there already would begin so for ever.
        let repeats = more.first().is_some_and(|file| {
            files
                .first()
                .is_some_and(|first: &ChangedFile| first.filename == file.filename)
        });
        if !repeats {
            files.extend(more);
        }
        if is_short || repeats || size.is_some_and(|size| files.len() >= size as usize) {
            break;
        }
    }
    Ok(files)
}

/// Fetches the lines of new files that the list has none for. What cannot be had stays without.
async fn complete(asker: &Asker, fetched: &Fetched, list: &mut [ChangedFile]) {
    let lacking = list.iter_mut().filter(|file| is_new_without_lines(file));
    for file in lacking.take(COMPLETED) {
        if let Ok(text) = whole_file(asker, fetched, &file.filename).await {
            file.patch = (!text.is_empty()).then(|| of_new(&text));
        }
    }
}

/// Whether the list holds all files of the change, as far as GitHub says.
fn left_out(target: &Target, size: Option<u32>, list: &[ChangedFile]) -> Vec<String> {
    let listed = list.len() as u32;
    let sentence = match (target, size) {
        (_, Some(size)) if size > listed => format!(
            "GitHub lists only {} of the {} files of this change; {} were not read. A diff made with git holds all.",
            thousands(listed as usize),
            thousands(size as usize),
            count((size - listed) as usize, "file"),
        ),
        (Target::Commit { .. }, _) if listed >= LISTED => {
            "GitHub lists no more than 3,000 files of a commit, so some may be missing. A diff made with git holds all."
                .to_owned()
        }
        (Target::Compare { .. }, _) if listed >= DIFF_FILES => {
            "GitHub lists no more than 300 files of a comparison, so some may be missing. A diff made with git holds all."
                .to_owned()
        }
        _ => return Vec::new(),
    };
    vec![sentence]
}
