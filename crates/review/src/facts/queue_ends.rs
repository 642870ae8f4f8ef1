//! Whether a queue's `get` or `put` waits for the other end without a limit.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;
use super::waits::Bound;

impl Facts {
    /// `get()` with neither timeout nor `block=False`; `put` of a queue that is made with a maximum.
    pub(super) fn waits_at_queue(&self, call: &Call<'_>, method: &str) -> bool {
        let (block, timeout) = match method {
            "get" => (0, 1),
            "put" if call.receiver().is_some_and(|queue| self.has_maximum(queue)) => (1, 2),
            _ => return false,
        };
        if self.state_was_tested(call) {
            return false;
        }
        let polls = call
            .arg(block, "block")
            .is_some_and(|block| !matches!(self.expr(block).kind, ExprKind::True));
        let bound = self.bound(call, timeout, "timeout");
        !polls && matches!(bound, Bound::Unbounded)
    }

    /// `if not queue.full(): queue.put(...)`, `while not queue.empty(): queue.get()`.
    fn state_was_tested(&self, call: &Call<'_>) -> bool {
        let queue = call.receiver().and_then(|queue| self.dotted(queue));
        let asks = |id: ExprId| {
            self.call(id).is_some_and(|test| {
                matches!(test.method(), Some("full" | "empty" | "qsize"))
                    && test.receiver().and_then(|of| self.dotted(of)) == queue
            })
        };
        self.ancestors(call.stmt())
            .any(|around| match self.stmt(around.stmt).kind {
                StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                    self.within(test).any(asks)
                }
                _ => false,
            })
    }

    pub(crate) fn has_maximum(&self, queue: ExprId) -> bool {
        let limited = |value: ExprId| {
            self.call(value)
                .and_then(|made| made.arg(0, "maxsize"))
                .is_some_and(|size| self.expr_text(size) != "0")
        };
        self.values(queue).into_iter().any(limited)
            || self.kept_beside(queue).into_iter().any(limited)
    }

    /// What the table was given that a name comes from: `for queue in self._by_viewer.values()`, `self._by_viewer[n]`.
    pub(super) fn kept_beside(&self, id: ExprId) -> Vec<ExprId> {
        let looped = self
            .bindings_behind(id)
            .into_iter()
            .find_map(|binding| match binding.kind {
                BindingKind::Loop { iter, .. } => Some(self.viewed(iter)),
                BindingKind::Value { value, .. } => self.table_behind(value),
                _ => None,
            });
        let table = looped
            .or_else(|| self.table_behind(id))
            .and_then(|table| self.dotted(table));
        let fills = table.map_or(&[][..], |table| self.fills_of(&table));
        fills.iter().map(|fill| fill.value).collect()
    }

    fn table_behind(&self, id: ExprId) -> Option<ExprId> {
        match self.expr(id).kind {
            ExprKind::Subscript { object, .. } => Some(object),
            _ => None,
        }
    }

    /// `table` of `list(table.items())`.
    fn viewed(&self, iter: ExprId) -> ExprId {
        let Some(call) = self.call(iter) else {
            return iter;
        };
        match (call.method(), call.positional(0)) {
            (Some("items" | "values"), _) => call.receiver().unwrap_or(iter),
            (None, Some(inner)) if matches!(call.callee(), "list" | "tuple") => self.viewed(inner),
            _ => iter,
        }
    }
}
