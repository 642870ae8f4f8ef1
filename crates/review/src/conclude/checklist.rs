//! The checklist's answers.

use super::locate::locate;
use super::seen::Seen;
use report::{ChecklistLine, Evidence, Finding, Status, Verdict};
use std::collections::BTreeSet;
use topic::RuleCard;

/// More places than these say nothing new.
const EVIDENCE_LIMIT: usize = 20;

/// One line a rule. `not_read` says that Python of the diff was not read, so that no line may say clear.
pub(super) fn checklist(
    seen: &[Seen<'_>],
    findings: &[Finding],
    not_read: bool,
) -> Vec<ChecklistLine> {
    let cards = &topic::topic().rules;
    cards
        .iter()
        .map(|card| line(card, findings, evidence(seen, card.number), not_read))
        .collect()
}

fn line(
    card: &RuleCard,
    findings: &[Finding],
    evidence: Vec<Evidence>,
    not_read: bool,
) -> ChecklistLine {
    // A finding that was merged into another rule's still answers its own line.
    let own: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.rule == card.number || finding.also.contains(&card.number))
        .collect();
    ChecklistLine {
        id: card.id.to_owned(),
        severity: card.severity,
        rule: card.number,
        title: card.title.to_owned(),
        status: status(&own, &evidence, not_read),
        findings: own.iter().map(|finding| finding.id.clone()).collect(),
        evidence,
    }
}

fn status(own: &[&Finding], evidence: &[Evidence], not_read: bool) -> Status {
    let has = |verdict| own.iter().any(|finding| finding.verdict == verdict);
    if has(Verdict::Violation) {
        Status::Found
    } else if has(Verdict::Look) {
        Status::Look
    } else if not_read {
        Status::NotRead
    } else if own.is_empty() && evidence.is_empty() {
        Status::NotApplicable
    } else {
        Status::Clear
    }
}

/// The added lines that satisfy a rule, each once, in the order of paths and lines.
fn evidence(seen: &[Seen<'_>], rule: u8) -> Vec<Evidence> {
    let mut places = BTreeSet::new();
    for half in seen.iter().filter_map(|file| file.new.as_ref()) {
        let own = half
            .evidence
            .iter()
            .filter(|evidence| evidence.rule == rule);
        for evidence in own.filter(|evidence| half.facts.is_changed(evidence.span)) {
            let Some(place) = locate(half.facts, evidence.span) else {
                continue;
            };
            places.insert((half.facts.path.as_str(), place.line, evidence.note.as_str()));
        }
    }
    let mut evidence: Vec<Evidence> = places.into_iter().map(told).collect();
    evidence.dedup_by(|b, a| (&a.path, a.line) == (&b.path, b.line));
    evidence.truncate(EVIDENCE_LIMIT);
    evidence
}

fn told((path, line, note): (&str, u32, &str)) -> Evidence {
    Evidence {
        path: path.to_owned(),
        line,
        note: note.to_owned(),
    }
}
