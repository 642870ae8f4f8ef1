//! A found hit as the report's finding.

use super::found::Found;
use super::locate::{locate, locate_in};
use super::quoted::quoted;
use super::seen::{Half, Seen};
use crate::rules::{Check, Place};
use report::{Finding, Reference};

/// `None` where the diff shows no line of it.
pub(super) fn finding(seen: &[Seen<'_>], found: Found) -> Option<Finding> {
    let (file, half, sighting) = found.of(seen)?;
    let hit = &sighting.hit;
    let (head, span) = found
        .at
        .map_or((sighting.head, hit.anchor.span), |cause| (cause, cause));
    let place = locate_in(half.facts, head, span)?;
    let about = found.at.map(|_| Place {
        span: hit.anchor.span,
        note: "what it is about".to_owned(),
    });
    let others = hit.related.iter().filter(|other| {
        let is_here = found.at.is_some_and(|cause| cause.overlaps(other.span));
        !is_here
    });
    let mut related: Vec<Reference> = about
        .iter()
        .chain(others)
        .filter_map(|place| reference(half, place))
        .collect();
    related.extend(found.related.iter().cloned());
    Some(Finding {
        id: found.id.clone(),
        rule: hit.check.rule,
        check: hit.check.id.to_owned(),
        severity: sighting.severity(),
        verdict: found.verdict,
        side: found.side,
        path: half.facts.path.clone(),
        commit: file.file.commit,
        line: place.line,
        end_line: place.end_line,
        column: place.column,
        end_column: place.end_column,
        message: with_remark(&quoted(&hit.words.message), found.remark),
        why: quoted(&hit.words.why),
        ask: quoted(&hit.words.ask),
        reason: found.reason.clone(),
        related,
        also: found.also.clone(),
        references: references(hit.check),
    })
}

fn with_remark(message: &str, remark: Option<&str>) -> String {
    match remark {
        Some(remark) => format!("{message} {remark}"),
        None => message.to_owned(),
    }
}

fn reference(half: &Half<'_>, place: &Place) -> Option<Reference> {
    let at = locate(half.facts, place.span)?;
    Some(Reference {
        side: half.facts.document.side,
        path: half.facts.path.clone(),
        line: at.line,
        end_line: at.end_line,
        note: place.note.clone(),
    })
}

/// The pull requests that the topic names for the rule and for this check.
fn references(check: &Check) -> Vec<u32> {
    let card = topic::topic().rule(check.rule);
    let mut references = card
        .map(|card| card.references_of(check.id))
        .unwrap_or_default();
    references.extend(check.references);
    let mut seen = Vec::new();
    references.retain(|number| {
        let is_new = !seen.contains(number);
        seen.push(*number);
        is_new
    });
    references
}
