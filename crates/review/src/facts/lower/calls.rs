//! From the syntax tree to calls and their arguments.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn call(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let Some(function) = self.tree.child(node, Field::Function) else {
            return ExprKind::Other(self.children_of(node, Some(id)).into());
        };
        let function = self.expr(function, Some(id));
        let args = match self.tree.child(node, Field::Arguments) {
            Some(list) if self.tree.kind(list) == Kind::ArgumentList => self.args(list, Some(id)),
            Some(generator) => {
                vec![Arg {
                    name: None,
                    value: self.expr(generator, Some(id)),
                    stars: 0,
                }]
            }
            None => Vec::new(),
        };
        ExprKind::Call {
            function,
            args: args.into(),
        }
    }

    /// The arguments of a call or the bases of a class.
    pub(super) fn args(&mut self, list: NodeId, parent: Option<ExprId>) -> Vec<Arg> {
        self.tree
            .named_children(list)
            .filter_map(|node| self.arg(node, parent))
            .collect()
    }

    fn arg(&mut self, node: NodeId, parent: Option<ExprId>) -> Option<Arg> {
        let stars = match self.tree.kind(node) {
            Kind::ListSplat => 1,
            Kind::DictionarySplat => 2,
            _ => 0,
        };
        match self.tree.kind(node) {
            Kind::KeywordArgument => Some(Arg {
                name: self
                    .tree
                    .child(node, Field::Name)
                    .map(|name| self.tree.span(name).into()),
                value: self
                    .tree
                    .child(node, Field::Value)
                    .map(|value| self.expr(value, parent))?,
                stars: 0,
            }),
            Kind::ListSplat | Kind::DictionarySplat => {
                let inner = self.tree.named_children(node).next()?;
                Some(Arg {
                    name: None,
                    value: self.expr(inner, parent),
                    stars,
                })
            }
            Kind::LineContinuation => None,
            _ => Some(Arg {
                name: None,
                value: self.expr(node, parent),
                stars: 0,
            }),
        }
    }
}
