//! A finding as a SARIF result.

use super::{Rules, rule_id};
use crate::finding::{Finding, Severity, Side, Verdict};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};

/// The key of a finding's id among the partial fingerprints.
pub(super) const FINGERPRINT: &str = "hunkwise/1";

pub(super) fn level(severity: Severity, verdict: Verdict) -> &'static str {
    match (severity, verdict) {
        (Severity::Block, Verdict::Look) => "warning",
        (Severity::Block, _) => "error",
        (Severity::Flag, Verdict::Look) | (Severity::Nit, _) => "note",
        (Severity::Flag, _) => "warning",
    }
}

pub(super) fn result(finding: &Finding, rules: &Rules<'_>) -> Value {
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
pub(super) fn plain(text: &str) -> String {
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

pub(super) fn artifact(side: Side, path: &str) -> Value {
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

pub(super) fn uri(path: &str) -> String {
    utf8_percent_encode(path.trim_start_matches('/'), NOT_IN_PATHS).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_relative_addresses() {
        assert_eq!(uri("/a b/ü#1:2.py"), "a%20b/%C3%BC%231%3A2.py");
        assert_eq!(
            artifact(Side::Old, "a.py"),
            json!({"uri": "a.py", "uriBaseId": "BEFORE"})
        );
    }
}
