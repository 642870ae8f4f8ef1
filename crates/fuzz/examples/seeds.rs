//! Writes the texts that fuzzing begins with: the project's own fixtures, each as its target takes it.

use anyhow::Context as _;
use report::permalink;
use report::{Decision, FindingWork, Work, export};
use std::fs;
use std::path::Path;

/// Longer texts slow every run down and show the fuzzer nothing that shorter ones do not.
const LONGEST: usize = 8 << 10;

fn main() -> anyhow::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixtures = here.join("../../tests/fixtures");
    let mut diffs = files(&fixtures.join("diff"), "diff")?;
    diffs.retain(|diff| diff.len() <= LONGEST);
    let reviewed: Vec<String> = tests::fixtures("rules")?
        .into_iter()
        .map(|it| it.diff)
        .collect();
    let rules = reviewed.iter().map(|text| text.clone().into_bytes());
    diffs.extend(rules.filter(|diff| diff.len() <= LONGEST));
    write(&here.join("corpus/reader"), &diffs)?;
    write(&here.join("corpus/review"), &diffs)?;
    write(&here.join("corpus/import"), &documents(&reviewed)?)?;
    write(&here.join("corpus/link"), &links(&fixtures.join("links"))?)
}

/// What the link target takes is told apart by its first bytes, so each text stands there for each of its cases.
fn links(folder: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    for text in files(folder, "txt")?
        .into_iter()
        .chain(files(folder, "json")?)
    {
        for case in [0_u8, 0x60, 0xc0] {
            let mut seed = vec![0, 0, 0, case];
            seed.extend(&text);
            seeds.push(seed);
        }
    }
    Ok(seeds)
}

/// Saved reviews with and without work, work alone, dismissals, and a profile with a value in each part.
fn documents(reviewed: &[String]) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut documents = vec![PROFILE.to_owned()];
    for (at, text) in reviewed.iter().enumerate().step_by(12) {
        let report = tests::review(text)?;
        let mut work = Work::default();
        for finding in &report.findings {
            let dismissed = FindingWork {
                decision: Decision::Dismissed,
                reason: "bounded by its caller".to_owned(),
                ..FindingWork::default()
            };
            work.findings.insert(finding.id.clone(), dismissed);
        }
        documents.push(match at % 3 {
            0 => export::json(&report, &Work::default()),
            1 => export::json(&report, &work),
            _ => export::json_with_diff(&report, &work, text),
        });
    }
    let recorded = permalink::decode(include_str!(
        "../../../tests/fixtures/links/v1-diff-with-work.txt"
    ))?;
    documents.push(export::json(&tests::review(fuzz::SAMPLE)?, &recorded.work));
    documents.push(
        r#"{"schema": "hunkwise.work/1", "lines": {"R1": {"answer": "checked", "note": "n"}}}"#
            .to_owned(),
    );
    documents.push(r#"{"0123456789abcdef": "bounded by its caller"}"#.to_owned());
    documents.retain(|text| text.len() <= 3 * LONGEST);
    Ok(documents.into_iter().map(String::into_bytes).collect())
}

const PROFILE: &str = r#"{"name": "ours", "locks": {}, "futures": {}, "cache": {}, "keys": {}, "containers": {}, "outage": {},
"torchscript": {}, "leaky_constructors": [], "shared_helpers": [], "places": {}}"#;

fn files(folder: &Path, end: &str) -> anyhow::Result<Vec<Vec<u8>>> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|it| it == end));
    paths.sort();
    paths.iter().map(|path| Ok(fs::read(path)?)).collect()
}

fn write(folder: &Path, seeds: &[Vec<u8>]) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    for (at, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{at:03}")), seed)?;
    }
    println!("{} seeds in {}", seeds.len(), folder.display());
    Ok(())
}
