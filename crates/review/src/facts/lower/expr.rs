//! From the syntax tree to expressions.

use super::Lowering;
use crate::facts::hir::*;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    /// Lowers an expression; its children follow it in the arena.
    pub(super) fn expr(&mut self, node: NodeId, parent: Option<ExprId>) -> ExprId {
        let inner = self.without_parentheses(node);
        let id = ExprId(self.out.exprs.len() as u32);
        self.out.exprs.push(Expr {
            kind: ExprKind::Other(Box::default()),
            span: self.tree.span(inner).into(),
            stmt: self.stmt,
            scope: self.scope,
            parent,
        });
        if self.enter() {
            let kind = self.expr_kind(inner, id);
            if let Some(expr) = self.out.exprs.get_mut(id.index()) {
                expr.kind = kind;
            }
            self.leave();
        }
        id
    }

    /// Stands for an expression that the text lacks.
    pub(super) fn missing_expr(&mut self, node: NodeId) -> ExprId {
        let id = ExprId(self.out.exprs.len() as u32);
        let end = self.tree.span(node).end;
        self.out.exprs.push(Expr {
            kind: ExprKind::Other(Box::default()),
            span: Span { start: end, end },
            stmt: self.stmt,
            scope: self.scope,
            parent: None,
        });
        id
    }

    /// The named children as expressions without a parent.
    pub(super) fn exprs(&mut self, node: NodeId) -> Vec<ExprId> {
        self.children_of(node, None)
    }

    /// What `return` or `yield` gives: nothing, one expression, or a bare tuple.
    pub(super) fn joined(&mut self, node: NodeId) -> Option<ExprId> {
        let child = self.tree.named_children(node).next()?;
        Some(self.expr(child, None))
    }

    pub(super) fn children_of(&mut self, node: NodeId, parent: Option<ExprId>) -> Vec<ExprId> {
        self.tree
            .named_children(node)
            .map(|child| self.expr(child, parent))
            .collect()
    }

    fn without_parentheses(&self, mut node: NodeId) -> NodeId {
        while matches!(
            self.tree.kind(node),
            Kind::ParenthesizedExpression | Kind::Type | Kind::AsPatternTarget
        ) {
            match self.tree.named_children(node).next() {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    fn expr_kind(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let up = Some(id);
        match self.tree.kind(node) {
            Kind::Identifier => ExprKind::Name,
            Kind::Attribute => self.attribute(node, id),
            Kind::Call => self.call(node, id),
            Kind::Subscript => self.subscript(node, id),
            Kind::GenericType => self.generic(node, id),
            Kind::String => self.string(node, id),
            Kind::ConcatenatedString => self.concatenated(node, id),
            Kind::Integer | Kind::Float => ExprKind::Number,
            Kind::True => ExprKind::True,
            Kind::False => ExprKind::False,
            Kind::None => ExprKind::None,
            Kind::Await => match self.tree.named_children(node).next() {
                Some(inner) => ExprKind::Await(self.expr(inner, up)),
                None => ExprKind::Other(Box::default()),
            },
            Kind::Yield => self.yields(node, id),
            Kind::Lambda => self.lambda(node, id),
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::DictionaryComprehension
            | Kind::GeneratorExpression => self.comprehension(node, id),
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList | Kind::TuplePattern => {
                ExprKind::Tuple(self.children_of(node, up).into())
            }
            Kind::List | Kind::ListPattern => ExprKind::List(self.children_of(node, up).into()),
            Kind::Set => ExprKind::Set(self.children_of(node, up).into()),
            Kind::Dictionary => self.dictionary(node, id),
            Kind::BinaryOperator => self.binary(node, id),
            Kind::BooleanOperator => match self.binary(node, id) {
                ExprKind::Binary { left, right, .. } => ExprKind::Bool { left, right },
                other => other,
            },
            Kind::NotOperator => self.only(node, id, ExprKind::Not),
            Kind::UnaryOperator => self.only(node, id, ExprKind::Unary),
            Kind::ListSplat | Kind::DictionarySplat | Kind::ListSplatPattern => {
                self.only(node, id, ExprKind::Starred)
            }
            Kind::ComparisonOperator => self.comparison(node, id),
            Kind::ConditionalExpression => self.conditional(node, id),
            Kind::NamedExpression => self.walrus(node, id),
            _ => ExprKind::Other(self.children_of(node, up).into()),
        }
    }

    fn attribute(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let object = self.tree.child(node, Field::Object);
        let name = self.tree.child(node, Field::Attribute);
        match (object, name) {
            (Some(object), Some(name)) => ExprKind::Attribute {
                object: self.expr(object, Some(id)),
                name: self.tree.span(name).into(),
            },
            _ => ExprKind::Other(self.children_of(node, Some(id)).into()),
        }
    }

    fn subscript(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let Some(value) = self.tree.child(node, Field::Value) else {
            return ExprKind::Other(self.children_of(node, Some(id)).into());
        };
        let object = self.expr(value, Some(id));
        let tree = self.tree;
        let index = tree
            .children(node)
            .filter(|&child| tree.field(child) == Field::Subscript)
            .map(|child| self.expr(child, Some(id)))
            .collect();
        ExprKind::Subscript { object, index }
    }

    /// `List[Future]` in an annotation: an identifier and its parameters.
    fn generic(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let tree = self.tree;
        let mut parts = tree.named_children(node);
        let Some(object) = parts.next() else {
            return ExprKind::Other(Box::default());
        };
        let object = self.expr(object, Some(id));
        let index = parts
            .flat_map(|part| tree.named_children(part))
            .map(|child| self.expr(child, Some(id)))
            .collect();
        ExprKind::Subscript { object, index }
    }

    fn yields(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let scope = self.scope;
        if let Some(entry) = self.out.scopes.get_mut(scope.index()) {
            entry.is_generator = true;
        }
        if let Some(inner) = self.tree.named_children(node).next() {
            self.expr(inner, Some(id));
        }
        ExprKind::Yield
    }

    fn binary(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let part = |field| self.tree.child(node, field);
        match (part(Field::Left), part(Field::Operator), part(Field::Right)) {
            (Some(left), Some(operator), Some(right)) => ExprKind::Binary {
                operator: self.tree.span(operator).into(),
                left: self.expr(left, Some(id)),
                right: self.expr(right, Some(id)),
            },
            _ => ExprKind::Other(self.children_of(node, Some(id)).into()),
        }
    }

    fn comparison(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let tree = self.tree;
        let is_operator = |child: NodeId| tree.field(child) == Field::Operators;
        let operators = tree
            .children(node)
            .filter(|&child| is_operator(child))
            .map(|child| tree.span(child).into())
            .collect();
        let operands = tree
            .named_children(node)
            .filter(|&child| !is_operator(child))
            .map(|child| self.expr(child, Some(id)))
            .collect();
        ExprKind::Compare {
            operands,
            operators,
        }
    }

    fn conditional(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        match self.children_of(node, Some(id)).as_slice() {
            &[body, test, orelse] => ExprKind::Conditional { body, test, orelse },
            other => ExprKind::Other(other.into()),
        }
    }

    fn walrus(&mut self, node: NodeId, id: ExprId) -> ExprKind {
        let name = self.tree.child(node, Field::Name);
        let value = self.tree.child(node, Field::Value);
        match (name, value) {
            (Some(name), Some(value)) => ExprKind::Walrus {
                target: self.expr(name, Some(id)),
                value: self.expr(value, Some(id)),
            },
            _ => ExprKind::Other(self.children_of(node, Some(id)).into()),
        }
    }

    fn only(&mut self, node: NodeId, id: ExprId, make: fn(ExprId) -> ExprKind) -> ExprKind {
        match self.tree.named_children(node).next() {
            Some(inner) => make(self.expr(inner, Some(id))),
            None => ExprKind::Other(Box::default()),
        }
    }
}
