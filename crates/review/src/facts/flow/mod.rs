//! What encloses a statement, and what runs before and after it.

mod protection;

use super::Facts;
use super::hir::*;

/// A compound statement around another one, and the block that leads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ancestor {
    pub(crate) stmt: StmtId,
    pub(crate) part: Part,
}

impl Facts {
    /// The compound statements around a statement within its own scope, innermost first.
    /// Those of the scaffold are left out, since they stand for text that is not shown; but a `try` is there
    /// because one of its clauses is.
    pub(crate) fn ancestors(&self, stmt: StmtId) -> impl Iterator<Item = Ancestor> {
        let mut at = self.stmt(stmt).parent;
        std::iter::from_fn(move || {
            let slot = at?;
            at = self.stmt(slot.stmt).parent;
            Some(Ancestor {
                stmt: slot.stmt,
                part: slot.part,
            })
        })
        .filter(|ancestor| !self.stmt(ancestor.stmt).scaffold || self.is_try(ancestor.stmt))
    }

    /// Whether a statement stands in a loop of its own scope.
    pub(crate) fn in_loop(&self, stmt: StmtId) -> bool {
        self.innermost_loop(stmt).is_some()
    }

    /// The innermost loop around a statement.
    pub(crate) fn innermost_loop(&self, stmt: StmtId) -> Option<StmtId> {
        self.ancestors(stmt)
            .find(|a| {
                a.part == Part::Body
                    && matches!(
                        self.stmt(a.stmt).kind,
                        StmtKind::For { .. } | StmtKind::While { .. }
                    )
            })
            .map(|a| a.stmt)
    }

    /// The `with` items around a statement, innermost first.
    pub(crate) fn with_items(&self, stmt: StmtId) -> impl Iterator<Item = (StmtId, &WithItem)> {
        self.ancestors(stmt).flat_map(|a| {
            let items = match &self.stmt(a.stmt).kind {
                StmtKind::With { items, .. } => items.as_slice(),
                _ => &[],
            };
            items.iter().rev().map(move |item| (a.stmt, item))
        })
    }

    /// The blocks of a compound statement in source order, with their parts.
    pub(crate) fn blocks(&self, stmt: StmtId) -> Vec<(Part, &Block)> {
        match &self.stmt(stmt).kind {
            StmtKind::If { body, orelse, .. }
            | StmtKind::While { body, orelse, .. }
            | StmtKind::For { body, orelse, .. } => vec![(Part::Body, body), (Part::Else, orelse)],
            StmtKind::With { body, .. } => vec![(Part::Body, body)],
            StmtKind::Match(cases) => cases.iter().map(|case| (Part::Body, case)).collect(),
            StmtKind::Try {
                body,
                handlers,
                orelse,
                finally,
                ..
            } => {
                let mut blocks = vec![(Part::Body, body)];
                let numbered = handlers.iter().enumerate();
                blocks
                    .extend(numbered.map(|(n, handler)| (Part::Handler(n as u32), &handler.body)));
                blocks.push((Part::Else, orelse));
                blocks.push((Part::Finally, finally));
                blocks
            }
            _ => Vec::new(),
        }
    }

    /// The block that a statement stands in, whatever kind of owner it has.
    pub(crate) fn block_of(&self, stmt: StmtId) -> &[StmtId] {
        let entry = self.stmt(stmt);
        match entry.parent {
            None => &self.scope(entry.scope).body,
            Some(slot) => {
                let blocks = self.blocks(slot.stmt);
                blocks
                    .into_iter()
                    .find(|(_, b)| b.contains(&stmt))
                    .map_or(&[], |(_, block)| block)
            }
        }
    }

    /// The statements behind this one in its own block.
    pub(crate) fn following(&self, stmt: StmtId) -> &[StmtId] {
        let block = self.block_of(stmt);
        let at = block
            .iter()
            .position(|&s| s == stmt)
            .map_or(block.len(), |at| at + 1);
        block.get(at..).unwrap_or(&[])
    }

    /// A block's statements and all below them, in source order; nested functions and classes are not entered.
    pub(crate) fn statements_in(&self, block: &[StmtId]) -> Vec<StmtId> {
        let mut out = Vec::new();
        for &stmt in block {
            out.push(stmt);
            for (_, inner) in self.blocks(stmt) {
                out.extend(self.statements_in(inner));
            }
        }
        out
    }

