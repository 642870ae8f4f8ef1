//! What becomes of fragments: fixtures for each way in which a hunk can start and end, damage, and whole files.

use super::{Document, Sourced, document};
use crate::dump::listing;
use report::Side;
use std::path::Path;
use syntax::Tree;

fn sourced(diff: &str, side: Side, whole: Option<&str>) -> Sourced {
    let mut parser = native::Parser::new().unwrap();
    let patch = diff::parse(diff);
    document(&patch.files[0], &patch, side, whole, &mut |text| {
        parser.parse(text)
    })
}

/// `kind text` for each node with the first line of its text.
fn seen(document: &Document, tree: &Tree) -> Vec<String> {
    let nodes = tree.nodes().filter(|&node| tree.is_named(node));
    nodes
        .map(|node| {
            let text = tree.text(node, &document.text);
            format!(
                "{} {}",
                tree.kind(node).name(),
                text.lines().next().unwrap_or("")
            )
        })
        .collect()
}

#[test]
fn fixtures_of_fragments() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/fragments");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "diff")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let sourced = sourced(&text, Side::New, None);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        check_expectations(&name, &text, &sourced);
        settings.bind(|| insta::assert_snapshot!(name.clone(), listing(&sourced.document)));
    }
}

/// `# sees KIND TEXT` and `# hides KIND TEXT` in front of the diff: nodes that must be there or must not.
#[track_caller]
fn check_expectations(name: &str, text: &str, sourced: &Sourced) {
    let seen = seen(&sourced.document, &sourced.tree);
    let has = |wanted: &str| seen.iter().any(|node| node.starts_with(wanted));
    for line in text.lines().take_while(|line| line.starts_with('#')) {
        if let Some(wanted) = line.strip_prefix("# sees ") {
            assert!(has(wanted), "{name} lacks {wanted}: {seen:#?}");
        }
        if let Some(unwanted) = line.strip_prefix("# hides ") {
            assert!(!has(unwanted), "{name} has {unwanted}");
        }
    }
    assert_eq!(sourced.problems, [], "{name}");
    let broken = seen.iter().find(|node| node.starts_with("ERROR"));
    assert_eq!(broken, None, "{name}");
}
