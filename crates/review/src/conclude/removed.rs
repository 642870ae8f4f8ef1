//! The deleted line that explains why something is a hit now.

use super::found::Found;
use super::normal::has_code;
use super::rows::Row;
use super::seen::{Half, Seen, Sighting};
use crate::facts::StmtId;
use report::{Reference, Side};

/// Words of the very act that guards something: a deleted line with one of them explains more than its neighbours.
const ACTS: &[&str] = &[
    "timeout",
    "release",
    "lock",
    "join",
    "shutdown",
    "finalize",
    "maxlen",
    "maxsize",
    "atomic",
    "close",
    "replace",
    "expire",
    "ttl",
    "pop",
    "popitem",
    "clear",
    "discard",
    "remove",
    "suppress",
    "cancel",
    "stop",
    "terminate",
    "detach",
    "wait",
    "blocking",
    "ignore",
    "missing",
    "sanitize",
    "exit",
];

/// Words of the frame around such an act.
const FRAMES: &[&str] = &["with", "finally", "except", "try"];

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
    if let Some(row) = nearest(&file.rows.deleted, line, &areas(old, was)) {
        one.related
            .push(reference(file, Side::Old, row, "deleted here"));
        one.remark = Some(REMARK);
        return Some(one);
    }
    // Only the function: what is added elsewhere in the class has hits of its own.
    let function: Vec<_> = areas(new, is).into_iter().take(1).collect();
    let row = nearest(&file.rows.added, new.first_line(is)?, &function)?;
    one.related
        .push(reference(file, Side::New, row, "added here"));
    Some(one)
}

/// A hit on added lines: names the line with a guard that was deleted in the same stretch of change, if there is one.
pub(super) fn beside(
    file: &Seen<'_>,
    new: &Half<'_>,
    sighting: &Sighting,
    mut one: Found,
) -> Found {
    let stretches: Vec<u32> = new
        .facts
        .diff_lines(sighting.head)
        .filter_map(|(line, _)| file.rows.stretch(Side::New, line))
        .collect();
    let within = |row: &&Row| stretches.contains(&row.stretch);
    let kept: Vec<&Row> = file.rows.added.iter().filter(within).collect();
    let lost =
        file.rows.deleted.iter().filter(within).find(|row| {
            guards(&row.text).any(|word| !kept.iter().any(|row| says(&row.text, word)))
        });
    if let Some(row) = lost {
        one.related
            .push(reference(file, Side::Old, row, "deleted here"));
    }
    one
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

/// How little a line explains.
fn weight(text: &str) -> usize {
    let names = |words: &[&str]| words.iter().any(|word| says(text, word));
    match (names(ACTS), names(FRAMES)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

fn guards(text: &str) -> impl Iterator<Item = &'static str> {
    let words = ACTS.iter().chain(FRAMES).copied();
    words.filter(|word| has_code(text) && says(text, word))
}

fn says(text: &str, word: &str) -> bool {
    topic::words(text).any(|own| own == word)
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
