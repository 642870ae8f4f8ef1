//! What encloses a statement, what runs before and after it, and who catches what it raises.

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

    /// The `try` statements whose handlers see what the statement raises, innermost first.
    pub(crate) fn protecting_tries(&self, stmt: StmtId) -> impl Iterator<Item = StmtId> {
        self.ancestors(stmt)
            .filter(|a| a.part == Part::Body && self.is_try(a.stmt))
            .map(|a| a.stmt)
    }

    /// The handlers of a `try`.
    pub(crate) fn handlers(&self, stmt: StmtId) -> &[Handler] {
        match &self.stmt(stmt).kind {
            StmtKind::Try { handlers, .. } => handlers,
            _ => &[],
        }
    }

    /// The handlers that see what the statement raises, innermost first.
    pub(crate) fn handlers_around(&self, stmt: StmtId) -> impl Iterator<Item = &Handler> {
        self.protecting_tries(stmt)
            .flat_map(|outer| self.handlers(outer))
    }

    /// The `finally` blocks that run when the statement raises or returns, innermost first.
    pub(crate) fn finally_blocks(&self, stmt: StmtId) -> impl Iterator<Item = &Block> {
        self.ancestors(stmt)
            .filter(|a| a.part != Part::Finally)
            .filter_map(|a| match &self.stmt(a.stmt).kind {
                StmtKind::Try {
                    finally,
                    has_finally: true,
                    ..
                } => Some(finally),
                _ => None,
            })
    }

    /// Whether the statement stands in a `finally` block of its scope.
    pub(crate) fn in_finally(&self, stmt: StmtId) -> bool {
        self.ancestors(stmt).any(|a| a.part == Part::Finally)
    }

    /// The handler that the statement stands in, innermost.
    pub(crate) fn enclosing_handler(&self, stmt: StmtId) -> Option<&Handler> {
        self.ancestors(stmt).find_map(|a| match a.part {
            Part::Handler(n) => self.handlers(a.stmt).get(n as usize),
            _ => None,
        })
    }

    /// Whether a handler catches one of these classes, by last name, or catches everything.
    pub(crate) fn catches(&self, handler: &Handler, classes: &[&str]) -> bool {
        self.catches_all(handler)
            || handler.types.iter().any(|&class| {
                self.last_name(class)
                    .is_some_and(|name| classes.contains(&name))
            })
    }

    /// `except:`, `except Exception`, `except BaseException`.
    pub(crate) fn catches_all(&self, handler: &Handler) -> bool {
        handler.types.is_empty()
            || handler
                .types
                .iter()
                .any(|&class| matches!(self.last_name(class), Some("Exception" | "BaseException")))
    }

    /// Whether a handler raises at its top level, again or something else.
    pub(crate) fn reraises(&self, handler: &Handler) -> bool {
        handler
            .body
            .iter()
            .any(|&stmt| matches!(self.stmt(stmt).kind, StmtKind::Raise))
    }

    /// Whether what the statement raises of these classes is caught in its own function and goes no further.
    pub(crate) fn is_caught(&self, stmt: StmtId, classes: &[&str]) -> bool {
        self.protecting_tries(stmt).any(|outer| {
            let first = self
                .handlers(outer)
                .iter()
                .find(|handler| self.catches(handler, classes));
            first.is_some_and(|handler| !self.reraises(handler))
        }) || self.is_suppressed(stmt, classes)
    }

    fn is_suppressed(&self, stmt: StmtId, classes: &[&str]) -> bool {
        self.with_items(stmt).any(|(_, item)| {
            self.call(item.context).is_some_and(|call| {
                call.name() == "suppress"
                    && call.args.iter().any(|arg| {
                        self.last_name(arg.value).is_some_and(|name| {
                            classes.contains(&name) || matches!(name, "Exception" | "BaseException")
                        })
                    })
            })
        })
    }

    /// Whether a `try` ends before its clauses are shown, so that what it catches is not known.
    pub(crate) fn is_cut_try(&self, stmt: StmtId) -> bool {
        let StmtKind::Try {
            handlers, finally, ..
        } = &self.stmt(stmt).kind
        else {
            return false;
        };
        let ends_in_scaffold = finally
            .first()
            .is_some_and(|&first| self.stmt(first).scaffold);
        handlers.is_empty() && ends_in_scaffold
    }

    /// Whether the clauses of a `try` are not shown: what they do is not known.
    pub(crate) fn end_of_try_is_hidden(&self, stmt: StmtId) -> bool {
        let StmtKind::Try {
            handlers, finally, ..
        } = &self.stmt(stmt).kind
        else {
            return false;
        };
        handlers
            .iter()
            .any(|handler| self.scaffold_at(handler.span.start).is_some())
            || finally
                .iter()
                .any(|&inner| self.scaffold_at(self.stmt(inner).span.start).is_some())
            || (handlers.is_empty() && finally.is_empty())
    }

    pub(crate) fn is_try(&self, stmt: StmtId) -> bool {
        matches!(self.stmt(stmt).kind, StmtKind::Try { .. })
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

    pub(super) fn index_exprs(&mut self) {
        let mut first = vec![u32::MAX; self.stmts.len()];
        for (at, expr) in self.exprs.iter().enumerate() {
            if let Some(entry) = first.get_mut(expr.stmt.index()) {
                *entry = (*entry).min(at as u32);
            }
        }
        self.first_exprs = first;
    }
}
