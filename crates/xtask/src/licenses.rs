//! The licences of what the site ships and others wrote, as they ask for.

use crate::command::{cargo, output};
use crate::wasm::{MODULES, TARGET};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// npm packages whose files the site ships.
const VENDORED: &[&str] = &["tree-sitter-python", "web-tree-sitter"];

/// One text for the whole site; equal texts stand once, under all that they belong to.
pub(crate) fn text(root: &Path, node_modules: &Path) -> Result<String> {
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in VENDORED {
        let license = license_of(&node_modules.join(name))
            .with_context(|| format!("{name} carries no licence text."))?;
        owners
            .entry(license)
            .or_default()
            .insert((*name).to_owned());
    }
    let ours = fs::read_to_string(root.join("LICENSE-MIT"))?;
    owners
        .entry(of_the_standard_library(&ours)?)
        .or_default()
        .insert("the Rust standard library".to_owned());
    let linked = linked(root)?;
    for (name, license) in crates(root)? {
        if linked.contains(&name) {
            owners.entry(license).or_default().insert(name);
        }
    }
    let sections = owners.iter().map(|(license, names)| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("{}\n\n{}\n", names.join(", "), license.trim())
    });
    Ok(sections
        .collect::<Vec<_>>()
        .join(&format!("\n{}\n\n", "-".repeat(72))))
}

/// No package carries it, and it is linked into both modules. Under the same licence as ours, with its own holders.
fn of_the_standard_library(ours: &str) -> Result<String> {
    let holder = ours.lines().find(|line| line.starts_with("Copyright"));
    let holder = holder.context("LICENSE-MIT names no holder.")?;
    Ok(ours.replace(holder, "Copyright (c) The Rust Project Contributors"))
}

/// `name version` of every crate that the modules link; crates that only run while building are not among them.
fn linked(root: &Path) -> Result<BTreeSet<String>> {
    let mut command = cargo(root);
    command.args(["tree", "--locked", "--target", TARGET]);
    command.args("--edges normal,no-proc-macro --prefix none --format {p}".split(' '));
    for (package, _) in MODULES {
        command.args(["--package", package]);
    }
    let tree = output(&mut command)?;
    let name = |line: &str| {
        let (name, rest) = line.split_once(" v")?;
        Some(format!("{name} {}", rest.split(' ').next()?))
    };
    Ok(tree.lines().filter_map(name).collect())
}

/// The licence of every crate that is not ours, by `name version`.
fn crates(root: &Path) -> Result<BTreeMap<String, String>> {
    let metadata = output(cargo(root).args(["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    let packages = packages.into_iter().flatten();
    Ok(packages.filter_map(name_and_license).collect())
}

/// Nothing for a crate of ours, which has no source.
fn name_and_license(package: &Value) -> Option<(String, String)> {
    let text = |key: &str| package.get(key).and_then(Value::as_str);
    text("source")?;
    let folder = Path::new(text("manifest_path")?).parent()?;
    let license = license_of(folder).unwrap_or_else(|| {
        let (license, home) = (text("license"), text("repository"));
        format!(
            "Licensed under {}, without a text in the package. Source: {}",
            license.unwrap_or("an unnamed licence"),
            home.unwrap_or("not named"),
        )
    });
    Some((format!("{} {}", text("name")?, text("version")?), license))
}

/// The licence in a package's folder. Where there is a choice, the one that asks for the least.
fn license_of(folder: &Path) -> Option<String> {
    const NAMES: &[&str] = &[
        "LICENSE-MIT",
        "LICENSE-MIT.md",
        "LICENSE-MIT.txt",
        "LICENSE",
        "LICENSE.md",
        "LICENSE.txt",
        "LICENSE-APACHE",
    ];
    let mut texts = NAMES
        .iter()
        .filter_map(|name| fs::read_to_string(folder.join(name)).ok());
    Some(texts.next()?.replace("\r\n", "\n"))
}
