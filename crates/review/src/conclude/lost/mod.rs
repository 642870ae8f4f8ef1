//! What a change took away with the lines that it deletes or rewrites: one file for each kind of guard.
//!
//! Checks see one side; a guard that went is seen by comparing both. Each hit gets the words of the check that speaks of
//! what is missing, and the deleted line beside it.

mod awaits;
mod bounds;
mod dimensions;
mod expiry;
mod forms;
mod handovers;
mod known_keys;
mod limits;
mod locks;
mod mentions;
mod pruning;
mod raises;
mod reentrance;
mod removals;
mod replaces;
mod supers;
mod timeouts;
mod tries;
mod unshown;

use super::found::Found;
use super::removed::{beside, naming};
use super::seen::{Seen, Sighting};
use crate::facts::StmtId;
use crate::plan::Plan;
use crate::rules::Hit;
use report::Side;

/// A hit that a deleted statement makes.
struct Loss {
    hit: Hit,
    /// The statement, on the old side.
    deleted: StmtId,
}

/// What stands without its guard since the change, in whatever way it went.
const UNGUARDED: &[fn(&Plan, &Seen<'_>) -> Vec<Hit>] = &[
    dimensions::lost,
    forms::lost,
    locks::lost,
    timeouts::lost,
    handovers::lost,
    reentrance::lost,
    removals::lost,
    replaces::lost,
    tries::lost,
    raises::lost,
];

/// What a change takes away with a statement that it deletes.
const LOSSES: &[fn(&Plan, &Seen<'_>) -> Vec<Loss>] = &[
    pruning::lost,
    known_keys::lost,
    bounds::lost,
    supers::lost,
    expiry::lost,
    awaits::lost,
];

/// Adds what was lost to the sides where it is missing, and finds each with the deleted line.
pub(super) fn add(plan: &Plan, seen: &mut [Seen<'_>]) -> Vec<Found> {
    let mut found = unshown::add(seen);
    for lost in UNGUARDED {
        for (at, file) in seen.iter_mut().enumerate() {
            for hit in lost(plan, file) {
                found.extend(unguarded(at, file, hit));
            }
        }
    }
    for lost in LOSSES {
        for (at, file) in seen.iter_mut().enumerate() {
            for loss in lost(plan, file) {
                found.extend(deleted(at, file, loss));
            }
        }
    }
    found
}

/// The deleted line is the one that its statement was guarded by.
fn unguarded(at: usize, file: &mut Seen<'_>, hit: Hit) -> Option<Found> {
    let (one, sighting) = on_new_side(at, file, hit)?;
    let new = file.new.as_ref()?;
    Some(beside(file, new, &sighting, one))
}

/// The deleted line is known.
fn deleted(at: usize, file: &mut Seen<'_>, loss: Loss) -> Option<Found> {
    let (mut one, _) = on_new_side(at, file, loss.hit)?;
    one.related.extend(naming(file, loss.deleted));
    Some(one)
}

fn on_new_side(at: usize, file: &mut Seen<'_>, hit: Hit) -> Option<(Found, Sighting)> {
    let new = file.new.as_mut()?;
    let sighting = Sighting::new(new.facts, hit);
    let one = Found::new(at, Side::New, new.sightings.len(), &sighting);
    new.sightings.push(sighting.clone());
    Some((one, sighting))
}
