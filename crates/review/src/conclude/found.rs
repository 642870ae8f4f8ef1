//! A hit that belongs to the diff, on its way to a finding.

use super::seen::{Half, Seen, Sighting};
use crate::facts::Span;
use crate::rules::HitVerdict;
use report::{Reference, Severity, Side, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Index of the file among the seen ones.
    pub(super) file: usize,
    pub(super) side: Side,
    /// Index of the sighting on that side.
    pub(super) sighting: usize,
    pub(super) verdict: Verdict,
    /// The cause to show it at, where the diff adds that and leaves the hit's own statement alone.
    pub(super) at: Option<Span>,
    /// Of excused and existing ones.
    pub(super) reason: Option<String>,
    /// A sentence about the change, behind the check's own message.
    pub(super) remark: Option<&'static str>,
    /// Places on the old side.
    pub(super) related: Vec<Reference>,
    /// Rules that were merged into this one, ascending.
    pub(super) also: Vec<u8>,
    /// Set by [`super::id`].
    pub(super) id: String,
}

impl Found {
    pub(super) fn new(file: usize, side: Side, at: usize, sighting: &Sighting) -> Found {
        let (verdict, reason) = match &sighting.hit.verdict {
            HitVerdict::Violation => (Verdict::Violation, None),
            HitVerdict::Look => (Verdict::Look, None),
            HitVerdict::Excused(reason) => (Verdict::Excused, Some(reason.clone())),
        };
        Found {
            file,
            side,
            sighting: at,
            verdict,
            at: None,
            reason,
            remark: None,
            related: Vec::new(),
            also: sighting.hit.also.clone(),
            id: String::new(),
        }
    }

    /// The rule of the hit, of which the file is given.
    pub(super) fn rule(&self, file: &Seen<'_>) -> u8 {
        let half = file.half(self.side);
        let sighting = half.and_then(|half| half.sighting(self.sighting));
        sighting.map_or(0, |sighting| sighting.hit.check.rule)
    }

    /// The file, the side and the hit that this is about.
    pub(super) fn of<'s, 'a>(
        &self,
        seen: &'s [Seen<'a>],
    ) -> Option<(&'s Seen<'a>, &'s Half<'a>, &'s Sighting)> {
        let file = seen.get(self.file)?;
        let half = file.half(self.side)?;
        Some((file, half, half.sighting(self.sighting)?))
    }
}

impl Sighting {
    pub(super) fn severity(&self) -> Severity {
        self.hit.severity.unwrap_or(self.hit.check.severity)
    }

    pub(super) fn is_excused(&self) -> bool {
        matches!(self.hit.verdict, HitVerdict::Excused(_))
    }
}
