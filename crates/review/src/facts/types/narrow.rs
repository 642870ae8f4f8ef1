//! What an `isinstance` around an expression, or in front of it, proves.

use super::Type;
use super::infer::Fuel;
use crate::facts::Facts;
use crate::facts::hir::*;

impl Facts {
    /// `isinstance(x, Future)` in a condition that holds where the expression stands.
    pub(super) fn narrowed(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let text = match self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.dotted(id)?,
            _ => return None,
        };
        let stmt = self.expr(id).stmt;
        let around = self.ancestors(stmt).filter(|a| a.part == Part::Body);
        let tests = around.filter_map(|a| match self.stmt(a.stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => Some(test),
            _ => None,
        });
        let own = match self.stmt(stmt).kind {
            StmtKind::If { test, .. } => Some(test),
            _ => None,
        };
        let conditions = self.conditions_around(id);
        own.into_iter()
            .chain(tests)
            .chain(conditions)
            .chain(self.early_returns(stmt))
            .find_map(|test| self.instance_test(test, &text, fuel))
    }

    /// Conditional expressions and comprehension filters around an expression.
    fn conditions_around(&self, id: ExprId) -> Vec<ExprId> {
        let mut tests = Vec::new();
        let mut at = self.expr(id).parent;
        while let Some(parent) = at {
            match &self.expr(parent).kind {
                ExprKind::Conditional { test, .. } => tests.push(*test),
                ExprKind::Comprehension { conditions, .. } => tests.extend(conditions),
                ExprKind::Bool { left, .. } => tests.push(*left),
                _ => {}
            }
            at = self.expr(parent).parent;
        }
        tests
    }

    /// Tests of `if not isinstance(...): return` before a statement in its block.
    fn early_returns(&self, stmt: StmtId) -> Vec<ExprId> {
        let block = self.block_of(stmt);
        let before = block.iter().take_while(|&&s| s != stmt);
        before
            .filter_map(|&s| match &self.stmt(s).kind {
                StmtKind::If { test, body, .. } if self.always_leaves(body) => {
                    match self.expr(*test).kind {
                        ExprKind::Not(inner) => Some(inner),
                        _ => None,
                    }
                }
                _ => None,
            })
            .collect()
    }

    fn instance_test(&self, test: ExprId, text: &str, fuel: Fuel<'_>) -> Option<Type> {
        self.within(test).find_map(|id| {
            let call = self.call(id)?;
            let is_it = call.callee() == "isinstance" && self.dotted(call.positional(0)?)? == text;
            let negated = matches!(self.expr(test).kind, ExprKind::Not(_));
            (is_it && !negated)
                .then(|| self.annotation_type(call.positional(1)?, fuel))
                .flatten()
        })
    }
}
