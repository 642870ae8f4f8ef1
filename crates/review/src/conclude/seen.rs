//! What the checks see on both sides of each file.

use super::normal::normal;
use super::rows::Rows;
use crate::facts::{Call, Facts, ScopeId, Span, StmtId};
use crate::plan::{FileFacts, Plan};
use crate::rules::{self, Context, Evidence, Hit, Others, Outcome};
use report::Side;
use std::sync::{Arc, OnceLock};

/// Does a piece of work for every number below the first argument, in any order, also several at once.
pub type Each<'e> = &'e dyn Fn(usize, &(dyn Fn(usize) + Sync));

/// One piece of work after another.
pub(super) const IN_TURN: Each<'static> = &|count, work| (0..count).for_each(work);

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
    pub(super) changed: Arc<[(StmtId, String)]>,
    pub(super) sightings: Vec<Sighting>,
    pub(super) evidence: Vec<Evidence>,
}

/// What the checks saw on the sides of a file. It is kept where it depends on the file alone, so that a file that did not
/// change is not looked at again: neither in the report, once it was told, nor after an edit elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looks {
    old: Arc<OnceLock<Looked>>,
    new: Arc<OnceLock<Looked>>,
}

#[derive(Clone, Debug)]
struct Looked {
    changed: Arc<[(StmtId, String)]>,
    sightings: Vec<Sighting>,
    evidence: Vec<Evidence>,
}

/// A hit and the text that it is recognised by.
#[derive(Clone, Debug)]
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

impl Sighting {
    /// Whether this hit says, or says worse, what a later one of the same statement says.
    pub(super) fn covers(&self, later: &Sighting) -> bool {
        let id = later.hit.check.id;
        self.hit.check.id == id || self.hit.stands_for.contains(&id)
    }
}

impl Half<'_> {
    pub(super) fn sighting(&self, at: usize) -> Option<&Sighting> {
        self.sightings.get(at)
    }

    /// The statements whose heads the diff changed.
    pub(super) fn changed_stmts(&self) -> impl Iterator<Item = StmtId> {
        self.changed.iter().map(|&(stmt, _)| stmt)
    }

    /// The calls in them.
    pub(super) fn changed_calls(&self) -> impl Iterator<Item = Call<'_>> {
        self.changed_stmts()
            .flat_map(|stmt| self.facts.calls_in(stmt))
    }

    /// Whether the diff changed the head of a statement.
    pub(super) fn is_changed(&self, stmt: StmtId) -> bool {
        self.changed_stmts().any(|changed| changed == stmt)
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

/// Runs every check on each side of each file. The files are looked at in whatever order `each` likes, also at once.
pub(super) fn see<'a>(plan: &'a Plan, files: &'a [FileFacts], each: Each<'_>) -> Vec<Seen<'a>> {
    let (old, new) = (side(files, Side::Old), side(files, Side::New));
    let see_one = |facts: &'a FileFacts| {
        let file = plan.patch.files.get(facts.file)?;
        let half = |side, others: &[&Facts]| {
            let own = facts.side(side)?;
            Some(facts.looks.half(plan, own, side, others))
        };
        Some(Seen {
            file,
            rows: Rows::new(&plan.patch, file),
            old: half(Side::Old, &old),
            new: half(Side::New, &new),
        })
    };
    let seen: Vec<OnceLock<Option<Seen<'a>>>> = files.iter().map(|_| OnceLock::new()).collect();
    each(files.len(), &|n| {
        if let (Some(facts), Some(seen)) = (files.get(n), seen.get(n)) {
            seen.get_or_init(|| see_one(facts));
        }
    });
    seen.into_iter()
        .filter_map(OnceLock::into_inner)
        .flatten()
        .collect()
}

/// One side of all files.
fn side(files: &[FileFacts], side: Side) -> Vec<&Facts> {
    let facts = files.iter().filter_map(|file| file.side(side));
    facts.map(|facts| &**facts).collect()
}

impl Looks {
    /// Those that still hold for a file of which these sides are not linked to others; what the checks saw before
    /// says nothing of a linked side.
    pub(super) fn of(&self, old: bool, new: bool) -> Looks {
        let kept = |looked: &Arc<OnceLock<Looked>>, holds: bool| match holds {
            true => Arc::clone(looked),
            false => Arc::default(),
        };
        Looks {
            old: kept(&self.old, old),
            new: kept(&self.new, new),
        }
    }

    fn half<'a>(&self, plan: &Plan, facts: &'a Facts, side: Side, others: &[&Facts]) -> Half<'a> {
        let kept = match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        };
        let looked = kept.get().cloned().unwrap_or_else(|| {
            let others = Others::new(others, &facts.path);
            let context = Context {
                facts,
                others,
                profile: &plan.profile,
            };
            let looked = look(&context);
            if !context.others.is_asked() {
                // Somebody else may have been faster, with the same.
                let _ = kept.set(looked.clone());
            }
            looked
        });
        Half {
            facts,
            changed: looked.changed,
            sightings: looked.sightings,
            evidence: looked.evidence,
        }
    }
}

fn look(context: &Context<'_>) -> Looked {
    let mut outcome = Outcome::default();
    for check in rules::checks() {
        (check.detect)(context, &mut outcome);
    }
    let facts = context.facts;
    let sighting = |hit| Sighting::new(facts, hit);
    Looked {
        changed: changed(facts).into(),
        sightings: outcome.hits.into_iter().map(sighting).collect(),
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
