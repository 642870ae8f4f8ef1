//! Numbers and names as people read them.

use report::{Finding, Side, Status, Verdict};

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {thing}{s}", thousands(number))
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What a finding is called wherever it is named.
pub(crate) fn finding_name(finding: &Finding) -> String {
    let folded = match finding.verdict {
        Verdict::Violation | Verdict::Look => String::new(),
        verdict => format!(", {}", verdict.word()),
    };
    let severity = finding.severity.word();
    format!(
        "R{} {}, {severity}, {}{folded}",
        finding.rule,
        finding.check,
        line_name(finding.side, finding.line)
    )
}

/// `line 12`; of the old side `old line 12`.
pub(crate) fn line_name(side: Side, line: u32) -> String {
    match side {
        Side::New => format!("line {line}"),
        Side::Old => format!("old line {line}"),
    }
}

/// What a verdict is called on the page.
pub(crate) fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Look => Status::Look.words(),
        verdict => verdict.word(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits_by_three() {
        let grouped: Vec<String> = [0, 999, 1_000, 1_234_567].map(thousands).into();
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn counts_one_thing_and_many() {
        assert_eq!(count(1, "hunk"), "1 hunk");
        assert_eq!(count(0, "hunk"), "0 hunks");
    }
}
