//! The report as `hunkwise.report/1`, and back.

use crate::model::{Report, SCHEMA};
use crate::work::{Decision, FindingWork, WORK_SCHEMA, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The report as indented JSON with a newline at its end. Work that is not empty stands beside it as `work`.
pub fn json(report: &Report, work: &Work) -> String {
    let work = (!work.is_empty()).then_some(work);
    let document = Document { report, work };
    // Maps of these types have string keys and no value refuses to be serialised, so the fallback is never taken.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads what [`json`] wrote. Keys that this version does not know are ignored.
pub fn from_json(text: &str) -> Result<(Report, Work), ReadError> {
    let Header { schema } = serde_json::from_str(text).map_err(not_ours)?;
    known(&schema, SCHEMA)?;
    let document: OwnedDocument = serde_json::from_str(text).map_err(not_ours)?;
    let work = document.work.unwrap_or_default();
    known(&work.schema, WORK_SCHEMA)?;
    Ok((document.report, work))
}

/// Reads the work alone: out of a `hunkwise.work/1` document, out of a report that carries one,
/// or out of an object with a reason by finding id. This is how a team keeps its dismissals.
pub fn work_from_json(text: &str) -> Result<Work, ReadError> {
    match serde_json::from_str(text) {
        Ok(Header { schema }) if schema == SCHEMA => from_json(text).map(|(_, work)| work),
        Ok(Header { schema }) => {
            known(&schema, WORK_SCHEMA)?;
            serde_json::from_str(text).map_err(not_ours)
        }
        Err(_) => serde_json::from_str(text).map(dismissed).map_err(not_ours),
    }
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

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<&'a Work>,
}

#[derive(Deserialize)]
struct OwnedDocument {
    #[serde(flatten)]
    report: Report,
    work: Option<Work>,
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
        assert_eq!(from_json(&text).unwrap(), (report, Work::default()));
    }

    #[test]
    fn work_stands_beside_the_untouched_report() {
        let (report, work) = (sample::report(), sample::work());
        let text = json(&report, &work);
        assert_eq!(from_json(&text).unwrap(), (report, work));
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
