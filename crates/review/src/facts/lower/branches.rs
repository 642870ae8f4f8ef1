//! From the syntax tree to branches and loops: `if`, `while`, `for`, `match`.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn if_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let test = self.condition(node);
        let body = self.field_block(node, Field::Consequence, id.slot(Part::Body));
        let clauses: Vec<NodeId> = self
            .tree
            .children(node)
            .filter(|&child| matches!(self.tree.kind(child), Kind::ElifClause | Kind::ElseClause))
            .collect();
        let orelse = self.alternatives(&clauses, id.slot(Part::Else));
        StmtKind::If { test, body, orelse }
    }

    /// `elif` becomes an `if` in the `else` of the one before, so that blocks nest as they run.
    fn alternatives(&mut self, clauses: &[NodeId], slot: Slot) -> Block {
        let Some((&first, rest)) = clauses.split_first() else {
            return Block::new();
        };
        if self.tree.kind(first) == Kind::ElseClause {
            return self.field_block(first, Field::Body, slot);
        }
        if !self.enter() {
            return Block::new();
        }
        let id = self.push_stmt(first, Some(slot), |lowering, id| {
            let test = lowering.condition(first);
            let body = lowering.field_block(first, Field::Consequence, id.slot(Part::Body));
            let orelse = lowering.alternatives(rest, id.slot(Part::Else));
            StmtKind::If { test, body, orelse }
        });
        self.leave();
        vec![id]
    }

    pub(super) fn while_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let test = self.condition(node);
        let body = self.field_block(node, Field::Body, id.slot(Part::Body));
        let orelse = self.else_clause(node, id);
        StmtKind::While { test, body, orelse }
    }

    pub(super) fn for_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let target = self.field_expr(node, Field::Left);
        let iter = self.field_expr(node, Field::Right);
        let body = self.field_block(node, Field::Body, id.slot(Part::Body));
        let orelse = self.else_clause(node, id);
        StmtKind::For {
            target,
            iter,
            body,
            orelse,
            is_async: self.is_async(node),
        }
    }

    pub(super) fn else_clause(&mut self, node: NodeId, id: StmtId) -> Block {
        let clause = self
            .tree
            .children(node)
            .find(|&child| self.tree.kind(child) == Kind::ElseClause);
        let slot = id.slot(Part::Else);
        clause
            .map(|clause| self.field_block(clause, Field::Body, slot))
            .unwrap_or_default()
    }

    pub(super) fn match_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let tree = self.tree;
        if let Some(subject) = tree.child(node, Field::Subject) {
            self.expr(subject, None);
        }
        let slot = id.slot(Part::Body);
        let clauses = tree
            .children(node)
            .filter(|&child| tree.kind(child) == Kind::Block)
            .flat_map(|block| tree.children(block))
            .filter(|&child| tree.kind(child) == Kind::CaseClause);
        let mut cases = Vec::new();
        for clause in clauses {
            let patterns = tree.named_children(clause);
            for pattern in patterns.filter(|&part| tree.kind(part) == Kind::CasePattern) {
                self.captures(pattern);
            }
            cases.push(self.field_block(clause, Field::Consequence, slot));
        }
        StmtKind::Match(cases)
    }

    /// The names that a pattern binds. `Class(...)` and `a.b` only look theirs up.
    fn captures(&mut self, pattern: NodeId) {
        if !self.enter() {
            return;
        }
        let tree = self.tree;
        let own = tree.kind(pattern);
        // `key=value`: the name before the sign is the attribute's.
        let is_keyword = tree
            .named_children(pattern)
            .next()
            .is_some_and(|first| tree.kind(first) == Kind::Identifier);
        let is_splat = self.text(tree.span(pattern).into()).starts_with('*');
        for part in tree.named_children(pattern) {
            let is_name = match tree.kind(part) {
                Kind::DottedName => {
                    let is_single = tree.named_children(part).nth(1).is_none();
                    is_single && (own == Kind::CasePattern || is_keyword)
                }
                Kind::Identifier => own == Kind::AsPattern || is_splat,
                _ => false,
            };
            if is_name {
                self.capture(part);
            } else {
                self.captures(part);
            }
        }
        self.leave();
    }

    fn condition(&mut self, node: NodeId) -> ExprId {
        self.field_expr(node, Field::Condition)
    }

    fn field_expr(&mut self, node: NodeId, field: Field) -> ExprId {
        match self.tree.child(node, field) {
            Some(child) => self.expr(child, None),
            None => self.missing_expr(node),
        }
    }
}
