//! From the syntax tree to scopes: functions, classes, lambdas and their parameters.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn decorated(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let tree = self.tree;
        let decorators = tree
            .children(node)
            .filter(|&child| tree.kind(child) == Kind::Decorator)
            .filter_map(|decorator| tree.named_children(decorator).next())
            .map(|inner| self.expr(inner, None))
            .collect();
        match tree.child(node, Field::Definition) {
            Some(inner) if tree.kind(inner) == Kind::ClassDefinition => {
                self.class(inner, id, decorators)
            }
            Some(inner) => self.function(inner, id, decorators),
            None => StmtKind::Other,
        }
    }

    pub(super) fn function(
        &mut self,
        node: NodeId,
        id: StmtId,
        decorators: Vec<ExprId>,
    ) -> StmtKind {
        let scope = self.push_scope(
            ScopeKind::Function,
            Some((id, node)),
            self.tree.span(node).into(),
        );
        let params = self
            .tree
            .child(node, Field::Parameters)
            .map(|list| self.params(list));
        let returns = self
            .tree
            .child(node, Field::ReturnType)
            .map(|kind| self.expr(kind, None));
        let is_async = self.is_async(node);
        let body = self.scoped_block(node, scope);
        if let Some(entry) = self.out.scopes.get_mut(scope.index()) {
            entry.params = params.unwrap_or_default();
            entry.returns = returns;
            entry.is_async = is_async;
        }
        self.set_body(scope, body);
        StmtKind::Function { scope, decorators }
    }

    pub(super) fn class(&mut self, node: NodeId, id: StmtId, decorators: Vec<ExprId>) -> StmtKind {
        let scope = self.push_scope(
            ScopeKind::Class,
            Some((id, node)),
            self.tree.span(node).into(),
        );
        let bases = self
            .tree
            .child(node, Field::Superclasses)
            .map(|list| self.args(list, None));
        let body = self.scoped_block(node, scope);
        self.set_body(scope, body);
        StmtKind::Class {
            scope,
            decorators,
            bases: bases.unwrap_or_default(),
        }
    }

    fn scoped_block(&mut self, node: NodeId, scope: ScopeId) -> Block {
        let outer = std::mem::replace(&mut self.scope, scope);
        let body = self
            .tree
            .child(node, Field::Body)
            .map(|body| self.block(body, None));
        self.scope = outer;
        body.unwrap_or_default()
    }

    pub(super) fn push_scope(
        &mut self,
        kind: ScopeKind,
        definition: Option<(StmtId, NodeId)>,
        span: Span,
    ) -> ScopeId {
        let id = ScopeId(self.out.scopes.len() as u32);
        let name = definition
            .and_then(|(_, node)| self.tree.child(node, Field::Name))
            .map(|name| Span::from(self.tree.span(name)))
            .filter(|&name| self.text(name) != "_");
        self.out.scopes.push(Scope {
            kind,
            name,
            parent: (id.0 != 0).then_some(self.scope),
            stmt: definition.map(|(stmt, _)| stmt),
            span,
            is_async: false,
            params: Vec::new(),
            returns: None,
            body: Block::new(),
            head_shown: self.scaffold(span.start).is_none(),
            visible: false,
            is_generator: false,
        });
        id
    }

    pub(super) fn set_body(&mut self, scope: ScopeId, body: Block) {
        if let Some(entry) = self.out.scopes.get_mut(scope.index()) {
            entry.body = body;
        }
    }

    pub(super) fn lambda(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let scope = self.push_scope(ScopeKind::Lambda, None, self.tree.span(node).into());
        let outer = std::mem::replace(&mut self.scope, scope);
        let params = self
            .tree
            .child(node, Field::Parameters)
            .map(|list| self.params(list));
        let body = match self.tree.child(node, Field::Body) {
            Some(body) => self.expr(body, Some(id)),
            None => self.missing_expr(node),
        };
        self.scope = outer;
        if let Some(entry) = self.out.scopes.get_mut(scope.index()) {
            entry.params = params.unwrap_or_default();
        }
        ExprKind::Lambda { scope, body }
    }

    pub(super) fn params(&mut self, list: NodeId) -> Vec<Param> {
        self.tree
            .named_children(list)
            .filter_map(|node| self.param(node))
            .collect()
    }

    fn param(&mut self, node: NodeId) -> Option<Param> {
        let tree = self.tree;
        let annotation = tree
            .child(node, Field::Type)
            .map(|kind| self.expr(kind, None));
        let default = tree
            .child(node, Field::Value)
            .map(|value| self.expr(value, None));
        let named = match tree.kind(node) {
            Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                tree.child(node, Field::Name)?
            }
            Kind::TypedParameter => tree.named_children(node).next()?,
            _ => node,
        };
        let name = match tree.kind(named) {
            Kind::Identifier => named,
            Kind::ListSplatPattern | Kind::DictionarySplatPattern => {
                tree.named_children(named).next()?
            }
            _ => return None,
        };
        Some(Param {
            name: tree.span(name).into(),
            annotation,
            default,
        })
    }
}
