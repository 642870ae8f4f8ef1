//! What a fixture expects, in one line of words.

use anyhow::{Context as _, bail, ensure};
use report::{Finding, Report, Side, Status, Verdict};
use std::fmt;

/// What an `expect:` line says, before it is known which line of code it stands on.
pub struct Expectation(Expected);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `R4 unbounded-result violation new:12`
    Finding {
        rule: u8,
        check: String,
        verdict: Verdict,
        /// Side and line; without it any place will do.
        place: Option<(Side, u32)>,
    },
    /// `nothing` or `nothing of R4`: no violation and no look. A check behind the rule says what the fixture is about.
    Nothing {
        rule: Option<u8>,
        check: Option<String>,
    },
    /// `R4 is clear`
    Line { rule: u8, status: Status },
    /// `evidence of R4 new:12`
    Evidence { rule: u8, line: Option<u32> },
    /// `topic applies` or `topic does not apply`
    Topic { applies: bool },
    /// `problem hunk-cut`
    Problem { kind: String },
}

impl Expectation {
    pub(crate) fn parse(text: &str) -> anyhow::Result<Expectation> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let expected = match words.as_slice() {
            ["nothing"] => Expected::Nothing {
                rule: None,
                check: None,
            },
            ["nothing", "of", rule, check @ ..] if check.len() < 2 => Expected::Nothing {
                rule: Some(number(rule)?),
                check: check.first().map(|&check| check.to_owned()),
            },
            ["topic", "applies"] => Expected::Topic { applies: true },
            ["topic", "does", "not", "apply"] => Expected::Topic { applies: false },
            ["problem", kind] => Expected::Problem {
                kind: (*kind).to_owned(),
            },
            ["evidence", "of", rule, place @ ..] => Expected::Evidence {
                rule: number(rule)?,
                line: parse_place(place)?.map(|(_, line)| line),
            },
            [rule, "is", status @ ..] => Expected::Line {
                rule: number(rule)?,
                status: parse_status(&status.join("-"))?,
            },
            [rule, check, verdict, place @ ..] => Expected::Finding {
                rule: number(rule)?,
                check: (*check).to_owned(),
                verdict: parse_verdict(verdict)?,
                place: parse_place(place)?,
            },
            _ => bail!("cannot read the expectation {text:?}"),
        };
        Ok(Expectation(expected))
    }

    /// As it was said: in a diff the line says its own place.
    pub(crate) fn anywhere(self) -> Expected {
        self.0
    }

    /// Behind a line of code: a finding or evidence is expected right there.
    pub(crate) fn at_line(self, number: u32) -> Expected {
        match self.0 {
            Expected::Finding {
                rule,
                check,
                verdict,
                place: None,
            } => Expected::Finding {
                rule,
                check,
                verdict,
                place: Some((Side::New, number)),
            },
            Expected::Evidence { rule, line: None } => Expected::Evidence {
                rule,
                line: Some(number),
            },
            other => other,
        }
    }
}

impl Expected {
    /// Whether the report is as expected; what must not be there is judged by [`Expected::names`].
    pub(crate) fn holds(&self, report: &Report) -> bool {
        match self {
            Expected::Finding { .. } => report.findings.iter().any(|finding| self.names(finding)),
            Expected::Nothing { .. } => true,
            Expected::Line { rule, status } => report
                .checklist
                .iter()
                .any(|line| line.rule == *rule && line.status == *status),
            Expected::Evidence { rule, line } => report
                .checklist
                .iter()
                .filter(|of| of.rule == *rule)
                .flat_map(|of| &of.evidence)
                .any(|evidence| line.is_none_or(|line| evidence.line == line)),
            Expected::Topic { applies } => report.topic.applies == *applies,
            Expected::Problem { kind } => report.problems.iter().any(|it| it.kind == *kind),
        }
    }

    /// Whether this is the finding that is meant.
    pub(crate) fn names(&self, finding: &Finding) -> bool {
        match self {
            Expected::Finding {
                rule,
                check,
                verdict,
                place,
            } => {
                finding.rule == *rule
                    && finding.check == *check
                    && finding.verdict == *verdict
                    && place.is_none_or(|place| place == (finding.side, finding.line))
            }
            _ => false,
        }
    }

    /// The rule whose counted findings must all be expected.
    pub(crate) fn rule(&self) -> Option<u8> {
        match self {
            Expected::Finding { rule, .. } => Some(*rule),
            Expected::Nothing { rule, .. } => *rule,
            _ => None,
        }
    }

    /// Refuses a check that is none of the rule's: it would never be found, nor missed.
    pub(crate) fn check_is_known(&self) -> anyhow::Result<()> {
        let (rule, check) = match self {
            Expected::Finding { rule, check, .. } => (rule, check),
            Expected::Nothing {
                rule: Some(rule),
                check: Some(check),
            } => (rule, check),
            _ => return Ok(()),
        };
        let mut known = review::checks();
        ensure!(
            known.any(|one| one.rule == *rule && one.id == *check),
            "R{rule} has no check {check}"
        );
        Ok(())
    }

    pub(crate) fn is_nothing_at_all(&self) -> bool {
        matches!(self, Expected::Nothing { rule: None, .. })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Finding {
                rule,
                check,
                verdict,
                place,
            } => {
                write!(out, "R{rule} {check} {}", verdict.word())?;
                match place {
                    Some((Side::New, line)) => write!(out, " new:{line}"),
                    Some((Side::Old, line)) => write!(out, " old:{line}"),
                    None => Ok(()),
                }
            }
            Expected::Nothing {
                rule: Some(rule),
                check,
            } => write!(out, "nothing of R{rule} {}", check.as_deref().unwrap_or("")),
            Expected::Nothing { rule: None, .. } => write!(out, "nothing"),
            Expected::Line { rule, status } => write!(out, "R{rule} is {}", status.words()),
            Expected::Evidence { rule, line } => write!(out, "evidence of R{rule} at {line:?}"),
            Expected::Topic { applies } => write!(out, "that the topic applies: {applies}"),
            Expected::Problem { kind } => write!(out, "the problem {kind}"),
        }
    }
}

/// `R4` as 4.
fn number(word: &str) -> anyhow::Result<u8> {
    word.strip_prefix('R')
        .and_then(|digits| digits.parse().ok())
        .with_context(|| format!("{word} is no rule"))
}

fn parse_verdict(word: &str) -> anyhow::Result<Verdict> {
    [
        Verdict::Violation,
        Verdict::Look,
        Verdict::Excused,
        Verdict::Existing,
    ]
    .into_iter()
    .find(|verdict| verdict.word() == word)
    .with_context(|| format!("{word} is no verdict"))
}

fn parse_status(word: &str) -> anyhow::Result<Status> {
    Ok(match word {
        "found" => Status::Found,
        "look" => Status::Look,
        "clear" => Status::Clear,
        "not-applicable" => Status::NotApplicable,
        "not-read" => Status::NotRead,
        _ => bail!("{word} is no status"),
    })
}

/// Nothing, or `new:12`, `old:12`.
fn parse_place(words: &[&str]) -> anyhow::Result<Option<(Side, u32)>> {
    let [word] = words else {
        return match words.is_empty() {
            true => Ok(None),
            false => bail!("cannot read the place {words:?}"),
        };
    };
    let (side, line) = word
        .split_once(':')
        .context("a place is new:LINE or old:LINE")?;
    let side = match side {
        "new" => Side::New,
        "old" => Side::Old,
        _ => bail!("{side} is no side"),
    };
    Ok(Some((side, line.parse()?)))
}
