//! Who catches what a statement raises, and which clean-up runs then.

use crate::facts::Facts;
use crate::facts::hir::*;

impl Facts {
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

    /// Whether the statement runs only where another way was not taken: in a handler, or in the `else` of a test.
    pub(crate) fn is_fallback(&self, stmt: StmtId) -> bool {
        self.ancestors(stmt).any(|around| match around.part {
            Part::Handler(_) => true,
            Part::Else => matches!(self.stmt(around.stmt).kind, StmtKind::If { .. }),
            _ => false,
        })
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

    /// Whether a handler sees the cancellation of its task: by its name, by `BaseException`, or as a bare `except`.
    pub(crate) fn catches_cancel(&self, handler: &Handler) -> bool {
        let takes = |&class: &ExprId| {
            matches!(
                self.last_name(class),
                Some("CancelledError" | "BaseException")
            )
        };
        handler.types.is_empty() || handler.types.iter().any(takes)
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

    /// Whether a `try` whose clauses are not shown begins right behind a statement, but for tests that leave.
    /// What the statement takes is most likely given back there.
    pub(crate) fn leads_into_cut_try(&self, stmt: StmtId) -> bool {
        let leaves = |stmt: StmtId| match &self.stmt(stmt).kind {
            StmtKind::If { body, .. } => self.always_leaves(body),
            _ => false,
        };
        let next = self.following(stmt).iter().find(|&&next| !leaves(next));
        next.is_some_and(|&next| self.is_try(next) && self.end_of_try_is_hidden(next))
    }

    /// Whether the clauses of a `try` are not shown: what they do is not known.
    pub(crate) fn end_of_try_is_hidden(&self, stmt: StmtId) -> bool {
        let StmtKind::Try {
            handlers, finally, ..
        } = &self.stmt(stmt).kind
        else {
            return false;
        };
        handlers.iter().any(|handler| self.is_cut(handler))
            || finally
                .iter()
                .any(|&inner| self.scaffold_at(self.stmt(inner).span.start).is_some())
            || (handlers.is_empty() && finally.is_empty())
    }

    /// A handler that is not shown, or of which no more than its head is.
    fn is_cut(&self, handler: &Handler) -> bool {
        let is_hidden = |&stmt: &StmtId| self.stmt(stmt).scaffold;
        self.scaffold_at(handler.span.start).is_some() || handler.body.iter().all(is_hidden)
    }

    pub(crate) fn is_try(&self, stmt: StmtId) -> bool {
        matches!(self.stmt(stmt).kind, StmtKind::Try { .. })
    }
}
