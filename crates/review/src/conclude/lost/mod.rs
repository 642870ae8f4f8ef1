//! What a change took away with the lines that it deletes or rewrites: one file for each kind of guard.
//!
//! Checks see one side; a guard that went is seen by comparing both. Each hit gets the words of the check that speaks of
//! what is missing, and the deleted line beside it. Where a check sees the fault itself, its hit stands, and none is added.

mod awaits;
mod bounds;
mod dimensions;
mod endings;
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
mod sides;
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
use sides::{Sides, Told, Where};

/// A hit that the change made by taking a guard away.
struct Loss {
    hit: Hit,
    guard: Guard,
}

/// What a reader is shown of the guard that went.
enum Guard {
    /// It went in whatever way: the deleted line is the one by which the hit's statement was guarded.
    Gone,
    /// It went with this statement of the old side.
    With(StmtId),
    /// The hit stands at it, on the old side, since the new one shows nothing of what it guarded.
    Here,
}

impl Loss {
    fn gone(hit: Hit) -> Loss {
        Loss {
            hit,
            guard: Guard::Gone,
        }
    }

    fn with(stmt: StmtId, hit: Hit) -> Loss {
        Loss {
            hit,
            guard: Guard::With(stmt),
        }
    }

    fn here(hit: Hit) -> Loss {
        Loss {
            hit,
            guard: Guard::Here,
        }
    }
}

/// One kind of guard: where its loss is worth a word, and what finds it.
type Kind = (Where, fn(&Sides<'_>) -> Vec<Loss>);

/// Each kind, in the order in which they are looked for: of what one has found the later ones know.
const KINDS: &[Kind] = &[
    (Where::Anywhere, unshown::lost),
    (Where::Anywhere, dimensions::lost),
    (Where::Anywhere, forms::lost),
    (Where::Warm, locks::lost),
    (Where::Anywhere, timeouts::lost),
    (Where::Serving, handovers::lost),
    (Where::Warm, reentrance::lost),
    (Where::Warm, removals::lost),
    (Where::Warm, replaces::lost),
    (Where::Serving, tries::lost),
    (Where::Serving, raises::lost),
    (Where::Warm, pruning::lost),
    (Where::Warm, known_keys::lost),
    (Where::Warm, bounds::lost),
    (Where::Warm, supers::lost),
    (Where::Warm, expiry::lost),
    (Where::Warm, awaits::lost),
    (Where::Warm, endings::lost),
];

/// Adds what was lost to the sides where it is shown, and finds it there.
pub(super) fn add(plan: &Plan, seen: &mut [Seen<'_>]) -> Vec<Found> {
    let mut found = Vec::new();
    for (place, lost) in KINDS {
        for (at, file) in seen.iter_mut().enumerate() {
            let sides = Sides::of(file, &plan.profile).filter(|sides| sides.is(*place));
            let losses = sides.as_ref().map(lost).unwrap_or_default();
            found.extend(losses.into_iter().filter_map(|loss| shown(at, file, loss)));
        }
    }
    found
}

fn shown(at: usize, file: &mut Seen<'_>, Loss { hit, guard }: Loss) -> Option<Found> {
    let (side, half) = match guard {
        Guard::Here => (Side::Old, file.old.as_mut()?),
        Guard::Gone | Guard::With(_) => (Side::New, file.new.as_mut()?),
    };
    let sighting = Sighting::new(half.facts, hit);
    let mut one = Found::new(at, side, half.sightings.len(), &sighting);
    half.sightings.push(sighting.clone());
    match guard {
        Guard::Here => Some(one),
        Guard::Gone => Some(beside(file, file.new.as_ref()?, &sighting, one)),
        Guard::With(stmt) => {
            one.related.extend(naming(file, stmt));
            Some(one)
        }
    }
}
