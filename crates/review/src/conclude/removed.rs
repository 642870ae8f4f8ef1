//! The deleted line that explains why something is a hit now.

use super::found::Found;
use super::guards::{NOTHING, guards, guards_against, says, tells, weight};
use super::normal::has_code;
use super::rows::Row;
use super::seen::{Half, Seen, Sighting};
use crate::facts::{Span, StmtId};
use report::{Reference, Side};

const REMARK: &str = "The change took away what stood against this.";

/// A hit on lines that the diff leaves alone: the change must have deleted or added something around it,
/// in its function or, failing that, in its class. Else the hit is none of the change's.
pub(super) fn around(
    file: &Seen<'_>,
    (old, was): (&Half<'_>, StmtId),
    (new, is): (&Half<'_>, StmtId),
    mut one: Found,
) -> Option<Found> {
    let line = old.first_line(was)?;
    let lost = nearest(&file.rows.deleted, line, &areas(old, was));
    let rule = one.rule(file);
    let against = |row: &&Row| {
        guards_against(rule)
            .iter()
            .any(|word| says(&row.text, word))
    };
    let lost = lost
        .filter(|row| weight(&row.text) < NOTHING || against(row))
        .or_else(|| catches_or_tells(file, (old, was), rule));
    if let Some(row) = lost.filter(|row| is_gone(file, (new, is), row, rule)) {
        one.related
            .push(reference(file, Side::Old, row, "deleted here"));
        one.remark = Some(REMARK);
        return Some(one);
    }
    // Only the function: what is added elsewhere in the class has hits of its own.
    let function: Vec<_> = areas(new, is).into_iter().take(1).collect();
    let added = nearest(&file.rows.added, new.first_line(is)?, &function);
    one.related.push(match (added, lost) {
        (Some(row), _) => reference(file, Side::New, row, "added here"),
        (None, Some(row)) => reference(file, Side::Old, row, "deleted here"),
        (None, None) => return None,
    });
    Some(one)
}

/// Whether a deleted line held what stands against faults of a rule, and no added line around holds the like:
/// a guard that got another name or place is still there.
fn is_gone(file: &Seen<'_>, (new, is): (&Half<'_>, StmtId), row: &Row, rule: u8) -> bool {
    let stood: Vec<&str> = guards_against(rule)
        .iter()
        .copied()
        .filter(|word| says(&row.text, word))
        .collect();
    let areas = areas(new, is);
    let around = |number: u32| areas.iter().any(|area| area.contains(&number));
    let stands = |word: &str| {
        let mut added = file.rows.added.iter();
        added.any(|row| around(row.number) && says(&row.text, word))
    };
    let gone = !stood.is_empty() && !stood.into_iter().all(stands);
    gone || (rule == CLEAN_UP && (is_decorator(row) || tells(&row.text)))
}

/// The rule of clean-up, where a line that only tells of a failure counts, and a decorator that catches it.
const CLEAN_UP: u8 = 10;

/// A deleted decorator of the function, or a deleted line that told of the failure.
fn catches_or_tells<'s>(
    file: &'s Seen<'_>,
    (old, was): (&Half<'_>, StmtId),
    rule: u8,
) -> Option<&'s Row> {
    let area = areas(old, was).into_iter().next()?;
    let above = area.first().copied().unwrap_or_default();
    let is_near = |row: &&Row| match is_decorator(row) {
        true => row.number <= above && row.number + DECORATORS > above,
        false => tells(&row.text) && area.contains(&row.number),
    };
    let mut rows = file.rows.deleted.iter();
    rows.find(|row| rule == CLEAN_UP && is_near(row))
}

/// Lines above a function's head in which its decorators stand.
const DECORATORS: u32 = 5;

fn is_decorator(row: &Row) -> bool {
    row.text.trim_start().starts_with('@')
}

/// The line of a statement that the change deleted.
pub(super) fn naming(file: &Seen<'_>, deleted: StmtId) -> Option<Reference> {
    let line = file.old.as_ref().and_then(|old| old.first_line(deleted))?;
    let row = file.rows.deleted.iter().find(|row| row.number == line)?;
    Some(reference(file, Side::Old, row, "deleted here"))
}

