//! From the syntax tree to the statements of one line: expressions, assignments, `raise`.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn expression_statement(&mut self, node: NodeId) -> StmtKind {
        let children: Vec<NodeId> = self.tree.named_children(node).collect();
        match children.as_slice() {
            [only]
                if matches!(
                    self.tree.kind(*only),
                    Kind::Assignment | Kind::AugmentedAssignment
                ) =>
            {
                self.assignment(*only)
            }
            [only] => StmtKind::Expr(self.expr(*only, None)),
            _ => StmtKind::Other(self.exprs(node)),
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
                Some(right) => {
                    let value = Some(self.expr(right, None));
                    return StmtKind::Assign {
                        targets,
                        value,
                        annotation,
                        augmented,
                    };
                }
                None => {
                    return StmtKind::Assign {
                        targets,
                        value: None,
                        annotation,
                        augmented,
                    };
                }
            }
        }
    }

    pub(super) fn raise(&mut self, node: NodeId) -> StmtKind {
        let cause = self.tree.child(node, Field::Cause);
        let exception = self
            .tree
            .named_children(node)
            .find(|&child| Some(child) != cause);
        StmtKind::Raise {
            exception: exception.map(|child| self.expr(child, None)),
            cause: cause.map(|child| self.expr(child, None)),
        }
    }
}
