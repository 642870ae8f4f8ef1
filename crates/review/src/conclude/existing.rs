//! Hits that stood on the old side too: unchanged, moved, re-indented, or in a statement that was rewritten.

use super::found::Found;
use super::place::twin;
use super::seen::{Half, Seen, Sighting};
use report::{Side, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

const REWRITTEN: &str = "It was so before this change, too.";

/// An old-side sighting: file and index.
type Before = (usize, usize);

/// Marks what the change only moved, and says of rewritten statements that they keep their fault.
pub(super) fn mark(seen: &[Seen<'_>], found: &mut [Found]) {
    let mut taken: FxHashSet<Before> = FxHashSet::default();
    let gone = gone(seen);
    for one in found.iter_mut() {
        let Some(before) = same(seen, one, &taken, &gone) else {
            continue;
        };
        taken.insert(before);
        exists(seen, one, before);
    }
    for one in found.iter_mut().filter(|one| one.verdict.counts()) {
        if let Some(before) = replaced(seen, one, &taken) {
            taken.insert(before);
            // Whether it was a fault before stands in lines that are not shown, as whether it is one now: the change
            // brought neither.
            match one.of(seen).is_some_and(|(_, _, of)| of.hit.is_unseen) {
                true => exists(seen, one, before),
                false => one.remark = Some(REWRITTEN),
            }
        }
    }
}

/// What the diff deletes of all old sides, by statement, in the order of the diff.
type Gone<'s> = FxHashMap<&'s str, Vec<Before>>;

fn gone<'s>(seen: &'s [Seen<'_>]) -> Gone<'s> {
    let mut gone = Gone::default();
    for (at, file) in seen.iter().enumerate() {
        let Some(old) = &file.old else { continue };
        for (n, before) in old.sightings.iter().enumerate() {
            if is_deleted(old, before) {
                gone.entry(&before.statement).or_default().push((at, n));
            }
        }
    }
    gone
}

fn exists(seen: &[Seen<'_>], one: &mut Found, before: Before) {
    one.verdict = Verdict::Existing;
    one.reason = Some(reason(seen, one, before));
    one.related.clear();
}

/// The same hit of the old side that is not taken yet: in this file first, in the same scope first.
fn same(
    seen: &[Seen<'_>],
    one: &Found,
    taken: &FxHashSet<Before>,
    gone: &Gone<'_>,
) -> Option<Before> {
    let (file, new, sighting) = one.of(seen)?;
    let here = file.old.as_ref().and_then(|old| {
        let own = new.scope_names(sighting.hit.anchor.stmt);
        let candidates = equal(old, sighting).filter(|(n, before)| {
            !taken.contains(&(one.file, *n)) && is_that(file, old, (new, sighting), before)
        });
        let strange = |before: &Sighting| own != old.scope_names(before.hit.anchor.stmt);
        candidates
            .min_by_key(|(n, before)| (strange(before), *n))
            .map(|(n, _)| (one.file, n))
    });
    here.or_else(|| elsewhere(seen, one, taken, gone))
}

/// The same hit on deleted lines of another file of the same commit.
fn elsewhere(
    seen: &[Seen<'_>],
    one: &Found,
    taken: &FxHashSet<Before>,
    gone: &Gone<'_>,
) -> Option<Before> {
    let (file, _, sighting) = one.of(seen)?;
    let is_it = |&(at, n): &Before| {
        let other = seen
            .get(at)
            .filter(|other| other.file.commit == file.file.commit);
        let before = other.and_then(|other| other.old.as_ref()?.sighting(n));
        at != one.file
            && before.is_some_and(|before| is_equal(before, sighting))
            && !taken.contains(&(at, n))
    };
    gone.get(&*sighting.statement)?.iter().copied().find(is_it)
}

/// Old sightings of the same fault at an equal statement, no more excused than this one.
fn equal<'h>(
    old: &'h Half<'_>,
    sighting: &'h Sighting,
) -> impl Iterator<Item = (usize, &'h Sighting)> {
    old.sightings
        .iter()
        .enumerate()
        .filter(move |(_, before)| is_equal(before, sighting))
}

fn is_equal(before: &Sighting, sighting: &Sighting) -> bool {
    before.covers(sighting)
        && before.statement == sighting.statement
        && before.hit.subject == sighting.hit.subject
        && (sighting.is_excused() || !before.is_excused())
}

/// Whether the old statement is the new one: deleted here to be added there, or standing where it stood.
fn is_that(
    file: &Seen<'_>,
    old: &Half<'_>,
    (new, sighting): (&Half<'_>, &Sighting),
    before: &Sighting,
) -> bool {
    is_deleted(old, before) || twin(file, old, new, sighting) == Some(before.hit.anchor.stmt)
}

fn is_deleted(old: &Half<'_>, before: &Sighting) -> bool {
    old.facts.is_changed(before.head)
}

/// A hit of the same check that the diff deletes in the stretch of change where it adds this one.
fn replaced(seen: &[Seen<'_>], one: &Found, taken: &FxHashSet<Before>) -> Option<Before> {
    let (file, new, sighting) = one.of(seen)?;
    let old = file.old.as_ref()?;
    let stretches = |half: &Half<'_>, side: Side, of: &Sighting| -> Vec<u32> {
        let lines = half.facts.diff_lines(of.head);
        lines
            .filter_map(|(line, _)| file.rows.stretch(side, line))
            .collect()
    };
    let own = stretches(new, Side::New, sighting);
    let is_fallback = |half: &Half<'_>, of: &Sighting| half.facts.is_fallback(of.hit.anchor.stmt);
    let falls_back = is_fallback(new, sighting);
    old.sightings
        .iter()
        .enumerate()
        .find(|(n, before)| {
            before.covers(sighting)
                && before.hit.subject == sighting.hit.subject
                && !before.is_excused()
                && (falls_back || !is_fallback(old, before))
                && !taken.contains(&(one.file, *n))
                && stretches(old, Side::Old, before)
                    .iter()
                    .any(|at| own.contains(at))
        })
        .map(|(n, _)| (one.file, n))
}

fn reason(seen: &[Seen<'_>], one: &Found, (at, n): Before) -> String {
    let old = seen.get(at).and_then(|file| file.old.as_ref());
    let line = old.and_then(|old| old.first_line(old.sighting(n)?.hit.anchor.stmt));
    let line = line.unwrap_or(0);
    match old {
        Some(old) if at != one.file => format!(
            "It stood there before and only moved: it was on line {line} of {}.",
            old.facts.path
        ),
        _ => format!("It stood there before this change: line {line} of the old side."),
    }
}
