//! Lines that a finding stands at, or that belong to one.

use crate::diff_file::DiffFile;
use report::{Finding, Row, RowKind, Severity, Side, Verdict};
use yew::prelude::*;

/// Lines of one side, and on the first of them columns from 1 in UTF-16 units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    side: Side,
    lines: (u32, u32),
    columns: (u32, u32),
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Finding {
        severity: Severity,
        is_sure: bool,
    },
    /// A second place of a finding, by its id and name.
    Related {
        finding: AttrValue,
        name: String,
    },
}

impl Mark {
    /// All marks of a file: its counted findings, and the places that belong to findings.
    pub(crate) fn all(file: &DiffFile) -> Vec<Mark> {
        let findings = file.counted().map(|finding| Mark::of(finding));
        let related = file.related.iter().map(|related| Mark {
            side: related.side,
            lines: (related.line, related.line),
            columns: (1, 1),
            what: What::Related {
                finding: related.finding.clone(),
                name: related.name.clone(),
            },
        });
        findings.chain(related).collect()
    }

    fn of(finding: &Finding) -> Self {
        let is_one_line = finding.line == finding.end_line;
        let end = if is_one_line {
            finding.end_column
        } else {
            u32::MAX
        };
        Mark {
            side: finding.side,
            lines: (finding.line, finding.end_line),
            columns: (finding.column, end),
            what: What::Finding {
                severity: finding.severity,
                is_sure: finding.verdict == Verdict::Violation,
            },
        }
    }

    /// Whether a row is among the lines, as far as it shows the side that they are of.
    pub(super) fn covers(&self, row: &Row, shown: Option<Side>) -> bool {
        if shown.is_some_and(|shown| shown != self.side) {
            return false;
        }
        let line = match self.side {
            Side::Old if row.kind == RowKind::Added => None,
            Side::Old => row.old,
            Side::New => row.new,
        };
        line.is_some_and(|line| self.lines.0 <= line && line <= self.lines.1)
    }

    pub(super) fn is_finding(&self) -> bool {
        matches!(self.what, What::Finding { .. })
    }

    /// Whether the columns are those of this row, which is covered.
    pub(super) fn starts_at(&self, row: &Row) -> bool {
        self.is_finding() && [row.old, row.new].contains(&Some(self.lines.0))
    }

    /// UTF-16 units from 0, end exclusive.
    pub(super) fn units(&self) -> (u32, u32) {
        (
            self.columns.0.saturating_sub(1),
            self.columns.1.saturating_sub(1),
        )
    }

    /// The id and name of the finding that the lines belong to.
    pub(super) fn belongs_to(&self) -> Option<(&AttrValue, &str)> {
        match &self.what {
            What::Related { finding, name } => Some((finding, name)),
            What::Finding { .. } => None,
        }
    }

    pub(super) fn class(&self) -> Classes {
        let What::Finding { severity, is_sure } = &self.what else {
            return Classes::new();
        };
        let sure = if *is_sure { "sure" } else { "unsure" };
        classes!("mark", severity.word().to_ascii_lowercase(), sure)
    }
}
