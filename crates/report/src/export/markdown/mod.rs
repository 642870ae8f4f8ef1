//! The report as a review in words: one comment for a pull request, or the comment of one finding.
//!
//! BLOCK is Critical or High, as the reviewer chooses, FLAG is Medium; a NIT is no finding, and all of them share one folded line.
//! What is only to be looked at becomes a question to the author, unless the reviewer has accepted it: then it is a finding.

mod closing;
mod entry;
mod prose;
mod questions;

use super::tally::{Tally, input_words};
use super::wording::Wording;
use crate::finding::{Finding, Severity, Verdict};
use crate::model::Report;
use crate::work::{Decision, Work};
use prose::{code, n_units};

/// The longest comment that the code host takes, in UTF-16 units.
pub const MARKDOWN_LIMIT: usize = 65_536;

/// The report as Markdown. Where all of it would be too long, entries at the end are left out, and a sentence says how many.
pub fn markdown(report: &Report, work: &Work, wording: &Wording) -> String {
    let report = &work.apply(report);
    if report.is_empty() {
        return "Nothing was reviewed: the input holds no diff.\n".to_owned()
            + &closing::not_read(&report.problems);
    }
    let sorted = Sorted::of(report, work);
    within_limit(
        &head(report),
        &entries(&sorted, report, work, wording),
        &closing::closing(report, work, wording),
    )
}

/// The comment of one finding, at whose line it is to stand.
pub fn comment(report: &Report, work: &Work, wording: &Wording, id: &str) -> Option<String> {
    let finding = report.finding(id)?;
    Some(match is_finding(finding, work) {
        true => entry::comment(finding, &report.source, work, wording),
        false => questions::comment(finding, wording),
    })
}

/// The parts of a review that comments at lines go with: what stands at no line, and its closing lines.
/// `placed` says which findings have a comment of their own.
pub(super) fn cover(
    report: &Report,
    work: &Work,
    wording: &Wording,
    placed: &dyn Fn(&Finding) -> bool,
) -> String {
    let mut sorted = Sorted::of(report, work);
    sorted.findings.retain(|finding| !placed(finding));
    sorted.asked.retain(|look| !placed(look));
    within_limit(
        &head(report),
        &entries(&sorted, report, work, wording),
        &closing::closing(report, work, wording),
    )
}

/// What counts, by what becomes of it in a review.
pub(super) struct Sorted<'a> {
    /// Gravest first.
    pub(super) findings: Vec<&'a Finding>,
    pub(super) asked: Vec<&'a Finding>,
    pub(super) unsure: Vec<&'a Finding>,
    nits: Vec<&'a Finding>,
}

impl<'a> Sorted<'a> {
    /// Of a report to which the work was applied.
    pub(super) fn of(report: &'a Report, work: &Work) -> Self {
        let (nits, graver): (Vec<&Finding>, Vec<&Finding>) = report
            .counted()
            .partition(|finding| finding.severity == Severity::Nit);
        let (mut findings, looks): (Vec<&Finding>, Vec<&Finding>) = graver
            .into_iter()
            .partition(|finding| is_finding(finding, work));
        findings.sort_by_key(|finding| finding.severity);
        let (asked, unsure) = questions::chosen(&looks);
        Sorted {
            findings,
            asked,
            unsure,
            nits,
        }
    }
}

/// A look that the reviewer has accepted is no question any more.
fn is_finding(finding: &Finding, work: &Work) -> bool {
    finding.verdict == Verdict::Violation || work.decision(&finding.id) == Decision::Accepted
}

fn head(report: &Report) -> String {
    let tally = Tally::of(report);
    let mut head = match tally.counts() {
        true => String::new(),
        false => "**No finding in what was read.** That is no approval: the lines below say what was seen, and what was not.\n\n".to_owned(),
    };
    head += &format!("Reviewed: {}.", input_words(&report.input));
    if report.unread().next().is_some() {
        head += " Part of it was **not read**, see below.";
    }
    head.push('\n');
    head
}

/// One text for each finding and question; the first of a group carries its heading.
fn entries(sorted: &Sorted<'_>, report: &Report, work: &Work, wording: &Wording) -> Vec<String> {
    let source = &report.source;
    let mut entries = Vec::new();
    for severity in [Severity::Block, Severity::Flag] {
        let group = sorted.findings.iter().filter(|it| it.severity == severity);
        let group = group.map(|it| entry::finding(it, source, work));
        entries.extend(with_heading(wording.grade(severity), group));
    }
    let asked = sorted.asked.iter();
    let asked = asked.map(|look| questions::question(look, source, wording));
    entries.extend(with_heading("Questions", asked));
    entries.extend(questions::also_unsure(&sorted.unsure, source));
    entries.extend(nits(&sorted.nits));
    entries
}

fn with_heading(title: &str, group: impl Iterator<Item = String>) -> Vec<String> {
    group
        .enumerate()
        .map(|(idx, entry)| match idx {
            0 => format!("\n#### {title}\n\n{entry}"),
            _ => entry,
        })
        .collect()
}

/// All NITs, violations and looks, on one folded line.
fn nits(nits: &[&Finding]) -> Option<String> {
    let place = |it: &&Finding| format!("{}:{} {}", it.path, it.line, it.check);
    let places: Vec<String> = nits.iter().take(5).map(|it| code(&place(it))).collect();
    let more = match nits.len().saturating_sub(5) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    let said = places.join(", ");
    let s = if nits.len() == 1 { "" } else { "s" };
    let summary = format!("{} nit{s}", nits.len());
    (!nits.is_empty())
        .then(|| format!("\n<details><summary>{summary}</summary>\n\n{said}{more}\n\n</details>\n"))
}

/// Head, as many entries as there is room for, how many were left out, and the end.
fn within_limit(head: &str, entries: &[String], tail: &str) -> String {
    let room = MARKDOWN_LIMIT.saturating_sub(n_units(head) + n_units(tail));
    let all: usize = entries.iter().map(|entry| n_units(entry)).sum();
    if all <= room {
        return format!("{head}{}{tail}", entries.concat());
    }
    let mut out = head.to_owned();
    let mut left = room.saturating_sub(n_units(&cut(usize::MAX)));
    for (idx, entry) in entries.iter().enumerate() {
        let Some(rest) = left.checked_sub(n_units(entry)) else {
            out += &cut(entries.len() - idx);
            break;
        };
        left = rest;
        out += entry;
    }
    out + tail
}

fn cut(n: usize) -> String {
    format!(
        "\n_Cut here: {n} more entries would make this comment longer than {MARKDOWN_LIMIT} characters._\n"
    )
}

#[cfg(test)]
mod tests;
