//! From the syntax tree to what builds a collection: dictionaries and comprehensions.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn comprehension(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let (mut elements, mut clauses, mut conditions) = (Vec::new(), Vec::new(), Vec::new());

        for child in self.tree.named_children(node) {
            match self.tree.kind(child) {
                Kind::ForInClause => clauses.extend(self.clause(child, id)),
                Kind::IfClause => conditions.extend(self.children_of(child, Some(id))),
                Kind::Pair => elements.extend(self.children_of(child, Some(id))),
                _ => elements.push(self.expr(child, Some(id))),
            }
        }
        ExprKind::Comprehension {
            elements: elements.into(),
            clauses: clauses.into(),
            conditions: conditions.into(),
        }
    }

    fn clause(&mut self, node: NodeId, id: ExprId) -> Option<Clause> {
        let target = self.tree.child(node, Field::Left)?;
        let iter = self.tree.child(node, Field::Right)?;
        Some(Clause {
            target: self.expr(target, Some(id)),
            iter: self.expr(iter, Some(id)),
        })
    }

    pub(super) fn dictionary(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let mut pairs = Vec::new();
        for child in self.tree.named_children(node) {
            let key = self
                .tree
                .child(child, Field::Key)
                .map(|key| self.expr(key, Some(id)));
            match self.tree.child(child, Field::Value) {
                Some(value) => pairs.push((key, self.expr(value, Some(id)))),
                None => pairs.push((key, self.expr(child, Some(id)))),
            }
        }
        ExprKind::Dict(pairs.into())
    }
}