/// A hit on added lines: names the deleted line with the guard that its statement had, if there is one.
pub(super) fn beside(
    file: &Seen<'_>,
    new: &Half<'_>,
    sighting: &Sighting,
    mut one: Found,
) -> Found {
    let lost = file.old.as_ref().and_then(|old| {
        let before = former(file, old, new, sighting);
        let kept = new.facts.text(sighting.head);
        let own = file.rows.deleted.iter().find(|row| {
            before.contains(&row.number) && guards(&row.text).any(|word| !says(kept, word))
        });
        own.or_else(|| atomic_beside(file, new, sighting))
    });
    if let Some(row) = lost {
        one.related
            .push(reference(file, Side::Old, row, "deleted here"));
    }
    one
}

/// A deleted call of an atomic helper in the stretch of change that writes by hand now.
fn atomic_beside<'s>(file: &'s Seen<'_>, new: &Half<'_>, sighting: &Sighting) -> Option<&'s Row> {
    let stretches: Vec<u32> = lines(new, sighting.head)
        .filter_map(|line| file.rows.stretch(Side::New, line))
        .collect();
    let is_near = |row: &&Row| {
        let stretch = file.rows.stretch(Side::Old, row.number);
        stretch.is_some_and(|stretch| stretches.contains(&stretch))
    };
    let writes = sighting.hit.check.rule == WRITES;
    let mut near = file.rows.deleted.iter().filter(is_near);
    near.find(|row| writes && row.text.contains('(') && says(&row.text, "atomic"))
}

/// The rule of cache and artifact writes.
const WRITES: u8 = 5;

/// The old lines of what the statement was: of a deleted statement in the same stretch of change that calls the same,
/// and of those around a deleted statement with the same text.
fn former(file: &Seen<'_>, old: &Half<'_>, new: &Half<'_>, sighting: &Sighting) -> Vec<u32> {
    let stretches: Vec<u32> = lines(new, sighting.head)
        .filter_map(|line| file.rows.stretch(Side::New, line))
        .collect();
    let called = called(new, sighting);
    let mut found = Vec::new();
    for (stmt, text) in old.changed.iter() {
        let stmt = *stmt;
        let head = old.facts.stmt(stmt).head;
        let calls = || {
            old.facts
                .calls_in(stmt)
                .any(|call| Some(call.name()) == called)
        };
        let near = || {
            lines(old, head).any(|line| {
                let stretch = file.rows.stretch(Side::Old, line);
                stretch.is_some_and(|stretch| stretches.contains(&stretch))
            })
        };
        if *text == sighting.statement {
            let around = old.facts.ancestors(stmt).map(|around| around.stmt);
            found.extend(around.flat_map(|stmt| lines(old, old.facts.stmt(stmt).head)));
        } else if calls() && near() {
            found.extend(lines(old, head));
        }
    }
    found
}

fn lines(half: &Half<'_>, span: Span) -> impl Iterator<Item = u32> {
    half.facts.diff_lines(span).map(|(line, _)| line)
}

/// The name of the call that the hit is about.
fn called<'f>(half: &Half<'f>, sighting: &Sighting) -> Option<&'f str> {
    let call = half.facts.calls_within(sighting.hit.anchor.span).next()?;
    Some(call.name()).filter(|name| !name.is_empty())
}

/// The lines of the function around a statement, then of its class; of the module where it stands in neither.
fn areas(half: &Half<'_>, stmt: StmtId) -> Vec<Vec<u32>> {
    let scope = half.facts.stmt(stmt).scope;
    let function = half.facts.function_of(scope);
    let class = half.facts.class_of(scope);
    let mut scopes: Vec<_> = function.into_iter().chain(class).collect();
    if scopes.is_empty() {
        scopes.push(scope);
    }
    scopes
        .into_iter()
        .map(|scope| {
            half.lines_of(scope)
                .into_iter()
                .map(|(line, _)| line)
                .collect()
        })
        .collect()
}

/// The changed line of the first area that has any: one with a guard's word before others, the nearest before others.
fn nearest<'r>(rows: &'r [Row], line: u32, areas: &[Vec<u32>]) -> Option<&'r Row> {
    areas.iter().find_map(|area| {
        rows.iter()
            .filter(|row| has_code(&row.text) && area.contains(&row.number))
            .min_by_key(|row| (weight(&row.text), row.number.abs_diff(line)))
    })
}

fn reference(file: &Seen<'_>, side: Side, row: &Row, note: &str) -> Reference {
    let path = file.half(side).map_or("", |half| half.facts.path.as_str());
    Reference {
        side,
        path: path.to_owned(),
        line: row.number,
        end_line: row.number,
        note: format!("{note}: `{}`", row.text.trim()),
    }
}
