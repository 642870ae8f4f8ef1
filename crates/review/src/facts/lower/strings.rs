//! From the syntax tree to strings: plain, formatted and concatenated ones.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn string(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let parts = self.string_parts(node, id);
        match parts.as_slice() {
            [] => ExprKind::Str(self.between_quotes(node)),
            [StringPart::Text(_)] => ExprKind::Str(self.between_quotes(node)),
            _ => ExprKind::FString(parts.into()),
        }
    }

    fn between_quotes(&self, node: NodeId) -> Span {
        let mut span = Span::from(self.tree.span(node));
        for child in self.tree.children(node) {
            match self.tree.kind(child) {
                Kind::StringStart => span.start = self.tree.span(child).end,
                Kind::StringEnd => span.end = self.tree.span(child).start,
                _ => {}
            }
        }
        Span {
            start: span.start,
            end: span.end.max(span.start),
        }
    }

    fn string_parts(&mut self, node: NodeId, id: ExprId) -> Vec<StringPart> {
        let mut parts = Vec::new();
        for child in self.tree.children(node) {
            match self.tree.kind(child) {
                Kind::StringContent => parts.push(StringPart::Text(self.tree.span(child).into())),
                Kind::Interpolation => {
                    let inner = self.tree.child(child, Field::Expression);
                    if let Some(inner) = inner {
                        parts.push(StringPart::Value(self.expr(inner, Some(id))));
                    }
                }
                _ => {}
            }
        }
        parts
    }

    pub(super) fn concatenated(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let strings = self.tree.named_children(node);
        let parts = strings.flat_map(|string| self.string_parts(string, id));
        ExprKind::FString(parts.collect())
    }
}
