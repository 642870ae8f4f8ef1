//! Both sides of a file, as one who looks for lost guards sees them, and what the checks say of the new one already.

use crate::conclude::rows::Rows;
use crate::conclude::seen::{Half, Seen, Sighting};
use crate::facts::StmtId;
use crate::rules::{Check, Context, Others};
use topic::Profile;

/// Both sides of a file that was there before and still is.
pub(super) struct Sides<'s> {
    pub(super) old: &'s Half<'s>,
    pub(super) new: &'s Half<'s>,
    pub(super) rows: &'s Rows,
    pub(super) profile: &'s Profile,
}

/// Where the loss of a guard is worth a word.
#[derive(Clone, Copy)]
pub(super) enum Where {
    /// In any file: what is found weighs its verdict by the place, or speaks of a place that is not shown.
    Anywhere,
    /// Where the code serves somebody: what the loss harms is whoever is served meanwhile.
    Serving,
    /// In all but tests, scripts and command lines: what else trains or prepares data shares objects and files, too.
    Warm,
}

/// What a check says, or any check of its rule.
#[derive(Clone, Copy)]
pub(super) enum Told {
    By(&'static Check),
    ByRuleOf(&'static Check),
}

impl<'s> Sides<'s> {
    pub(super) fn of(file: &'s Seen<'_>, profile: &'s Profile) -> Option<Sides<'s>> {
        Some(Sides {
            old: file.old.as_ref()?,
            new: file.new.as_ref()?,
            rows: &file.rows,
            profile,
        })
    }

    pub(super) fn is(&self, place: Where) -> bool {
        let facts = self.new.facts;
        match place {
            Where::Anywhere => true,
            Where::Serving => facts.idle_file(self.profile).is_none(),
            Where::Warm => facts.cold_file(self.profile).is_none(),
        }
    }

    /// The new side as its checks see it, for those who ask no other file.
    pub(super) fn context(&self) -> Context<'s> {
        Context {
            facts: self.new.facts,
            others: Others::default(),
            profile: self.profile,
        }
    }

    /// What stands on the new side already.
    pub(super) fn told(&self, by: Told) -> impl Iterator<Item = &'s Sighting> {
        let sightings = self.new.sightings.iter();
        sightings.filter(move |sighting| by.is(sighting.hit.check))
    }

    /// Whether it stands at this statement.
    pub(super) fn is_told(&self, by: Told, stmt: StmtId) -> bool {
        self.told(by)
            .any(|sighting| sighting.hit.anchor.stmt == stmt)
    }
}

impl Told {
    fn is(self, check: &Check) -> bool {
        match self {
            Told::By(own) => own.id == check.id,
            Told::ByRuleOf(own) => own.rule == check.rule,
        }
    }
}
