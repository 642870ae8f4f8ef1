//! From the syntax tree to the statements that act when a block is left: `with` and `try`.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn with_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let mut items = Vec::new();
        let tree = self.tree;
        let clauses = tree
            .children(node)
            .filter(|&child| tree.kind(child) == Kind::WithClause);
        for item in clauses.flat_map(|clause| tree.children(clause)) {
            if tree.kind(item) == Kind::WithItem {
                self.with_item(item, &mut items);
            }
        }
        let body = self.field_block(node, Field::Body, id.slot(Part::Body));
        StmtKind::With {
            items,
            body,
            is_async: self.is_async(node),
        }
    }

    fn with_item(&mut self, item: NodeId, items: &mut Vec<WithItem>) {
        let Some(value) = self.tree.child(item, Field::Value) else {
            return;
        };
        match self.tree.kind(value) {
            Kind::AsPattern => items.push(self.as_pattern(value)),
            // `with (open(a) as f, open(b) as g):` parses as a tuple on older spellings of the grammar.
            Kind::Tuple => {
                for part in self.tree.named_children(value) {
                    match self.tree.kind(part) {
                        Kind::AsPattern => items.push(self.as_pattern(part)),
                        _ => items.push(WithItem {
                            context: self.expr(part, None),
                            target: None,
                        }),
                    }
                }
            }
            _ => items.push(WithItem {
                context: self.expr(value, None),
                target: None,
            }),
        }
    }

    fn as_pattern(&mut self, node: NodeId) -> WithItem {
        let mut parts = self.tree.named_children(node);
        let context = parts.next();
        let target = parts.next();
        WithItem {
            context: context.map_or(ExprId(u32::MAX), |part| self.expr(part, None)),
            target: target.map(|part| self.expr(part, None)),
        }
    }

    pub(super) fn try_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let body = self.field_block(node, Field::Body, id.slot(Part::Body));
        let mut handlers = Vec::new();
        let mut finally = Block::new();
        let mut has_finally = false;

        for child in self.tree.children(node) {
            match self.tree.kind(child) {
                Kind::ExceptClause => {
                    let slot = id.slot(Part::Handler(handlers.len() as u32));
                    let handler = self.handler(child, slot);
                    handlers.push(handler);
                }
                Kind::FinallyClause => {
                    has_finally = true;
                    finally = self.inner_block(child, id.slot(Part::Finally));
                }
                _ => {}
            }
        }
        let orelse = self.else_clause(node, id);
        StmtKind::Try {
            body,
            handlers,
            orelse,
            finally,
            has_finally,
        }
    }

    fn handler(&mut self, node: NodeId, slot: Slot) -> Handler {
        let mut types = Vec::new();

        for part in self.tree.named_children(node) {
            match (self.tree.kind(part), self.tree.field(part)) {
                (Kind::Block, _) => {}
                (Kind::AsPattern, _) => {
                    let item = self.as_pattern(part);
                    types.extend(self.tuple_items(item.context));
                    if let Some(name) = self.tree.child(part, Field::Alias) {
                        self.capture(name);
                    }
                }
                (_, Field::Alias) => {}
                _ => {
                    let class = self.expr(part, None);
                    types.extend(self.tuple_items(class));
                }
            }
        }
        let span = self.head(node, self.tree.span(node).into());
        let body = self.inner_block(node, slot);
        Handler { span, types, body }
    }

    fn tuple_items(&self, id: ExprId) -> Vec<ExprId> {
        match self.out.exprs.get(id.index()).map(|expr| &expr.kind) {
            Some(ExprKind::Tuple(items)) => items.to_vec(),
            Some(_) => vec![id],
            None => Vec::new(),
        }
    }
}
