//! From the syntax tree to statements and scopes. Never fails: what it does not understand becomes `Other`.

use super::hir::*;
use super::imports::Imports;
use crate::sources::{DocLine, Document, Scaffold};
use syntax::{Field, Kind, LineIndex, NodeId, Tree};

/// Deeper nesting is not followed: a recursion per level must not exhaust a browser's stack.
const MAX_DEPTH: u32 = 180;

/// What lowering yields.
pub(super) struct Lowered {
    pub(super) stmts: Vec<Stmt>,
    pub(super) exprs: Vec<Expr>,
    pub(super) scopes: Vec<Scope>,
    pub(super) imports: Imports,
    pub(super) truncated: bool,
}

pub(super) fn lower(document: &Document, lines: &LineIndex, tree: &Tree) -> Lowered {
    let mut lowering = Lowering {
        document,
        lines,
        tree,
        out: Lowered {
            stmts: Vec::new(),
            exprs: Vec::new(),
            scopes: Vec::new(),
            imports: Imports::default(),
            truncated: false,
        },
        scope: ScopeId(0),
        stmt: StmtId(0),
        depth: 0,
    };
    lowering.module();
    lowering.out
}

pub(super) struct Lowering<'a> {
    document: &'a Document,
    lines: &'a LineIndex,
    pub(super) tree: &'a Tree,
    pub(super) out: Lowered,
    pub(super) scope: ScopeId,
    pub(super) stmt: StmtId,
    depth: u32,
}

