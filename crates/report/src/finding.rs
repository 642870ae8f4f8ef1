//! One finding: what stands where, why it matters, and what to do.

use serde::{Deserialize, Serialize};

/// How much a check weighs. Ordered: `Block` is the gravest and sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    Block,
    Flag,
    Nit,
}

impl Severity {
    /// The word that users read: BLOCK, FLAG or NIT.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Block => "BLOCK",
            Severity::Flag => "FLAG",
            Severity::Nit => "NIT",
        }
    }
}

/// How sure the shown text makes us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The shown text proves it.
    Violation,
    /// The pattern is there; its guard may stand in text that is not shown, or the answer needs meaning.
    Look,
    /// The pattern matched and a condition excuses it; `Finding::reason` names it.
    Excused,
    /// The same finding stood on the old side; `Finding::reason` says where.
    Existing,
}

impl Verdict {
    /// Whether a reviewer has something to do: excused and existing findings are folded and not counted.
    pub fn counts(self) -> bool {
        matches!(self, Verdict::Violation | Verdict::Look)
    }

    /// The word that users read and that JSON carries.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Violation => "violation",
            Verdict::Look => "look",
            Verdict::Excused => "excused",
            Verdict::Existing => "existing",
        }
    }
}

/// The side of a diff that a line number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    Old,
    New,
}

/// A finding. Lines count from 1 on `side`; columns count from 1 in UTF-16 units; the end column is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Hash of rule, check, path, normalised statement and ordinal: survives shifts, rebases and whole-file context.
    pub id: String,
    /// 1 to 10.
    pub rule: u8,
    /// The check's kebab-case id.
    pub check: String,
    pub severity: Severity,
    pub verdict: Verdict,
    pub side: Side,
    pub path: String,
    /// The index, from 0, of the commit in a text that holds several.
    pub commit: Option<u32>,
    pub line: u32,
    pub end_line: u32,
    pub column: u32,
    pub end_column: u32,
    /// What stands there.
    pub message: String,
    /// Why it breaks.
    pub why: String,
    /// What to do, or what to look for and where.
    pub ask: String,
    /// Why it is excused or existing; else null.
    pub reason: Option<String>,
    pub related: Vec<Reference>,
    /// Other rules that met on the same statement and are told here.
    pub also: Vec<u8>,
    /// Pull request numbers that the topic's source names for this rule or check.
    pub references: Vec<u32>,
}

/// A second place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub side: Side,
    pub path: String,
    pub line: u32,
    pub end_line: u32,
    pub note: String,
}
