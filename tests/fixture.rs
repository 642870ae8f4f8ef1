//! A fixture: a diff, or Python that is reviewed as a new file, with what is expected of its review.

use crate::expectation::{Expectation, Expected};
use crate::{new_file, review};
use anyhow::{Context as _, ensure};
use report::{Finding, Report, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where a Python fixture stands unless it says `# path: …`: neither hot nor cold by its name.
const PATH: &str = "package/module.py";

/// The line between the expectations and the diff.
const END_OF_HEAD: &str = "--";

pub struct Fixture {
    pub path: PathBuf,
    /// The text that is reviewed.
    pub diff: String,
    pub expected: Vec<Expected>,
}

/// The fixtures below a folder of `tests/fixtures`, in order.
pub fn fixtures(folder: &str) -> anyhow::Result<Vec<Fixture>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut paths = Vec::new();
    collect(&root.join(folder), &mut paths)?;
    paths.sort();
    paths.iter().map(|path| Fixture::read(path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path
            .extension()
            .is_some_and(|end| end == "diff" || end == "py")
        {
            paths.push(path);
        }
    }
    Ok(())
}

impl Fixture {
    fn read(path: &Path) -> anyhow::Result<Fixture> {
        let text = std::fs::read_to_string(path)?;
        Fixture::parse(path, &text).with_context(|| format!("in {}", path.display()))
    }

    /// A fixture that expects nothing at all of its review, or names what is no check, could not fail.
    fn parse(path: &Path, text: &str) -> anyhow::Result<Fixture> {
        let is_python = path.extension().is_some_and(|end| end == "py");
        let (diff, expected) = if is_python {
            python(text)?
        } else {
            edit(text)?
        };
        ensure!(
            !expected.is_empty(),
            "it has no expectation: say `nothing` if so it is"
        );
        for one in &expected {
            one.check_is_known()?;
        }
        Ok(Fixture {
            path: path.to_path_buf(),
            diff,
            expected,
        })
    }

    /// What the review of the fixture does otherwise than expected, one line each.
    pub fn failures(&self) -> anyhow::Result<Vec<String>> {
        let report = review(&self.diff)?;
        let missing = self.expected.iter().filter(|one| !one.holds(&report));
        let mut failures: Vec<String> = missing.map(|one| format!("expected {one}")).collect();
        let unexpected = report.counted().filter(|finding| self.forbids(finding));
        failures.extend(unexpected.map(|finding| format!("reported {}", told(finding))));
        if !failures.is_empty() {
            failures.extend(folded(&report));
        }
        Ok(failures)
    }

    /// Whether a counted finding of a rule that the fixture speaks of was not expected.
    fn forbids(&self, finding: &Finding) -> bool {
        let rules: BTreeSet<u8> = self.expected.iter().filter_map(Expected::rule).collect();
        let all = self.expected.iter().any(Expected::is_nothing_at_all);
        (all || rules.contains(&finding.rule))
            && !self.expected.iter().any(|one| one.names(finding))
    }
}

/// What was folded, to see why something was not counted.
fn folded(report: &Report) -> Vec<String> {
    let folded = report
        .findings
        .iter()
        .filter(|finding| !finding.verdict.counts());
    folded
        .map(|finding| format!("  folded {}", told(finding)))
        .collect()
}

fn told(finding: &Finding) -> String {
    let side = match finding.side {
        report::Side::Old => "old",
        report::Side::New => "new",
    };
    let reason = match (&finding.verdict, &finding.reason) {
        (Verdict::Excused | Verdict::Existing, Some(reason)) => reason,
        _ => &finding.message,
    };
    format!(
        "R{} {} {} {side}:{}: {reason}",
        finding.rule,
        finding.check,
        finding.verdict.word(),
        finding.line
    )
}

/// A Python file with `# expect: …` on lines of its own (for the whole) or behind the line that is meant.
fn python(text: &str) -> anyhow::Result<(String, Vec<Expected>)> {
    let mut expected = Vec::new();
    let mut path = PATH;
    for (line, number) in text.lines().zip(1..) {
        if let Some(given) = line.strip_prefix("# path: ") {
            path = given.trim();
        }
        for said in line.split("# expect: ").skip(1) {
            let one = Expectation::parse(said)?;
            expected.push(one.at_line(number));
        }
    }
    Ok((new_file(path, text), expected))
}

/// A diff with `expect: …` lines before it, and a line `--` between.
fn edit(text: &str) -> anyhow::Result<(String, Vec<Expected>)> {
    let (head, diff) = text
        .split_once(&format!("{END_OF_HEAD}\n"))
        .context("no line `--` between the expectations and the diff")?;
    let expected = head
        .lines()
        .map(|line| {
            let said = line
                .strip_prefix("expect: ")
                .with_context(|| format!("not `expect: …`: {line}"))?;
            Expectation::parse(said).map(Expectation::anywhere)
        })
        .collect::<anyhow::Result<Vec<Expected>>>()?;
    Ok((diff.to_owned(), expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refusal(name: &str, text: &str) -> String {
        let fixture = Fixture::parse(Path::new(name), text);
        fixture
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn a_fixture_without_expectations_is_refused() {
        assert!(refusal("a.py", "import os\n").contains("no expectation"));
        assert!(refusal("a.diff", "--\ndiff --git a/a.py b/a.py\n").contains("no expectation"));
        assert_eq!(refusal("a.py", "# expect: nothing\nimport os\n"), "");
    }

    #[test]
    fn a_check_that_its_rule_does_not_have_is_refused() {
        let of = |said: &str| refusal("a.py", &format!("# expect: {said}\nimport os\n"));
        assert!(of("nothing of R4 unbouned-result").contains("unbouned-result"));
        assert!(of("R5 unbounded-result violation").contains("R5"));
        assert_eq!(of("nothing of R4 unbounded-result"), "");
        assert_eq!(of("nothing of R4"), "");
    }
}
