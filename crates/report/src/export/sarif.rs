//! The report as SARIF 2.1.0, for code hosts and editors.
//!
//! A look is a result too, one level lower than a violation and marked in its text: SARIF's own kind `review` forbids a level,
//! and viewers would drop it. A line of the old side has its own base, `BEFORE`, so that nobody takes it for a line of the new file.

use super::pull_url;
use crate::finding::{Finding, Severity, Side, Verdict};
use crate::model::{Problem, Report, Source};
use crate::work::Work;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The key of a finding's id among the partial fingerprints.
const FINGERPRINT: &str = "hunkwise/1";

/// The report as SARIF, with NITs only where `nits` asks for them.
pub fn sarif(report: &Report, work: &Work, nits: bool) -> String {
    let report = work.apply(report);
    let findings: Vec<&Finding> = report
        .findings
        .iter()
        .filter(|it| nits || it.severity != Severity::Nit)
        .collect();
    let rules = rule_ids(&findings);
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
fn rule_ids<'a>(findings: &[&'a Finding]) -> BTreeMap<(u8, &'a str), &'a Finding> {
    let mut rules = BTreeMap::new();
    for finding in findings {
        rules
            .entry((finding.rule, finding.check.as_str()))
            .or_insert(*finding);
    }
    rules
}

type Rules<'a> = BTreeMap<(u8, &'a str), &'a Finding>;

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

fn level(severity: Severity, verdict: Verdict) -> &'static str {
    match (severity, verdict) {
        (Severity::Block, Verdict::Look) => "warning",
        (Severity::Block, _) => "error",
        (Severity::Flag, Verdict::Look) | (Severity::Nit, _) => "note",
        (Severity::Flag, _) => "warning",
    }
}

fn result(finding: &Finding, rules: &Rules<'_>) -> Value {
    let key = (finding.rule, finding.check.as_str());
    let mut result = json!({
        "ruleId": rule_id(finding),
        "ruleIndex": rules.keys().position(|rule| *rule == key),
        "level": level(finding.severity, finding.verdict),
        "message": {"text": message(finding)},
        "locations": [{"physicalLocation": {
            "artifactLocation": artifact(finding.side, &finding.path),
            "region": {
                "startLine": finding.line.max(1),
                "startColumn": finding.column.max(1),
                "endLine": finding.end_line.max(finding.line).max(1),
                "endColumn": finding.end_column.max(1),
            },
        }}],
        "relatedLocations": related(finding),
        "partialFingerprints": {FINGERPRINT: finding.id},
        "properties": properties(finding),
    });
    if let (Some(object), Some(suppression)) = (result.as_object_mut(), suppression(finding)) {
        object.insert("suppressions".to_owned(), json!([suppression]));
    }
    result
}

fn message(finding: &Finding) -> String {
    let lead = match (finding.verdict, finding.side) {
        (Verdict::Look, _) => "To look at: ",
        (_, Side::Old) => "In the removed code: ",
        _ => "",
    };
    plain(&format!(
        "{lead}{} {} {}",
        finding.message, finding.why, finding.ask
    ))
}

/// Text in which a viewer finds no link: `[a](1)` would be one.
fn plain(text: &str) -> String {
    text.replace("](", "] (")
}

fn properties(finding: &Finding) -> Value {
    let mut properties = Map::new();
    properties.insert("verdict".to_owned(), json!(finding.verdict));
    properties.insert("side".to_owned(), json!(finding.side));
    properties.insert("alsoRules".to_owned(), json!(finding.also));
    properties.insert("references".to_owned(), json!(finding.references));
    if let Some(commit) = finding.commit {
        properties.insert("commit".to_owned(), json!(commit));
    }
    Value::Object(properties)
}

fn related(finding: &Finding) -> Vec<Value> {
    (1..)
        .zip(&finding.related)
        .map(|(id, place): (u32, _)| {
            json!({
                "id": id,
                "message": {"text": plain(&place.note)},
                "physicalLocation": {
                    "artifactLocation": artifact(place.side, &place.path),
                    "region": {"startLine": place.line.max(1), "endLine": place.end_line.max(place.line).max(1)},
                },
            })
        })
        .collect()
}

/// Excused and existing findings are suppressed: decided outside of the tool's own findings, with the reason.
fn suppression(finding: &Finding) -> Option<Value> {
    let otherwise = match finding.verdict {
        Verdict::Violation | Verdict::Look => return None,
        Verdict::Excused => "Excused.",
        Verdict::Existing => "It was there before the change.",
    };
    let justification = finding.reason.as_deref().unwrap_or(otherwise);
    Some(json!({"kind": "external", "status": "accepted", "justification": justification}))
}

fn artifact(side: Side, path: &str) -> Value {
    let base = match side {
        Side::New => "AFTER",
        Side::Old => "BEFORE",
    };
    json!({"uri": uri(path), "uriBaseId": base})
}

/// What may not stand raw in a relative URI. A colon in the first part would look like a scheme.
const NOT_IN_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b':')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

fn uri(path: &str) -> String {
    utf8_percent_encode(path.trim_start_matches('/'), NOT_IN_PATHS).to_string()
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
    fn paths_become_relative_addresses() {
        assert_eq!(uri("/a b/ü#1:2.py"), "a%20b/%C3%BC%231%3A2.py");
        assert_eq!(
            artifact(Side::Old, "a.py"),
            json!({"uri": "a.py", "uriBaseId": "BEFORE"})
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
