//! One finding in words: where, what, how it fails, how it is reached, what to do.

use super::prose::{code, prose};
use crate::export::address::{line_url, pull_url};
use crate::export::wording::Wording;
use crate::finding::{Finding, Reference, Side};
use crate::model::Source;
use crate::work::{Decision, Work};

/// A finding as an entry of a list.
pub(super) fn finding(finding: &Finding, source: &Source, work: &Work) -> String {
    let place = place_of(finding, source);
    let told = told(finding, source, work).replace("\n\n", "\n  ");
    format!("- {place} {}: {told}\n", rule(finding))
}

/// A finding as a comment that stands at its line: the place goes without saying.
pub(super) fn comment(
    finding: &Finding,
    source: &Source,
    work: &Work,
    wording: &Wording,
) -> String {
    let grade = wording.grade(finding.severity);
    let told = told(finding, source, work);
    format!("**{grade}** ({}): {told}\n", rule(finding))
}

fn told(finding: &Finding, source: &Source, work: &Work) -> String {
    format!(
        "{}{}\n\n**Fails how:** {}\n\n**Reached:** {}\n\n**Ask:** {}{}",
        prose(&finding.message),
        raised(finding, work),
        prose(&finding.why),
        reached(finding, work),
        prose(&finding.ask),
        aside(finding, source),
    )
}

/// How the program gets to the finding. Only the reviewer can know; the diff shows the line alone.
fn reached(finding: &Finding, work: &Work) -> String {
    let said = work.findings.get(&finding.id);
    match said.map(|work| work.reached.trim()) {
        None | Some("") => "at this line; how the program gets here is not in the diff.".to_owned(),
        Some(reached) => prose(reached),
    }
}

/// Why a finding counts that the review itself had folded.
fn raised(finding: &Finding, work: &Work) -> String {
    let work = work.findings.get(&finding.id);
    let raised = work.filter(|work| work.decision == Decision::Raised);
    match raised.map(|work| work.reason.trim()) {
        None | Some("") => String::new(),
        Some(reason) => format!(" **Raised by the reviewer:** {}", prose(reason)),
    }
}

/// `R4 unbounded-result`.
pub(super) fn rule(finding: &Finding) -> String {
    format!("R{} {}", finding.rule, code(&finding.check))
}

/// Where a finding stands, as a link where the commit is known.
pub(super) fn place_of(finding: &Finding, source: &Source) -> String {
    let lines = (finding.line, finding.end_line);
    place(source, finding.side, &finding.path, lines)
}

fn place(source: &Source, side: Side, path: &str, lines: (u32, u32)) -> String {
    let words = code(&format!("{path}:{}", lines.0));
    match (line_url(source, side, path, lines), side) {
        (Some(url), _) => format!("[{words}]({url})"),
        (None, Side::Old) => format!("{words} (before the change)"),
        (None, Side::New) => words,
    }
}

/// Related places, rules that met, and pull requests, in brackets.
fn aside(finding: &Finding, source: &Source) -> String {
    let related = |it: &Reference| {
        let place = place(source, it.side, &it.path, (it.line, it.end_line));
        format!("{place}: {}", prose(&it.note))
    };
    let mut said: Vec<String> = finding.related.iter().map(related).collect();
    said.extend(finding.also.iter().map(|rule| format!("also R{rule}")));
    let pulls = finding.references.iter();
    said.extend(pulls.map(|&pull| format!("[#{pull}]({})", pull_url(pull))));
    match said.is_empty() {
        true => String::new(),
        false => format!(" ({})", said.join("; ")),
    }
}