    /// The values that a function returns, in source order.
    pub(crate) fn returns_of(&self, function: ScopeId) -> impl Iterator<Item = ExprId> {
        self.statements_of(function)
            .map(|stmt| self.stmt(stmt))
            .filter(move |stmt| stmt.scope == function)
            .filter_map(|stmt| match stmt.kind {
                StmtKind::Return(value) => value,
                _ => None,
            })
    }

    /// Whether `first` has always run when `then` starts: it stands before it in the same block or in one around it.
    pub(crate) fn always_before(&self, first: StmtId, then: StmtId) -> bool {
        let slot = self.stmt(first).parent;
        if self.stmt(first).scope != self.stmt(then).scope || first >= then {
            return false;
        }
        let same_block = |at: StmtId| {
            let parent = self.stmt(at).parent;
            parent == slot
        };
        same_block(then)
            || self
                .slots(then)
                .any(|slot| same_block(slot.stmt) && slot.stmt > first)
    }

    fn slots(&self, stmt: StmtId) -> impl Iterator<Item = Slot> {
        let mut at = self.stmt(stmt).parent;
        std::iter::from_fn(move || {
            let slot = at?;
            at = self.stmt(slot.stmt).parent;
            Some(slot)
        })
    }

    /// Whether control never falls out of the end of a block.
    pub(crate) fn always_leaves(&self, block: &[StmtId]) -> bool {
        block.iter().any(|&stmt| match &self.stmt(stmt).kind {
            StmtKind::Return(_) | StmtKind::Raise | StmtKind::Break | StmtKind::Continue => true,
            StmtKind::If { body, orelse, .. } => {
                !orelse.is_empty() && self.always_leaves(body) && self.always_leaves(orelse)
            }
            StmtKind::With { body, .. } => self.always_leaves(body),
            _ => false,
        })
    }

    /// The expressions of a subtree, itself included, in source order. Lambdas' bodies are included.
    pub(crate) fn within(&self, id: ExprId) -> impl Iterator<Item = ExprId> {
        let span = self.expr(id).span;
        let stmt = self.expr(id).stmt;
        (id.0..self.exprs.len() as u32)
            .map(ExprId)
            .take_while(move |&inner| self.expr(inner).span.start < span.end || inner == id)
            .filter(move |&inner| {
                self.expr(inner).stmt == stmt && span.contains(self.expr(inner).span)
            })
    }

    /// The expressions of a statement itself, those of its blocks left out.
    pub(crate) fn exprs_of(&self, stmt: StmtId) -> impl Iterator<Item = ExprId> {
        let from = self
            .first_exprs
            .get(stmt.index())
            .copied()
            .unwrap_or(u32::MAX);
        let end = self.stmt(stmt).span.end;
        (from..self.exprs.len() as u32)
            .map(ExprId)
            .take_while(move |&id| self.expr(id).span.start <= end)
            .filter(move |&id| self.expr(id).stmt == stmt)
    }

    /// Whether the statement's own expressions hold an `await` that runs with it.
    pub(crate) fn awaits(&self, stmt: StmtId) -> bool {
        let scope = self.stmt(stmt).scope;
        self.exprs_of(stmt).any(|id| {
            matches!(self.expr(id).kind, ExprKind::Await(_)) && self.expr(id).scope == scope
        }) || matches!(
            self.stmt(stmt).kind,
            StmtKind::For { is_async: true, .. } | StmtKind::With { is_async: true, .. }
        )
    }

    /// Whether the statement yields to its caller.
    pub(crate) fn yields(&self, stmt: StmtId) -> bool {
        self.exprs_of(stmt)
            .any(|id| matches!(self.expr(id).kind, ExprKind::Yield))
    }

    /// Whether the statement yields all that something else yields: `yield from rows`.
    pub(crate) fn yields_from(&self, stmt: StmtId) -> bool {
        let delegates = |id: ExprId| {
            let rest = self.expr_text(id).strip_prefix("yield");
            let rest = rest.and_then(|rest| rest.trim_start().strip_prefix("from"));
            let is_word = |c: char| c == '_' || c.is_alphanumeric();
            rest.is_some_and(|rest| !rest.starts_with(is_word))
        };
        self.exprs_of(stmt)
            .any(|id| matches!(self.expr(id).kind, ExprKind::Yield) && delegates(id))
    }

    pub(super) fn index_exprs(&mut self) {
        let mut first = vec![u32::MAX; self.stmts.len()];
        for (at, expr) in self.exprs.iter().enumerate() {
            if let Some(entry) = first.get_mut(expr.stmt.index()) {
                *entry = (*entry).min(at as u32);
            }
        }
        self.first_exprs = first.into();
    }
}
