//! Whole-file context: the new-side files of a diff, read from a checkout.

use anyhow::ensure;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// The text of each Python file that the diff's new side names and the folder holds.
/// A file that is not there, or is no text, is left out: the review falls back to its hunks.
pub(crate) fn files(root: &Path, diff: &str) -> anyhow::Result<BTreeMap<String, String>> {
    ensure!(root.is_dir(), "--root {} is no folder", root.display());
    let patch = diff::parse(diff);
    let paths = patch.files.iter().filter_map(|file| file.new_path.as_ref());
    let files = paths
        .filter(|path| review::is_python(path) && stays_inside(path))
        .filter_map(|path| Some((path.clone(), read(&root.join(path))?)));
    Ok(files.collect())
}

fn read(path: &Path) -> Option<String> {
    std::fs::read(path)
        .ok()
        .map(|bytes| diff::decode(&bytes).text)
}

/// A diff is foreign text: its paths must not lead out of the folder.
fn stays_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}
