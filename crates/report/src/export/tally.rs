//! The counts that every form shows.

use crate::finding::{Severity, Verdict};
use crate::model::{Context, Input, Report, Status};

/// How much a report asks of its reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Violations.
    pub block: usize,
    pub flag: usize,
    pub nit: usize,
    /// Findings to look at, of any severity.
    pub look: usize,
    /// Folded findings.
    pub excused: usize,
    pub existing: usize,
    /// Checklist lines.
    pub clear: usize,
    pub not_applicable: usize,
    pub not_read: usize,
}

impl Tally {
    pub fn of(report: &Report) -> Tally {
        let mut tally = Tally::default();
        for finding in &report.findings {
            *tally.of_finding(finding.verdict, finding.severity) += 1;
        }
        for line in &report.checklist {
            match line.status {
                Status::Clear => tally.clear += 1,
                Status::NotApplicable => tally.not_applicable += 1,
                Status::NotRead => tally.not_read += 1,
                Status::Found | Status::Look => {}
            }
        }
        tally
    }

    /// Whether a reviewer has something to act on.
    pub fn counts(&self) -> bool {
        self.block + self.flag + self.nit + self.look > 0
    }

    /// `1 BLOCK, 2 FLAG, 3 to look at`; what is zero is left out.
    pub fn words(&self) -> String {
        let parts = [
            (self.block, "BLOCK"),
            (self.flag, "FLAG"),
            (self.nit, "NIT"),
            (self.look, "to look at"),
        ];
        let said: Vec<String> = parts
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} {word}"))
            .collect();
        match said.is_empty() {
            true => "No finding in what was read".to_owned(),
            false => said.join(", "),
        }
    }

    /// `4 clear, 1 does not apply, 2 not read`: the checklist lines without a counted finding, or nothing.
    pub fn line_words(&self) -> Option<String> {
        let parts = [
            (self.clear, Status::Clear),
            (self.not_applicable, Status::NotApplicable),
            (self.not_read, Status::NotRead),
        ];
        let said: Vec<String> = parts
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, status)| format!("{n} {}", status.words()))
            .collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// `2 excused, 1 there before`, or nothing.
    pub(crate) fn folded_words(&self) -> Option<String> {
        let excused = (self.excused > 0).then(|| format!("{} excused", self.excused));
        let existing = (self.existing > 0).then(|| format!("{} there before", self.existing));
        let said: Vec<String> = [excused, existing].into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    fn of_finding(&mut self, verdict: Verdict, severity: Severity) -> &mut usize {
        match (verdict, severity) {
            (Verdict::Violation, Severity::Block) => &mut self.block,
            (Verdict::Violation, Severity::Flag) => &mut self.flag,
            (Verdict::Violation, Severity::Nit) => &mut self.nit,
            (Verdict::Look, _) => &mut self.look,
            (Verdict::Excused, _) => &mut self.excused,
            (Verdict::Existing, _) => &mut self.existing,
        }
    }
}

/// What went in, as one sentence.
pub(crate) fn input_words(input: &Input) -> String {
    let seen = match input.context {
        Context::Diff => "read from the diff alone",
        Context::Files => "read with whole files",
    };
    let mut words = format!(
        "{}, {}, +{} -{} lines, {seen}",
        n_of(input.files, "file"),
        n_of(input.hunks, "hunk"),
        input.added,
        input.removed,
    );
    let outside = [
        (input.out_of_scope.non_python, "not Python"),
        (input.out_of_scope.binary, "binary"),
    ];
    for (n, what) in outside.into_iter().filter(|(n, _)| *n > 0) {
        words += &format!(", {n} {what} and out of scope");
    }
    words
}

fn n_of(n: u32, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}
