//! What a reviewer did with a report, `hunkwise.work/1`: answers, notes and decisions, keyed by ids.
//!
//! It is a document of its own, so that a review can be run again and the work laid over the new report.

mod apply;
mod merge;
mod version;

use crate::finding::Verdict;
use crate::model::Source;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub use version::{fingerprint, line_fingerprint};

/// The schema name that every work document carries.
pub const WORK_SCHEMA: &str = "hunkwise.work/1";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    pub schema: String,
    /// The name that the reviewer wrote, if any: without one nobody says whose words the notes are.
    #[serde(default)]
    pub reviewer: Option<String>,
    /// By the checklist line's id, `R1` to `R10`.
    #[serde(default)]
    pub lines: BTreeMap<String, LineWork>,
    /// By the finding's id. Ids that a report does not hold are kept: the next version may hold them again.
    #[serde(default)]
    pub findings: BTreeMap<String, FindingWork>,
    /// The version of the change that was reviewed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The version before that one: what is not in it is new to the reviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Version>,
}

/// What the reviewer answered at a checklist line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineWork {
    #[serde(default)]
    pub answer: Answer,
    #[serde(default)]
    pub note: String,
    /// The line's fingerprint when it was answered: with another one it has to be looked at again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seen: String,
    /// Whose answer and note these are, where they came from somebody who wrote a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    #[default]
    Open,
    Checked,
    NotApplicable,
    ProblemRaised,
}

impl Answer {
    /// Every answer, in the order in which the page offers them.
    pub const ALL: [Answer; 4] = [
        Answer::Open,
        Answer::Checked,
        Answer::NotApplicable,
        Answer::ProblemRaised,
    ];

    /// The words that users read.
    pub fn words(self) -> &'static str {
        match self {
            Answer::Open => "Open",
            Answer::Checked => "Checked",
            Answer::NotApplicable => "Not applicable",
            Answer::ProblemRaised => "Problem raised",
        }
    }
}

/// What the reviewer decided on a finding and noted beside it. One that nobody touched has no entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingWork {
    #[serde(default)]
    pub decision: Decision,
    /// Why it is dismissed, or raised. The page asks for it; a document may leave it empty.
    #[serde(default)]
    pub reason: String,
    /// How the finding is reached, in the reviewer's words: the caller, the input, the moment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reached: String,
    /// The verdict when it was decided: with another one it has to be looked at again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Verdict>,
    /// Whose decision this is, where it came from somebody who wrote a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    #[default]
    Open,
    /// The reviewer agrees: this has to be dealt with.
    Accepted,
    Dismissed,
    /// A folded finding that counts after all, for example old code that the change makes worse.
    Raised,
}

/// One version of a change, as far as the next one is compared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The fingerprint of the diff's text.
    pub text: String,
    #[serde(default)]
    pub source: Source,
    /// Of the Python files.
    #[serde(default)]
    pub paths: BTreeSet<String>,
    /// Every finding's verdict by its id.
    #[serde(default)]
    pub findings: BTreeMap<String, Verdict>,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            schema: WORK_SCHEMA.to_owned(),
            reviewer: None,
            lines: BTreeMap::new(),
            findings: BTreeMap::new(),
            version: None,
            before: None,
        }
    }
}

impl Work {
    /// Whether nothing was done. Which version was looked at is no work.
    pub fn is_empty(&self) -> bool {
        self.reviewer.is_none() && self.lines.is_empty() && self.findings.is_empty()
    }

    /// The decision on a finding; open where there is none.
    pub fn decision(&self, id: &str) -> Decision {
        self.findings
            .get(id)
            .map_or(Decision::Open, |work| work.decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_of_the_first_form_still_opens() {
        let text = r#"{"schema": "hunkwise.work/1", "lines": {"R4": {"answer": "checked"}},
            "findings": {"f": {"decision": "accepted", "reason": ""}}}"#;
        let work: Work = serde_json::from_str(text).unwrap();
        assert_eq!(work.decision("f"), Decision::Accepted);
        assert_eq!(work.lines["R4"].answer, Answer::Checked);
    }
}
