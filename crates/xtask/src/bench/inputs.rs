//! What the bench reviews: diffs made from the fixtures of the rules, always the same ones.

use super::edit::{Edited, Wheel, edited};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A diff, and the files that it leads to.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) diff: String,
    /// Whole new-side files by path; empty where they are not known.
    pub(crate) files: BTreeMap<String, String>,
}

/// Fixtures that make one file of a made diff, so that files are about as long as real ones.
const PARTS: usize = 8;

/// One file in so many is new.
const NEW_EACH: usize = 6;

/// A diff of at least `changed` added and deleted lines over as many files as that takes.
pub(crate) fn made(root: &Path, changed: usize) -> Result<Input> {
    let sources = sources(root)?;
    let mut wheel = Wheel::default();
    let mut input = Input {
        name: changed.to_string(),
        diff: String::new(),
        files: BTreeMap::new(),
    };
    let mut done = 0;
    for n in 0.. {
        if done >= changed {
            break;
        }
        let path = format!("service/part_{:02}/module_{n:04}.py", n % 40);
        let text = module(&sources, n);
        // A new file is one hunk, so a small diff has none: it would be nothing else.
        let is_new = n % NEW_EACH == NEW_EACH - 1 && changed - done > text.lines().count();
        let Edited { diff, n_changed } = edited(&path, &text, is_new, changed - done, &mut wheel);
        done += n_changed;
        input.diff.push_str(&diff);
        input.files.insert(path, text);
    }
    Ok(input)
}

/// A diff of the command line. Its new-side files lie in a folder of the same name without the ending.
pub(crate) fn given(file: &Path) -> Result<Input> {
    let diff = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut files = BTreeMap::new();
    let folder = file.with_extension("");
    if folder.is_dir() && folder != file {
        collect(&folder, &folder, &mut files)?;
    }
    let name = file.file_stem().unwrap_or_default();
    Ok(Input {
        name: name.to_string_lossy().into_owned(),
        diff: String::from_utf8_lossy(&diff).into_owned(),
        files,
    })
}

fn collect(top: &Path, folder: &Path, files: &mut BTreeMap<String, String>) -> Result<()> {
    for path in sorted(folder)? {
        if path.is_dir() {
            collect(top, &path, files)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            let name = path.strip_prefix(top).unwrap_or(&path);
            files.insert(name.to_string_lossy().replace('\\', "/"), text);
        }
    }
    Ok(())
}

/// The fixtures that are Python files, without their expectations.
fn sources(root: &Path) -> Result<Vec<String>> {
    let mut sources = Vec::new();
    let rules = root.join("tests/fixtures/rules");
    let folders = sorted(&rules)?.into_iter();
    for folder in folders.chain([root.join("tests/fixtures/python")]) {
        for file in sorted(&folder)? {
            if file.extension().is_some_and(|it| it == "py") {
                sources.push(without_expectations(&fs::read_to_string(file)?));
            }
        }
    }
    Ok(sources)
}

fn without_expectations(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("# path:"));
    let code = |line: &str| line.split("  # expect:").next().unwrap_or("").to_owned() + "\n";
    lines.map(code).collect()
}

/// The n-th file: some fixtures one after another, with names of its own, so that no two files are alike.
fn module(sources: &[String], n: usize) -> String {
    let parts = sources.iter().cycle().skip(n * PARTS).take(PARTS);
    let parts: Vec<&str> = parts.map(String::as_str).collect();
    renamed(&parts.join("\n\n"), n)
}

/// Gives every function and class that the text defines a number behind its name.
fn renamed(text: &str, n: usize) -> String {
    let defined: Vec<&str> = text.lines().filter_map(defined).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, word) = rest.split_at_checked(start).unwrap_or((rest, ""));
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        let (word, behind) = word.split_at_checked(end).unwrap_or((word, ""));
        out.push_str(before);
        out.push_str(word);
        if defined.contains(&word) {
            out.push_str(&format!("_{n}"));
        }
        rest = behind;
    }
    out + rest
}

fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line);
    let name = line
        .strip_prefix("def ")
        .or_else(|| line.strip_prefix("class "))?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    name.get(..end).filter(|name| !name.starts_with("__"))
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("{} is missing.", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::workspace_root;

    #[test]
    fn the_same_diff_is_made_twice_and_has_the_lines_that_were_asked_for() {
        let root = workspace_root().unwrap();
        let (one, other) = (made(&root, 1_000).unwrap(), made(&root, 1_000).unwrap());
        assert_eq!(one.diff, other.diff);
        let is_changed = |line: &&str| {
            let is_header = line.starts_with("+++ ") || line.starts_with("--- ");
            !is_header && line.starts_with(['+', '-'])
        };
        let changed = one.diff.lines().filter(is_changed).count();
        assert!((1_000..1_100).contains(&changed), "{changed}");
    }

    #[test]
    fn defined_names_get_a_number_wherever_they_stand() {
        let text = "class Pool:\n    def take(self): ...\ntaken = Pool().take()\n";
        let expected = "class Pool_7:\n    def take_7(self): ...\ntaken = Pool_7().take_7()\n";
        assert_eq!(renamed(text, 7), expected);
    }
}
