//! The report as `hunkwise.report/1`, and back.

use crate::model::{Report, SCHEMA};
use crate::work::{Decision, FindingWork, WORK_SCHEMA, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The report as indented JSON with a newline at its end. Work that is not empty stands beside it as `work`.
pub fn json(report: &Report, work: &Work) -> String {
    written(report, work, None)
}

/// The same with the diff beside it, so that whoever opens it sees the findings at their lines.
pub fn json_with_diff(report: &Report, work: &Work, diff: &str) -> String {
    written(report, work, Some(diff))
}

fn written(report: &Report, work: &Work, diff: Option<&str>) -> String {
    let document = Document {
        report,
        work: (!work.is_empty()).then_some(work),
        diff,
    };
    // Maps of these types have string keys and no value refuses to be serialised, so the fallback is never taken.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// What [`json`] and [`json_with_diff`] write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub report: Report,
    pub work: Work,
    pub diff: Option<String>,
}

/// A document of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    Review(Box<Saved>),
    Work(Box<Work>),
}

/// The document of ours that a text is, or why it cannot be read; none where it is something else, such as a diff.
pub fn read(text: &str) -> Option<Result<Read, ReadError>> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    match serde_json::from_str::<Header>(text) {
        Ok(Header { schema }) if schema == SCHEMA => {
            Some(from_json(text).map(|saved| Read::Review(Box::new(saved))))
        }
        Ok(Header { schema }) if !schema.starts_with("hunkwise.") => None,
        Ok(_) => Some(work_from_json(text).map(|work| Read::Work(Box::new(work)))),
        Err(_) => reasons(text).map(|reasons| Ok(Read::Work(Box::new(dismissed(reasons))))),
    }
}

/// Reads what [`json`] or [`json_with_diff`] wrote. Keys that this version does not know are ignored.
pub fn from_json(text: &str) -> Result<Saved, ReadError> {
    let Header { schema } = serde_json::from_str(text).map_err(not_ours)?;
    known(&schema, SCHEMA)?;
    let report = serde_json::from_str(text).map_err(not_ours)?;
    let Beside { work, diff } = serde_json::from_str(text).map_err(not_ours)?;
    let work = work.unwrap_or_default();
    known(&work.schema, WORK_SCHEMA)?;
    Ok(Saved { report, work, diff })
}

/// Reads the work alone: out of a `hunkwise.work/1` document, out of a report that carries one,
/// or out of an object with a reason by finding id. This is how a team keeps its dismissals.
pub fn work_from_json(text: &str) -> Result<Work, ReadError> {
    match serde_json::from_str(text) {
        Ok(Header { schema }) if schema == SCHEMA => from_json(text).map(|saved| saved.work),
        Ok(Header { schema }) => {
            known(&schema, WORK_SCHEMA)?;
            serde_json::from_str(text).map_err(not_ours)
        }
        Err(_) => serde_json::from_str(text).map(dismissed).map_err(not_ours),
    }
}

/// Reasons by the ids of findings, if all keys are such ids and there is one.
fn reasons(text: &str) -> Option<BTreeMap<String, String>> {
    let is_id = |id: &String| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let reasons: BTreeMap<String, String> = serde_json::from_str(text).ok()?;
    (!reasons.is_empty() && reasons.keys().all(is_id)).then_some(reasons)
}

/// Reasons by the ids of findings, as work.
fn dismissed(reasons: BTreeMap<String, String>) -> Work {
    let dismissal = |reason| FindingWork {
        decision: Decision::Dismissed,
        reason,
        ..FindingWork::default()
    };
    Work {
        findings: reasons
            .into_iter()
            .map(|(id, reason)| (id, dismissal(reason)))
            .collect(),
        ..Work::default()
    }
}

/// Why a text is no report that this version can open.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("This is not a Hunkwise document in JSON: {0}.")]
    NotAReport(String),
    #[error(
        "This document has the schema {0}, which this version does not know. Reload the page or update the command."
    )]
    Schema(String),
}

fn known(found: &str, expected: &str) -> Result<(), ReadError> {
    match found == expected {
        true => Ok(()),
        false => Err(ReadError::Schema(found.to_owned())),
    }
}

fn not_ours(error: serde_json::Error) -> ReadError {
    ReadError::NotAReport(error.to_string())
}

#[derive(Deserialize)]
struct Header {
    schema: String,
}

/// What stands beside a report in the same object.
#[derive(Deserialize)]
struct Beside {
    work: Option<Work>,
    diff: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<&'a Work>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    #[test]
    fn without_work_it_is_the_report_alone() {
        let report = sample::report();
        let text = json(&report, &Work::default());
        assert_eq!(text, serde_json::to_string_pretty(&report).unwrap() + "\n");
        assert_eq!(from_json(&text).unwrap().report, report);
    }

    #[test]
    fn work_stands_beside_the_untouched_report() {
        let (report, work) = (sample::report(), sample::work());
        let text = json_with_diff(&report, &work, "--- a\n");
        let diff = Some("--- a\n".to_owned());
        let saved = Saved { report, work, diff };
        assert_eq!(from_json(&text).as_ref(), Ok(&saved));
        assert_eq!(read(&text), Some(Ok(Read::Review(Box::new(saved)))));
    }

    #[test]
    fn only_documents_of_ours_are_read() {
        for text in [
            "diff --git a/a b/a",
            "{",
            "{}",
            r#"{"schema": "other/1"}"#,
            r#"{"a": "b"}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let newer = read(r#"{"schema": "hunkwise.report/2"}"#);
        let schema = ReadError::Schema("hunkwise.report/2".to_owned());
        assert_eq!(newer, Some(Err(schema)));
        let reasons = read(r#"{"0123456789abcdef": "bounded"}"#);
        assert!(matches!(reasons, Some(Ok(Read::Work(_)))));
        let broken = read(r#"{"schema": "hunkwise.report/1"}"#);
        assert!(matches!(broken, Some(Err(ReadError::NotAReport(_)))));
    }

    #[test]
    fn work_is_read_alone_or_out_of_a_report() {
        let work = sample::work();
        let alone = serde_json::to_string(&work).unwrap();
        let carried = json(&sample::report(), &work);
        assert_eq!(work_from_json(&alone), Ok(work.clone()));
        assert_eq!(work_from_json(&carried), Ok(work));
        let short = r#"{"schema": "hunkwise.work/1",
            "findings": {"f-block": {"decision": "dismissed", "reason": "bounded"}}}"#;
        assert_eq!(work_from_json(short).unwrap().findings.len(), 1);
        let reasons = work_from_json(r#"{"f-block": "bounded"}"#).unwrap();
        assert_eq!(reasons.findings["f-block"].reason, "bounded");
        let other = work_from_json(r#"{"schema": "other/1"}"#);
        assert_eq!(other, Err(ReadError::Schema("other/1".to_owned())));
    }

    #[test]
    fn what_is_no_report_gets_a_sentence() {
        let error = from_json("diff --git a/a b/a").unwrap_err().to_string();
        assert!(
            error.starts_with("This is not a Hunkwise document in JSON: "),
            "{error}"
        );
        let newer = from_json(r#"{"schema": "hunkwise.report/2"}"#).unwrap_err();
        assert_eq!(newer, ReadError::Schema("hunkwise.report/2".to_owned()));
    }
}