impl Lowering<'_> {
    fn module(&mut self) {
        let whole = Span {
            start: 0,
            end: self.document.text.len() as u32,
        };
        self.push_scope(ScopeKind::Module, None, whole);
        if let Some(root) = self.tree.root() {
            let body = self.block(root, None);
            self.set_body(ScopeId(0), body);
        }
    }

    /// The statements of a block, of the module, or of an ERROR node that holds some.
    fn block(&mut self, node: NodeId, parent: Option<Slot>) -> Block {
        let mut block = Block::new();
        for child in self.tree.named_children(node) {
            self.statements(child, parent, &mut block);
        }
        block
    }

    fn statements(&mut self, node: NodeId, parent: Option<Slot>, block: &mut Block) {
        match self.tree.kind(node) {
            Kind::Comment | Kind::LineContinuation => {}
            Kind::Error | Kind::Block if self.enter() => {
                block.extend(self.block(node, parent));
                self.depth -= 1;
            }
            Kind::Error | Kind::Block => {}
            _ => block.extend(self.statement(node, parent)),
        }
    }

    /// Counts a level; false where nesting is too deep.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.out.truncated = true;
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn statement(&mut self, node: NodeId, parent: Option<Slot>) -> Option<StmtId> {
        if !self.enter() {
            return None;
        }
        let id = self.push_stmt(node, parent);
        let outer = std::mem::replace(&mut self.stmt, id);
        let kind = self.statement_kind(node, id);
        if let Some(stmt) = self.out.stmts.get_mut(id.index()) {
            stmt.kind = kind;
        }
        self.stmt = outer;
        self.leave();
        Some(id)
    }

    fn push_stmt(&mut self, node: NodeId, parent: Option<Slot>) -> StmtId {
        let id = StmtId(self.out.stmts.len() as u32);
        let span = Span::from(self.tree.span(node));
        self.out.stmts.push(Stmt {
            kind: StmtKind::Pass,
            span,
            head: self.head(node, span),
            scope: self.scope,
            parent,
            scaffold: self.scaffold(span.start).is_some(),
        });
        id
    }

    /// Up to the first block, without the white space before it.
    fn head(&self, node: NodeId, span: Span) -> Span {
        let inner = match self.tree.kind(node) {
            Kind::DecoratedDefinition => self.tree.child(node, Field::Definition).unwrap_or(node),
            _ => node,
        };
        let block = self
            .tree
            .children(inner)
            .find(|&child| matches!(self.tree.kind(child), Kind::Block | Kind::CaseClause));
        let Some(block) = block else { return span };
        let end = self.tree.span(block).start;
        let text = self
            .document
            .text
            .get(span.start as usize..end as usize)
            .unwrap_or("");
        Span {
            start: span.start,
            end: span.start + text.trim_end().len() as u32,
        }
    }

    fn statement_kind(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::ExpressionStatement => self.expression_statement(node),
            Kind::Assignment | Kind::AugmentedAssignment => self.assignment(node),
            Kind::ReturnStatement => StmtKind::Return(self.joined(node)),
            Kind::RaiseStatement => self.raise(node),
            Kind::DeleteStatement => StmtKind::Delete(self.exprs(node)),
            Kind::AssertStatement => StmtKind::Assert(self.exprs(node)),
            Kind::IfStatement => self.if_statement(node, id),
            Kind::WhileStatement => self.while_statement(node, id),
            Kind::ForStatement => self.for_statement(node, id),
            Kind::WithStatement => self.with_statement(node, id),
            Kind::TryStatement => self.try_statement(node, id),
            Kind::MatchStatement => self.match_statement(node, id),
            Kind::DecoratedDefinition => self.decorated(node, id),
            Kind::FunctionDefinition => self.function(node, id, Vec::new()),
            Kind::ClassDefinition => self.class(node, id, Vec::new()),
            Kind::ImportStatement | Kind::ImportFromStatement | Kind::FutureImportStatement => {
                self.out
                    .imports
                    .read(tree, node, &self.document.text, self.scope);
                StmtKind::Import
            }
            Kind::GlobalStatement | Kind::NonlocalStatement => StmtKind::Global(
                tree.named_children(node)
                    .map(|name| tree.span(name).into())
                    .collect(),
            ),
            Kind::PassStatement => StmtKind::Pass,
            Kind::BreakStatement => StmtKind::Break,
            Kind::ContinueStatement => StmtKind::Continue,
            Kind::PrintStatement | Kind::ExecStatement => StmtKind::Other(self.exprs(node)),
            _ => StmtKind::Expr(self.expr(node, None)),
        }
    }

    fn expression_statement(&mut self, node: NodeId) -> StmtKind {
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

    fn assignment(&mut self, node: NodeId) -> StmtKind {
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

    fn raise(&mut self, node: NodeId) -> StmtKind {
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

    fn if_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let test = self.condition(node);
        let body = self.field_block(
            node,
            Field::Consequence,
            Slot {
                stmt: id,
                part: Part::Body,
            },
        );
        let clauses: Vec<NodeId> = self
            .tree
            .children(node)
            .filter(|&child| matches!(self.tree.kind(child), Kind::ElifClause | Kind::ElseClause))
            .collect();
        let orelse = self.alternatives(
            &clauses,
            Slot {
                stmt: id,
                part: Part::Else,
            },
        );
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
        let id = self.push_stmt(first, Some(slot));
        let outer = std::mem::replace(&mut self.stmt, id);
        let test = self.condition(first);
        let body = self.field_block(
            first,
            Field::Consequence,
            Slot {
                stmt: id,
                part: Part::Body,
            },
        );
        let orelse = self.alternatives(
            rest,
            Slot {
                stmt: id,
                part: Part::Else,
            },
        );
        if let Some(stmt) = self.out.stmts.get_mut(id.index()) {
            stmt.kind = StmtKind::If { test, body, orelse };
        }
        self.stmt = outer;
        self.leave();
        vec![id]
    }

    fn while_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let test = self.condition(node);
        let body = self.field_block(
            node,
            Field::Body,
            Slot {
                stmt: id,
                part: Part::Body,
            },
        );
        let orelse = self.else_clause(node, id);
        StmtKind::While { test, body, orelse }
    }

    fn for_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let target = self.field_expr(node, Field::Left);
        let iter = self.field_expr(node, Field::Right);
        let body = self.field_block(
            node,
            Field::Body,
            Slot {
                stmt: id,
                part: Part::Body,
            },
        );
        let orelse = self.else_clause(node, id);
        StmtKind::For {
            target,
            iter,
            body,
            orelse,
            is_async: self.is_async(node),
        }
    }

    fn else_clause(&mut self, node: NodeId, id: StmtId) -> Block {
        let clause = self
            .tree
            .children(node)
            .find(|&child| self.tree.kind(child) == Kind::ElseClause);
        let slot = Slot {
            stmt: id,
            part: Part::Else,
        };
        clause
            .map(|clause| self.field_block(clause, Field::Body, slot))
            .unwrap_or_default()
    }

    fn with_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let mut items = Vec::new();
        let clauses: Vec<NodeId> = self
            .tree
            .children(node)
            .filter(|&c| self.tree.kind(c) == Kind::WithClause)
            .collect();
        for item in clauses
            .iter()
            .flat_map(|&clause| self.tree.children(clause))
        {
            if self.tree.kind(item) == Kind::WithItem {
                self.with_item(item, &mut items);
            }
        }
        let body = self.field_block(
            node,
            Field::Body,
            Slot {
                stmt: id,
                part: Part::Body,
            },
        );
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
        drop(parts);
        WithItem {
            context: context.map_or(ExprId(u32::MAX), |part| self.expr(part, None)),
            target: target.map(|part| self.expr(part, None)),
        }
    }

    fn try_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let body = self.field_block(
            node,
            Field::Body,
            Slot {
                stmt: id,
                part: Part::Body,
            },
        );
        let mut handlers = Vec::new();
        let mut finally = Block::new();
        let mut has_finally = false;
        let children: Vec<NodeId> = self.tree.children(node).collect();
        for child in children {
            match self.tree.kind(child) {
                Kind::ExceptClause => {
                    let slot = Slot {
                        stmt: id,
                        part: Part::Handler(handlers.len() as u32),
                    };
                    let handler = self.handler(child, slot);
                    handlers.push(handler);
                }
                Kind::FinallyClause => {
                    has_finally = true;
                    finally = self.inner_block(
                        child,
                        Slot {
                            stmt: id,
                            part: Part::Finally,
                        },
                    );
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
        let mut name = None;
        let parts: Vec<NodeId> = self.tree.named_children(node).collect();
        for part in parts {
            match (self.tree.kind(part), self.tree.field(part)) {
                (Kind::Block, _) => {}
                (Kind::AsPattern, _) => {
                    let item = self.as_pattern(part);
                    types.push(item.context);
                    name = item.target.map(|target| self.span_of(target));
                }
                (_, Field::Alias) => name = Some(self.tree.span(part).into()),
                _ => types.push(self.expr(part, None)),
            }
        }
        let types = types
            .into_iter()
            .flat_map(|class| self.tuple_items(class))
            .collect();
        let span = self.head(node, self.tree.span(node).into());
        let body = self.inner_block(node, slot);
        Handler {
            span,
            types,
            name,
            body,
        }
    }

    fn tuple_items(&self, id: ExprId) -> Vec<ExprId> {
        match self.out.exprs.get(id.index()).map(|expr| &expr.kind) {
            Some(ExprKind::Tuple(items)) => items.clone(),
            Some(_) => vec![id],
            None => Vec::new(),
        }
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.out
            .exprs
            .get(id.index())
            .map(|expr| expr.span)
            .unwrap_or_default()
    }

    fn match_statement(&mut self, node: NodeId, id: StmtId) -> StmtKind {
        let subject = self
            .tree
            .child(node, Field::Subject)
            .map(|child| self.expr(child, None));
        let blocks: Vec<NodeId> = self
            .tree
            .children(node)
            .filter(|&c| self.tree.kind(c) == Kind::Block)
            .collect();
        let clauses: Vec<NodeId> = blocks
            .iter()
            .flat_map(|&block| self.tree.children(block))
            .filter(|&clause| self.tree.kind(clause) == Kind::CaseClause)
            .collect();
        let slot = Slot {
            stmt: id,
            part: Part::Body,
        };
        let cases = clauses
            .iter()
            .map(|&clause| self.field_block(clause, Field::Consequence, slot))
            .collect();
        StmtKind::Match { subject, cases }
    }

    fn decorated(&mut self, node: NodeId, id: StmtId) -> StmtKind {
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
            None => StmtKind::Other(decorators),
        }
    }

    fn function(&mut self, node: NodeId, id: StmtId, decorators: Vec<ExprId>) -> StmtKind {
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

    fn class(&mut self, node: NodeId, id: StmtId, decorators: Vec<ExprId>) -> StmtKind {
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
            .filter(|name| {
                self.document
                    .text
                    .get(name.start as usize..name.end as usize)
                    != Some("_")
            });
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

    fn set_body(&mut self, scope: ScopeId, body: Block) {
        if let Some(entry) = self.out.scopes.get_mut(scope.index()) {
            entry.body = body;
        }
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

    fn field_block(&mut self, node: NodeId, field: Field, slot: Slot) -> Block {
        let block = self.tree.child(node, field);
        block
            .map(|block| self.block(block, Some(slot)))
            .unwrap_or_default()
    }

    fn inner_block(&mut self, node: NodeId, slot: Slot) -> Block {
        let block = self
            .tree
            .children(node)
            .find(|&child| self.tree.kind(child) == Kind::Block);
        block
            .map(|block| self.block(block, Some(slot)))
            .unwrap_or_default()
    }

    fn is_async(&self, node: NodeId) -> bool {
        self.tree
            .children(node)
            .next()
            .is_some_and(|first| self.tree.kind(first) == Kind::Async)
    }

    fn scaffold(&self, offset: u32) -> Option<Scaffold> {
        match self.document.lines.get(self.lines.line(offset) as usize) {
            Some(DocLine::Scaffold(scaffold)) => Some(*scaffold),
            _ => None,
        }
    }
}
