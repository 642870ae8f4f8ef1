//! The rules' fixtures, one folder a rule. Run one rule's with `cargo test -p tests r04`.

use std::collections::BTreeSet;
use std::path::Path;
use tests::fixtures;

#[track_caller]
fn check(folder: &str) {
    let fixtures = fixtures(&format!("rules/{folder}")).unwrap();
    let mut told = Vec::new();
    for fixture in &fixtures {
        let failures = fixture.failures().unwrap();
        told.extend(failures.iter().map(|failure| {
            let name = fixture.path.file_name().unwrap_or_default();
            format!("{}: {failure}", name.display())
        }));
    }
    assert!(!fixtures.is_empty(), "no fixtures in {folder}");
    assert!(told.is_empty(), "\n{}\n", told.join("\n"));
}

macro_rules! rules {
    ($($folder:ident)*) => {
        const FOLDERS: &[&str] = &[$(stringify!($folder)),*];

        $(
            #[test]
            fn $folder() {
                check(stringify!($folder));
            }
        )*
    };
}

// One line a folder of `fixtures/rules`.
rules! {
    across
    conclude
    r01
    r02
    r03
    r04
    r05
    r06
    r07
    r08
    r09
    r10
}

#[test]
fn every_folder_is_run() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules");
    let entries = rules
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let there: BTreeSet<String> = entries.map(|name| name.into_string().unwrap()).collect();
    let run: BTreeSet<String> = FOLDERS.iter().map(|&folder| folder.to_owned()).collect();
    assert_eq!(there, run);
}
