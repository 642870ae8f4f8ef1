//! What the SARIF export promises to code hosts and editors: it is valid by the published schema, whatever was reviewed.

use jsonschema::Validator;
use report::{Report, Source, Work, export};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use tests::{fixtures, review};

/// The schema of SARIF 2.1.0 as its makers publish it.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let text = std::fs::read_to_string(package("serde-sarif").join("src/schema.json")).unwrap();
    // The pattern of a language's name has a bracket too many, and is no expression so.
    let schema: Value = serde_json::from_str(&text.replace("{2}]?$", "{2}$")).unwrap();
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).unwrap()
});

/// The folder of a package that this one depends on.
fn package(name: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|it| it["name"] == name).unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_path_buf()
}

#[track_caller]
fn check(name: &str, report: &Report, work: &Work) {
    for nits in [false, true] {
        let log: Value = serde_json::from_str(&export::sarif(report, work, nits)).unwrap();
        let errors: Vec<String> = SCHEMA
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}\n{}", errors.join("\n"));
    }
}

#[test]
fn every_fixtures_report_is_valid() {
    for fixture in fixtures("rules").unwrap() {
        let report = review(&fixture.diff).unwrap();
        check(
            &fixture.path.display().to_string(),
            &report,
            &Work::default(),
        );
    }
}

#[test]
fn odd_paths_a_known_source_and_dismissals_are_valid() {
    let path = "/a b/#1 [é]:%2f\\\"^`{|}.py";
    let code = "import concurrent.futures as f\npool = f.ThreadPoolExecutor()\ndef handle(x):\n    return pool.submit(x).result()\n";
    let mut report = review(&tests::new_file("handler.py", code)).unwrap();
    assert!(!report.findings.is_empty());
    let reasons: BTreeMap<&str, &str> = report
        .findings
        .iter()
        .map(|finding| (finding.id.as_str(), "settled"))
        .collect();
    let work = export::work_from_json(&serde_json::to_string(&reasons).unwrap()).unwrap();
    for finding in &mut report.findings {
        finding.path = path.to_owned();
    }
    report.source = Source {
        repo: Some("acme/serve".to_owned()),
        pull: Some(7),
        base: Some("0a1b2c3".to_owned()),
        head: Some("4d5e6f7".to_owned()),
    };
    check("odd", &report, &work);
    check("no diff", &review("prose").unwrap(), &work);
}

#[test]
fn the_schema_refuses_what_is_no_sarif() {
    let log: Value = serde_json::from_str(r#"{"version": "2.1.0", "runs": [{}]}"#).unwrap();
    assert!(!SCHEMA.is_valid(&log));
}
