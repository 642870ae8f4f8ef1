//! The site: both wasm modules, our JavaScript, the static files, and the vendored parser.

use crate::{checksums, headers, npm, wasm};
use anyhow::{Context, Result, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of npm packages that the site ships as they are.
const VENDORED: &[&str] = &[
    "web-tree-sitter/web-tree-sitter.js",
    "web-tree-sitter/web-tree-sitter.wasm",
    "tree-sitter-python/tree-sitter-python.wasm",
];

/// Scripts of web/ that wasm-bindgen puts beside the page's module.
const SNIPPETS: &[&str] = &["storage.js", "worker_client.js"];

/// Builds the site into target/site, which it returns.
pub(crate) fn build(root: &Path, profile: wasm::Profile) -> Result<PathBuf> {
    let site = wasm::target_folder(root).join("site");
    let web = root.join("web");
    let modules = npm::install(&web)?;
    checksums::check_vendored(&web, &modules, VENDORED)?;
    empty(&site)?;
    wasm::build(root, profile, &site)?;
    copy_scripts(&web, &site)?;
    copy_folder(&root.join("static"), &site)?;
    for file in VENDORED {
        copy_into(&modules.join(file), &site)?;
    }
    add_policy(&site.join("index.html"))?;
    Ok(site)
}

/// Makes a folder that exists and is empty.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Copies what a folder holds, sub-folders included.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("{} is missing.", from.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to.join(entry.file_name()))?;
        } else {
            copy_into(&entry.path(), to)?;
        }
    }
    Ok(())
}

/// Scripts that the page's module imports are among its snippets already.
fn copy_scripts(web: &Path, site: &Path) -> Result<()> {
    for entry in fs::read_dir(web)? {
        let path = entry?.path();
        let is_script = path.extension() == Some(OsStr::new("js"));
        let is_snippet = path
            .file_name()
            .is_some_and(|name| SNIPPETS.iter().any(|it| name == *it));
        if is_script && !is_snippet {
            copy_into(&path, site)?;
        }
    }
    Ok(())
}

fn copy_into(file: &Path, folder: &Path) -> Result<()> {
    let name = file.file_name().context("A file without a name.")?;
    fs::copy(file, folder.join(name)).with_context(|| format!("{} is missing.", file.display()))?;
    Ok(())
}

/// Puts the policy into the page too, for hosts that send no header.
fn add_policy(index: &Path) -> Result<()> {
    const HEAD: &str = "<head>";
    let page = fs::read_to_string(index).context("static/index.html is missing.")?;
    ensure!(page.contains(HEAD), "static/index.html has no <head>.");
    let head = format!("{HEAD}\n{}", headers::meta_tag());
    Ok(fs::write(index, page.replacen(HEAD, &head, 1))?)
}
