//! The report document, `hunkwise.report/1`.

use crate::finding::{Finding, Severity, Side, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The schema name that every report carries.
pub const SCHEMA: &str = "hunkwise.report/1";

/// The kind of the problem that the diff changes no Python file.
pub const NO_PYTHON: &str = "no-python";

/// The kind of the problem that names a file on which the analysis broke down.
pub const BROKE_DOWN: &str = "broke-down";

/// The kind of the problem that names a file whose turn did not come in time.
pub const NOT_REACHED: &str = "not-reached";

/// A whole review. The same input gives the same bytes when serialised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub schema: String,
    pub tool: Tool,
    pub source: Source,
    pub input: Input,
    pub topic: Topic,
    pub checklist: Vec<ChecklistLine>,
    /// Ordered by path, line, rule, check.
    pub findings: Vec<Finding>,
    pub problems: Vec<Problem>,
}

impl Report {
    /// The finding with this id.
    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }

    /// For each line of the checklist where its findings stand among all findings.
    ///
    /// Looks each up once: [`Report::finding`] walks through all findings, which for all of them takes seconds.
    pub fn places_by_line(&self) -> Vec<Vec<usize>> {
        let mut places = BTreeMap::new();
        for (place, finding) in self.findings.iter().enumerate() {
            places.entry(finding.id.as_str()).or_insert(place);
        }
        let place = |id: &String| places.get(id.as_str()).copied();
        let lines = self.checklist.iter();
        lines
            .map(|line| line.findings.iter().filter_map(place).collect())
            .collect()
    }

    /// The findings that a reviewer has to act on, in report order.
    pub fn counted(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| finding.verdict.counts())
    }

    /// Whether a violation at least this severe stands in the report. Looks never count.
    pub fn has_violation(&self, least: Severity) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.verdict == Verdict::Violation && finding.severity <= least)
    }

    /// The problems that say what was not read. That there is no Python is one that does not.
    pub fn unread(&self) -> impl Iterator<Item = &Problem> {
        self.problems
            .iter()
            .filter(|problem| problem.kind != NO_PYTHON)
    }

    /// Why a diff without Python holds nothing to review.
    pub fn no_python(&self) -> Option<&Problem> {
        self.problems
            .iter()
            .find(|problem| problem.kind == NO_PYTHON)
    }

    /// Whether the text held no diff at all: there is nothing to review, and a problem says why.
    pub fn is_empty(&self) -> bool {
        self.input.files == 0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub version: String,
    pub topic: String,
    pub topic_version: String,
    pub profile: String,
}

/// Where the diff came from, as far as its text or its fetcher said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// `owner/name`.
    pub repo: Option<String>,
    pub pull: Option<u32>,
    pub base: Option<String>,
    pub head: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    pub context: Context,
    pub files: u32,
    pub hunks: u32,
    /// Added lines.
    pub added: u32,
    /// Removed lines.
    pub removed: u32,
    pub out_of_scope: OutOfScope,
}

/// What the review could see: the diff alone, or whole new-side files too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Context {
    Diff,
    Files,
}

/// Files that the topic does not read; they hinder nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutOfScope {
    pub non_python: u32,
    pub binary: u32,
}

/// Whether the topic matters for this diff, and the lines that say so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    pub applies: bool,
    pub signals: Vec<Signal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// The id of a trigger group.
    pub group: String,
    pub path: String,
    pub side: Side,
    pub line: u32,
    /// The name that triggered, as written in the code.
    pub text: String,
}

/// One line of the checklist with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChecklistLine {
    /// The line's id in the topic data, `R1` to `R10`.
    pub id: String,
    pub severity: Severity,
    pub rule: u8,
    pub title: String,
    pub status: Status,
    /// Ids of all findings of the line, folded ones included.
    pub findings: Vec<String>,
    pub evidence: Vec<Evidence>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A violation stands.
    Found,
    /// Only looks stand.
    Look,
    /// Its subject occurs, with evidence, excused or existing findings only.
    Clear,
    /// Its subject does not occur.
    NotApplicable,
    /// It would be clear or not applicable, but Python of the diff was not read.
    NotRead,
}

impl Status {
    /// The words that users read.
    pub fn words(self) -> &'static str {
        match self {
            Status::Found => "found",
            Status::Look => "to look at",
            Status::Clear => "clear",
            Status::NotApplicable => "does not apply",
            Status::NotRead => "not read",
        }
    }
}

/// An added line that satisfies a rule. New side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub path: String,
    pub line: u32,
    pub note: String,
}

/// Python that was not read, or only in part; or why there is nothing to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub path: Option<String>,
    /// The line in the pasted text, from 1.
    pub line: Option<u32>,
    /// Kebab-case.
    pub kind: String,
    /// One clear sentence.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use crate::export::sample;

    #[test]
    fn the_findings_of_each_line_are_found_at_their_places() {
        let report = sample::report();
        let places = report.places_by_line();
        assert_eq!(places.len(), report.checklist.len());
        for (line, places) in report.checklist.iter().zip(places) {
            let ids: Vec<&String> = places
                .iter()
                .filter_map(|&place| Some(&report.findings.get(place)?.id))
                .collect();
            assert_eq!(ids, line.findings.iter().collect::<Vec<_>>(), "{}", line.id);
        }
    }

    #[test]
    fn an_id_without_a_finding_has_no_place() {
        let mut report = sample::report();
        report.findings.clear();
        assert!(report.places_by_line().iter().all(Vec::is_empty));
    }
}
