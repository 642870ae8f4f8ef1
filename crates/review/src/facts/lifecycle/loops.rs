//! Objects that a loop makes one after the other: each needs its own end.

use super::fault::{Fault, FaultKind};
use super::{Closing, Holder, Made};
use crate::facts::{Facts, Part, StmtId, StmtKind};

impl Facts {
    /// The close behind the loop that makes the objects: it ends the last one only.
    pub(super) fn only_last(
        &self,
        made: &Made,
        holder: &Holder,
        closings: &[Closing],
    ) -> Option<Fault> {
        let outer = self.innermost_loop(made.stmt)?;
        let span = self.stmt(outer).span;
        let first = *closings.first()?;
        let behind = |closing: &Closing| closing.span.start >= span.end;
        let each = closings.iter().all(behind)
            && !self.is_made_once(made.stmt, outer, holder)
            && !self.is_retry(outer);
        each.then(|| Fault {
            kind: FaultKind::OnlyLast(first),
            proven: self.sees_enclosure(made.stmt),
        })
    }

    /// `if writer is None: writer = ...`, or the loop is left once the object is there.
    fn is_made_once(&self, made: StmtId, outer: StmtId, holder: &Holder) -> bool {
        let inside = |stmt: StmtId| stmt > outer;
        self.tests_holder(made, holder)
            || self.always_leaves(self.following(made))
            || self
                .ancestors(made)
                .take_while(|around| inside(around.stmt))
                .any(|around| self.always_leaves(self.following(around.stmt)))
    }

    /// Whether the statement runs only if a test about the object says so.
    pub(crate) fn tests_holder(&self, stmt: StmtId, holder: &Holder) -> bool {
        self.is_tested(stmt, holder, |_| true)
    }

    /// The same of tests behind the object's making: in `if not link: link = connect()` the test is about another.
    pub(super) fn tests_after(&self, stmt: StmtId, made: StmtId, holder: &Holder) -> bool {
        self.is_tested(stmt, holder, |test| test > made)
    }

    fn is_tested(&self, stmt: StmtId, holder: &Holder, counts: impl Fn(StmtId) -> bool) -> bool {
        let mentions = self.mentions_of(holder);
        self.ancestors(stmt)
            .filter(|around| counts(around.stmt))
            .any(|around| match self.stmt(around.stmt).kind {
                StmtKind::If { test, .. } => {
                    let span = self.expr(test).span;
                    mentions
                        .iter()
                        .any(|&mention| span.contains(self.expr(mention).span))
                }
                _ => false,
            })
    }

    /// `while True: try: x = connect() ... else: break` makes one object in the end.
    fn is_retry(&self, outer: StmtId) -> bool {
        let StmtKind::While { body, .. } = &self.stmt(outer).kind else {
            return false;
        };
        self.statements_in(body)
            .iter()
            .any(|&stmt| matches!(self.stmt(stmt).kind, StmtKind::Break))
    }

    /// A new object takes the name of one that was made before the loop and that nothing ended on the way.
    pub(super) fn overwrites(&self, made: &Made, holder: &Holder, closings: &[Closing]) -> bool {
        let Some(outer) = self.innermost_loop(made.stmt) else {
            return false;
        };
        let span = self.stmt(outer).span;
        let before = self.made().iter().any(|other| {
            other.holder() == Some(holder)
                && other.resource == made.resource
                && self.always_before(other.stmt, outer)
        });
        let ended = closings.iter().any(|closing| {
            span.contains(closing.span) && closing.span.start < self.expr(made.call).span.start
        });
        let in_handler_of_first = self
            .ancestors(made.stmt)
            .any(|around| matches!(around.part, Part::Handler(_)));
        before && !ended && !in_handler_of_first
    }
}
