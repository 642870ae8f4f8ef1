//! From the syntax tree to the statements of one line: expressions, assignments, `raise`.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn expression_statement(&mut self, node: NodeId) -> StmtKind {
        let mut children = self.tree.named_children(node);
        match (children.next(), children.next()) {
            (Some(only), None) => match self.tree.kind(only) {
                Kind::Assignment | Kind::AugmentedAssignment => self.assignment(only),
                _ => StmtKind::Expr(self.expr(only, None)),
            },
            _ => self.other(node),
        }
    }

    pub(super) fn assignment(&mut self, node: NodeId) -> StmtKind {
        let augmented = self.tree.kind(node) == Kind::AugmentedAssignment;
        let mut targets = Vec::new();
        let mut annotation = None;
        let mut at = node;
        loop {
            if let Some(left) = self.tree.child(at, Field::Left) {
                targets.push(self.expr(left, None));
            }
            if let Some(kind) = self.tree.child(at, Field::Type) {
                annotation = Some(self.expr(kind, None));
            }
            match self.tree.child(at, Field::Right) {
                Some(right) if self.tree.kind(right) == Kind::Assignment => at = right,
                right => {
                    return StmtKind::Assign {
                        targets,
                        value: right.map(|right| self.expr(right, None)),
                        annotation,
                        augmented,
                    };
                }
            }
        }
    }

    pub(super) fn raise(&mut self, node: NodeId) -> StmtKind {
        self.exprs(node);
        StmtKind::Raise
    }

    /// A statement that no rule asks about; calls and names in it still count.
    pub(super) fn other(&mut self, node: NodeId) -> StmtKind {
        self.exprs(node);
        StmtKind::Other
    }
}
