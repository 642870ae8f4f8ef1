//! Which hits the change brought.
//!
//! A hit of the new side is the diff's if an added line lies in the head of its statement or in one of its causes,
//! and it is shown at an added line.
//! On context lines it is the diff's only if the old side shows the same statement without the hit: then the
//! change took a guard away. Hits that stood there and still stand are nobody's news.

use super::found::Found;
use super::normal::normal;
use super::removed;
use super::seen::{Half, Seen, Sighting};
use crate::facts::{Span, StmtId};
use report::{Side, Verdict};

/// Checks whose hits are shown at their own statement, whichever of their lines are new.
const STAY: &[&str] = &["acquire-without-release"];

/// The hits of all files that the change brought or touched.
pub(super) fn place(seen: &[Seen<'_>]) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, file) in seen.iter().enumerate() {
        let Some(new) = &file.new else { continue };
        for (n, sighting) in new.sightings.iter().enumerate() {
            let mut one = Found::new(at, Side::New, n, sighting);
            one.at = added_cause(file, new, sighting);
            if is_touched(new, sighting) {
                found.push(touched(file, new, sighting, one));
            } else if one.verdict != Verdict::Excused {
                found.extend(brought(file, new, sighting, one));
            }
        }
    }
    found
}

/// Whether the diff adds a line of the statement's head or of a cause.
pub(super) fn is_touched(half: &Half<'_>, sighting: &Sighting) -> bool {
    let causes = sighting.hit.causes.iter().copied();
    std::iter::once(sighting.head)
        .chain(causes)
        .any(|span| half.facts.is_changed(span))
}

/// A hit that added lines make. Where all that they add to it is a cause that stood there before, indented anew because
/// what was around it is gone, the line that is gone explains more.
fn touched(file: &Seen<'_>, new: &Half<'_>, sighting: &Sighting, one: Found) -> Found {
    let only_moved = one.at.is_none() && !new.facts.is_changed(sighting.head);
    let lost = only_moved
        .then(|| brought(file, new, sighting, one.clone()))
        .flatten();
    lost.unwrap_or_else(|| removed::beside(file, new, sighting, one))
}

/// The first cause that the diff adds, of a hit whose own statement it does not touch.
fn added_cause(file: &Seen<'_>, half: &Half<'_>, sighting: &Sighting) -> Option<Span> {
    let stays = STAY.contains(&sighting.hit.check.id) || half.facts.is_changed(sighting.head);
    let was_there = |span: Span| {
        let text = normal(half.facts.text(span));
        let old = file.old.as_ref();
        old.is_some_and(|old| old.changed.iter().any(|(_, was)| was.contains(&text)))
    };
    let mut causes = sighting.hit.causes.iter().copied();
    causes.find(|&span| !stays && half.facts.is_changed(span) && !was_there(span))
}

/// A hit on context lines that the old side does not have, with the line whose loss explains it.
fn brought(file: &Seen<'_>, new: &Half<'_>, sighting: &Sighting, one: Found) -> Option<Found> {
    let old = file.old.as_ref()?;
    let twin = twin(file, old, new, sighting)?;
    let before = old
        .sightings
        .iter()
        .find(|before| before.covers(sighting) && before.hit.anchor.stmt == twin);
    if before.is_some_and(|before| !before.is_excused()) {
        return None;
    }
    removed::around(file, (old, twin), (new, sighting.hit.anchor.stmt), one)
}

/// The statement of the old side that stands unchanged as this hit's statement, or that has its `except` line.
pub(super) fn twin(
    file: &Seen<'_>,
    old: &Half<'_>,
    new: &Half<'_>,
    sighting: &Sighting,
) -> Option<StmtId> {
    let line = file
        .rows
        .old_line(new.first_line(sighting.hit.anchor.stmt)?)?;
    let is_it = |span: Span| normal(old.facts.text(span)) == sighting.statement;
    let is_twin = |&stmt: &StmtId| {
        let mut clauses = old.facts.handlers(stmt).iter();
        old.first_line(stmt) == Some(line)
            && (is_it(old.facts.stmt(stmt).head) || clauses.any(|clause| is_it(clause.span)))
    };
    old.facts.stmt_ids().find(is_twin)
}
