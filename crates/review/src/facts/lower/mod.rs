//! From the syntax tree to statements and scopes. Never fails: what it does not understand becomes `Other`.

mod branches;
mod calls;
mod displays;
mod expr;
mod guarded;
mod scopes;
mod simple;
mod strings;

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
    pub(super) captures: Vec<Capture>,
    pub(super) truncated: bool,
}

/// A name that a `case` pattern or an `except ... as` binds.
pub(super) struct Capture {
    pub(super) name: Span,
    pub(super) scope: ScopeId,
    /// The `match` or `try`.
    pub(super) stmt: StmtId,
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
            captures: Vec::new(),
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
                self.leave();
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
        let id = self.push_stmt(node, parent, |lowering, id| {
            lowering.statement_kind(node, id)
        });
        self.leave();
        Some(id)
    }

    /// Lowers what a statement holds by `kind`, and puts the statement before it into the arena.
    fn push_stmt(
        &mut self,
        node: NodeId,
        parent: Option<Slot>,
        kind: impl FnOnce(&mut Self, StmtId) -> StmtKind,
    ) -> StmtId {
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
        let outer = std::mem::replace(&mut self.stmt, id);
        let kind = kind(self, id);
        if let Some(stmt) = self.out.stmts.get_mut(id.index()) {
            stmt.kind = kind;
        }
        self.stmt = outer;
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
        let text = self.text(Span { end, ..span });
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
                self.out.imports.read(tree, node, &self.document.text);
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
            Kind::PrintStatement | Kind::ExecStatement => self.other(node),
            _ => StmtKind::Expr(self.expr(node, None)),
        }
    }

    pub(super) fn capture(&mut self, name: NodeId) {
        self.out.captures.push(Capture {
            name: self.tree.span(name).into(),
            scope: self.scope,
            stmt: self.stmt,
        });
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

    fn text(&self, span: Span) -> &str {
        let range = span.start as usize..span.end as usize;
        self.document.text.get(range).unwrap_or("")
    }

    fn scaffold(&self, offset: u32) -> Option<Scaffold> {
        match self.document.lines.get(self.lines.line(offset) as usize) {
            Some(DocLine::Scaffold(scaffold)) => Some(*scaffold),
            _ => None,
        }
    }
}
