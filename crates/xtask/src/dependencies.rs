//! What others wrote and this project builds on: each is listed with its reason in crates/README.md.

use crate::command::{cargo, output};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const LIST: &str = "crates/README.md";
const HEADING: &str = "## What others wrote";

/// Folders with a package.json.
const NPM: [&str; 2] = ["web", "tests/browser"];

/// Who uses what, by its name.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Fails where the list and the manifests differ.
pub(crate) fn check(root: &Path) -> Result<()> {
    let readme =
        fs::read_to_string(root.join(LIST)).with_context(|| format!("{LIST} is missing."))?;
    let (listed, wanted) = (listed(&readme)?, used(root)?);
    let names: BTreeSet<&String> = listed.keys().chain(wanted.keys()).collect();
    let wrong: Vec<String> = names
        .into_iter()
        .filter(|name| listed.get(*name) != wanted.get(*name))
        .map(|name| {
            format!(
                "{name}: listed for {}, used by {}",
                told(listed.get(name)),
                told(wanted.get(name))
            )
        })
        .collect();
    ensure!(
        wrong.is_empty(),
        "{LIST} lists other dependencies than the manifests do.\n{}",
        wrong.join("\n")
    );
    Ok(())
}

fn told(users: Option<&BTreeSet<String>>) -> String {
    users.map_or_else(
        || "nothing".to_owned(),
        |users| {
            users
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", ")
        },
    )
}

/// Rows of the table `| dependency | used by | for |`, each with a reason.
fn listed(readme: &str) -> Result<Uses> {
    let (_, section) = readme
        .split_once(HEADING)
        .with_context(|| format!("{LIST} has no section {HEADING}."))?;
    let section = section.split("\n## ").next().unwrap_or(section);
    let mut listed = Uses::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, users, reason] = cells.as_slice() else {
            anyhow::bail!("{LIST} has a row of another form: {row}");
        };
        ensure!(!reason.is_empty(), "{LIST} gives no reason for {name}.");
        let users = users.split(", ").map(str::to_owned).collect();
        listed.insert(name.trim_matches('`').to_owned(), users);
    }
    Ok(listed)
}

fn used(root: &Path) -> Result<Uses> {
    let mut uses = Uses::new();
    let metadata =
        output(cargo(root).args("metadata --locked --no-deps --format-version 1".split(' ')))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    for package in array(&metadata, "packages") {
        for dependency in array(package, "dependencies").filter(|it| !it["source"].is_null()) {
            note(&mut uses, &dependency["name"], text(&package["name"]));
        }
    }
    for folder in NPM {
        let manifest: Value =
            serde_json::from_slice(&fs::read(root.join(folder).join("package.json"))?)?;
        for kind in ["dependencies", "devDependencies"] {
            let of_kind = manifest.get(kind).and_then(Value::as_object);
            for name in of_kind.into_iter().flat_map(|of| of.keys()) {
                note(&mut uses, &Value::from(name.as_str()), folder);
            }
        }
    }
    Ok(uses)
}

fn note(uses: &mut Uses, name: &Value, user: &str) {
    uses.entry(text(name).to_owned())
        .or_default()
        .insert(user.to_owned());
}

fn array<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::workspace_root;

    #[test]
    fn every_dependency_is_listed_with_its_users_and_its_reason() {
        check(&workspace_root().unwrap()).unwrap();
    }

    #[test]
    fn a_row_without_a_reason_is_refused() {
        let readme =
            format!("{HEADING}\n| dependency | used by | for |\n| `serde` | report |  |\n");
        assert!(listed(&readme).unwrap_err().to_string().contains("serde"));
    }
}
