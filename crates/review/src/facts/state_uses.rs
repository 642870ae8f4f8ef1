//! What a statement does to state that it does not own: entries that it puts or drops, sums that it changes, and what it
//! goes through item by item.

use super::Facts;
use super::hir::*;

impl Facts {
    /// The containers that get or lose an entry, and the fields that are counted up or down.
    pub(crate) fn changed_by(&self, stmt: StmtId) -> Vec<ExprId> {
        let entry = |&target: &ExprId| match self.expr(target).kind {
            ExprKind::Subscript { object, .. } => Some(object),
            _ => None,
        };
        match &self.stmt(stmt).kind {
            StmtKind::Assign {
                targets,
                augmented: true,
                ..
            } => targets
                .iter()
                .map(|target| entry(target).unwrap_or(*target))
                .collect(),
            StmtKind::Assign { targets, .. } | StmtKind::Delete(targets) => {
                targets.iter().filter_map(entry).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `rows` of `for row in rows.values()` and of `[row for row in rows]`. A copy is made in one step.
    pub(crate) fn walked_by(&self, stmt: StmtId) -> Vec<ExprId> {
        let by_loop = match self.stmt(stmt).kind {
            StmtKind::For { iter, .. } => Some(iter),
            _ => None,
        };
        let by_clause = self
            .exprs_of(stmt)
            .filter_map(|id| match &self.expr(id).kind {
                ExprKind::Comprehension { clauses, .. } => {
                    clauses.first().map(|clause| clause.iter)
                }
                _ => None,
            });
        let view = |id: ExprId| match self.call(id) {
            Some(call) if matches!(call.method(), Some("items" | "keys" | "values")) => {
                call.receiver()
            }
            Some(_) => None,
            None => Some(id),
        };
        by_loop
            .into_iter()
            .chain(by_clause)
            .filter_map(view)
            .collect()
    }
}
