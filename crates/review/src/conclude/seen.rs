//! What the checks see on both sides of each file.

use super::normal::normal;
use super::rows::Rows;
use crate::facts::{Facts, ScopeId, Span, StmtId};
use crate::plan::{FileFacts, Plan};
use crate::rules::{self, Context, Evidence, Hit, Outcome};
use report::Side;

/// One file of the diff with everything that was seen in it.
pub(super) struct Seen<'a> {
    pub(super) file: &'a diff::File,
    pub(super) rows: Rows,
    pub(super) old: Option<Half<'a>>,
    pub(super) new: Option<Half<'a>>,
}

/// One side of it.
pub(super) struct Half<'a> {
    pub(super) facts: &'a Facts,
    /// The statements whose heads the diff changed, with their normalised heads.
    pub(super) changed: Vec<(StmtId, String)>,
    pub(super) sightings: Vec<Sighting>,
    pub(super) evidence: Vec<Evidence>,
}

/// A hit and the text that it is recognised by.
pub(super) struct Sighting {
    pub(super) hit: Hit,
    /// The statement's head; of an anchor outside of it (an `except` line) the anchor.
    pub(super) head: Span,
    /// The head, normalised.
    pub(super) statement: String,
}

impl<'a> Seen<'a> {
    pub(super) fn half(&self, side: Side) -> Option<&Half<'a>> {
        match side {
            Side::Old => self.old.as_ref(),
            Side::New => self.new.as_ref(),
        }
    }
}

impl Sighting {
    pub(super) fn new(facts: &Facts, hit: Hit) -> Sighting {
        let head = facts.stmt(hit.anchor.stmt).head;
        let head = if head.overlaps(hit.anchor.span) {
            head
        } else {
            hit.anchor.span
        };
        let statement = normal(facts.text(head));
        Sighting {
            hit,
            head,
            statement,
        }
    }
}

impl Half<'_> {
    pub(super) fn sighting(&self, at: usize) -> Option<&Sighting> {
        self.sightings.get(at)
    }

    /// The names of the classes and functions around a statement, innermost first, as far as they are shown.
    pub(super) fn scope_names(&self, stmt: StmtId) -> Vec<&str> {
        let mut names = Vec::new();
        let mut at = Some(self.facts.stmt(stmt).scope);
        while let Some(scope) = at {
            names.extend(self.facts.scope_name(scope));
            at = self.facts.scope(scope).parent;
        }
        names
    }

    /// The first line of a statement that the diff shows.
    pub(super) fn first_line(&self, stmt: StmtId) -> Option<u32> {
        let head = self.facts.stmt(stmt).head;
        self.facts.diff_lines(head).next().map(|(line, _)| line)
    }

    /// The lines of a scope, of all its fragments, with whether the diff changed them.
    pub(super) fn lines_of(&self, scope: ScopeId) -> Vec<(u32, bool)> {
        self.facts
            .fragments(scope)
            .flat_map(|id| self.facts.diff_lines(self.facts.scope(id).span))
            .collect()
    }
}

/// Runs every check on each side of each file.
pub(super) fn see<'a>(plan: &'a Plan, files: &'a [FileFacts]) -> Vec<Seen<'a>> {
    let mut seen = Vec::new();
    for (at, facts) in files.iter().enumerate() {
        let Some(file) = plan.patch.files.get(facts.file) else {
            continue;
        };
        let half = |side| {
            let own = facts.side(side)?;
            Some(look(plan, own, &others(files, at, side)))
        };
        seen.push(Seen {
            file,
            rows: Rows::new(&plan.patch, file),
            old: half(Side::Old),
            new: half(Side::New),
        });
    }
    seen
}

/// The same side of the other files; of several versions of one path none explains another.
fn others(files: &[FileFacts], at: usize, side: Side) -> Vec<&Facts> {
    let path = files.get(at).and_then(|own| own.side(side));
    let path = path.map_or("", |facts| facts.path.as_str());
    files
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != at)
        .filter_map(|(_, other)| other.side(side).map(|facts| &**facts))
        .filter(|other| other.path != path)
        .collect()
}

fn look<'a>(plan: &Plan, facts: &'a Facts, others: &[&Facts]) -> Half<'a> {
    let context = Context {
        facts,
        others,
        profile: &plan.profile,
    };
    let mut outcome = Outcome::default();
    for check in rules::checks() {
        (check.detect)(&context, &mut outcome);
    }
    Half {
        facts,
        changed: changed(facts),
        sightings: outcome
            .hits
            .into_iter()
            .map(|hit| Sighting::new(facts, hit))
            .collect(),
        evidence: outcome.evidence,
    }
}

fn changed(facts: &Facts) -> Vec<(StmtId, String)> {
    let heads = facts.stmt_ids().map(|stmt| (stmt, facts.stmt(stmt).head));
    heads
        .filter(|(_, head)| facts.is_changed(*head))
        .map(|(stmt, head)| (stmt, normal(facts.text(head))))
        .collect()
}
