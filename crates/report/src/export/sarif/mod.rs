//! The report as SARIF 2.1.0, for code hosts and editors.
//!
//! A look is a result too, one level lower than a violation and marked in its text: SARIF's own kind `review` forbids a level,
//! and viewers would drop it. A line of the old side has its own base, `BEFORE`, so that nobody takes it for a line of the new file.

mod result;

use super::pull_url;
use crate::finding::{Finding, Severity, Side, Verdict};
use crate::model::{Problem, Report, Source};
use crate::work::Work;
use result::{artifact, level, plain, result, uri};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The report as SARIF, with NITs only where `nits` asks for them.
pub fn sarif(report: &Report, work: &Work, nits: bool) -> String {
    let report = work.apply(report);
    let findings: Vec<&Finding> = report
        .findings
        .iter()
        .filter(|it| nits || it.severity != Severity::Nit)
        .collect();
    let rules = rules(&findings);
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [run(&report, &findings, &rules)],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// The checks that occur, in order, with a finding of each; a result refers to one by its place here.
type Rules<'a> = BTreeMap<(u8, &'a str), &'a Finding>;

fn rules<'a>(findings: &[&'a Finding]) -> Rules<'a> {
    let mut rules = BTreeMap::new();
    for finding in findings {
        rules
            .entry((finding.rule, finding.check.as_str()))
            .or_insert(*finding);
    }
    rules
}

fn run(report: &Report, findings: &[&Finding], rules: &Rules<'_>) -> Value {
    let tool = &report.tool;
    let mut run = json!({
        "tool": {"driver": {
            "name": "Hunkwise",
            "version": tool.version,
            "rules": rules.values().map(|finding| rule(report, finding)).collect::<Vec<_>>(),
            "properties": {"topic": tool.topic, "topicVersion": tool.topic_version, "profile": tool.profile},
        }},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {
            "AFTER": {"description": {"text": "The new side of the diff."}},
            "BEFORE": {"description": {"text": "The old side of the diff."}},
        },
        "invocations": [{
            "executionSuccessful": true,
            "toolExecutionNotifications": report.problems.iter().map(notification).collect::<Vec<_>>(),
        }],
        "results": findings.iter().map(|finding| result(finding, rules)).collect::<Vec<_>>(),
    });
    if let (Some(object), Some(provenance)) = (run.as_object_mut(), provenance(&report.source)) {
        object.insert("versionControlProvenance".to_owned(), json!([provenance]));
    }
    run
}

/// Metadata of a check. Its title is that of its checklist line.
fn rule(report: &Report, finding: &Finding) -> Value {
    let title = report
        .checklist
        .iter()
        .find(|line| line.rule == finding.rule)
        .map_or(finding.check.as_str(), |line| &line.title);
    let mut rule = json!({
        "id": rule_id(finding),
        "name": camel(&finding.check),
        "shortDescription": {"text": finding.check.replace('-', " ")},
        "fullDescription": {"text": title},
        "help": {"text": format!("{title}. {}", finding.why)},
        "defaultConfiguration": {"level": level(finding.severity, Verdict::Violation)},
        "properties": {"rule": finding.rule, "severity": finding.severity, "tags": ["concurrency", format!("R{}", finding.rule)]},
    });
    if let (Some(object), Some(&pull)) = (rule.as_object_mut(), finding.references.first()) {
        object.insert("helpUri".to_owned(), json!(pull_url(pull)));
    }
    rule
}

fn rule_id(finding: &Finding) -> String {
    format!("R{}/{}", finding.rule, finding.check)
}

/// `unbounded-result` as `UnboundedResult`.
fn camel(check: &str) -> String {
    check
        .split('-')
        .filter_map(|word| {
            let mut chars = word.chars();
            Some(chars.next()?.to_uppercase().collect::<String>() + chars.as_str())
        })
        .collect()
}

fn notification(problem: &Problem) -> Value {
    let mut notification = json!({
        "level": "warning",
        "descriptor": {"id": problem.kind},
        "message": {"text": plain(&problem.message)},
    });
    if let (Some(object), Some(path)) = (notification.as_object_mut(), &problem.path) {
        let location = json!({"physicalLocation": {"artifactLocation": artifact(Side::New, path)}});
        object.insert("locations".to_owned(), json!([location]));
    }
    notification
}

fn provenance(source: &Source) -> Option<Value> {
    let mut provenance = Map::new();
    let address = format!("https://github.com/{}", uri(source.repo.as_deref()?));
    provenance.insert("repositoryUri".to_owned(), json!(address));
    if let Some(head) = &source.head {
        provenance.insert("revisionId".to_owned(), json!(head));
    }
    Some(Value::Object(provenance))
}

#[cfg(test)]
mod tests {
    use super::result::FINGERPRINT;
    use super::*;
    use crate::export::sample;

    fn log(report: &Report, nits: bool) -> Value {
        serde_json::from_str(&sarif(report, &Work::default(), nits)).unwrap()
    }

    fn results(log: &Value) -> Vec<&Value> {
        log["runs"][0]["results"]
            .as_array()
            .unwrap()
            .iter()
            .collect()
    }

    #[test]
    fn each_result_has_what_the_schema_requires() {
        let log = log(&sample::report(), true);
        assert_eq!(log["version"], "2.1.0");
        let driver = &log["runs"][0]["tool"]["driver"];
        assert!(driver["name"].is_string());
        assert_eq!(log["runs"][0]["columnKind"], "utf16CodeUnits");
        for result in results(&log) {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
            assert!(result["message"]["text"].is_string());
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            let place = &result["locations"][0]["physicalLocation"];
            assert!(place["artifactLocation"]["uri"].is_string());
            assert!(place["region"]["startLine"].as_u64() >= Some(1));
            assert!(result["partialFingerprints"][FINGERPRINT].is_string());
        }
    }

    #[test]
    fn nits_are_asked_for() {
        let ids = |log: &Value| {
            results(log)
                .iter()
                .map(|it| {
                    it["partialFingerprints"][FINGERPRINT]
                        .as_str()
                        .unwrap()
                        .to_owned()
                })
                .collect::<Vec<_>>()
        };
        let report = sample::report();
        assert_eq!(
            ids(&log(&report, false)),
            ["f-block", "f-flag", "f-look", "f-excused"]
        );
        assert_eq!(ids(&log(&report, true)).len(), 6);
    }

    #[test]
    fn folded_findings_are_suppressed_with_their_reason() {
        for result in results(&log(&sample::report(), true)) {
            let folded = ["excused", "existing"]
                .contains(&result["properties"]["verdict"].as_str().unwrap());
            assert_eq!(
                result["suppressions"][0]["justification"].is_string(),
                folded,
                "{result}"
            );
        }
    }

    #[test]
    fn a_look_weighs_less_and_says_so() {
        let log = log(&sample::report(), true);
        let look = results(&log)
            .into_iter()
            .find(|it| it["properties"]["verdict"] == "look")
            .unwrap();
        assert_eq!(look["level"], "note");
        assert!(
            look["message"]["text"]
                .as_str()
                .unwrap()
                .starts_with("To look at: ")
        );
    }

    #[test]
    fn problems_are_notifications() {
        let log = log(&sample::report(), true);
        let told = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(told["message"]["text"], "The text ends inside a hunk.");
        assert_eq!(
            told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "serve/cut.py"
        );
    }
}
