//! Check-then-create: whether a test for a missing value leads to the statement that makes it.

use super::Facts;
use super::bindings::BindingKind;
use super::hir::*;

impl Facts {
    /// The statement that finds the target of an assignment missing before it is made: an `if` around, an early return
    /// before (`if key in CACHE: return CACHE[key]`), or a `try` that reads it and whose handler assigns.
    pub(crate) fn tested_before(&self, stmt: StmtId, target: ExprId) -> Option<StmtId> {
        let mut at = stmt;
        loop {
            if let Some(early) = self.early_return_for(at, target) {
                return Some(early);
            }
            let slot = self.stmt(at).parent?;
            match &self.stmt(slot.stmt).kind {
                StmtKind::If { test, .. }
                    if self.asks_for(*test, target)
                        && !self.asks_wrong_way(*test, target, slot.part == Part::Body) =>
                {
                    return Some(slot.stmt);
                }
                StmtKind::Try { body, .. }
                    if matches!(slot.part, Part::Handler(_)) && self.reads(body, target) =>
                {
                    return Some(slot.stmt);
                }
                _ => at = slot.stmt,
            }
        }
    }

    fn early_return_for(&self, stmt: StmtId, target: ExprId) -> Option<StmtId> {
        let before = self
            .block_of(stmt)
            .iter()
            .take_while(|&&other| other != stmt);
        before.copied().find(|&other| match &self.stmt(other).kind {
            StmtKind::If { test, body, .. } => {
                self.always_leaves(body)
                    && self.asks_for(*test, target)
                    && !self.asks_wrong_way(*test, target, false)
            }
            _ => false,
        })
    }

    /// `X is None`, `not X`, `key not in X`, `X.get(key) is None`, `hasattr(self, "x")`, or a name that was read from X before.
    fn asks_for(&self, test: ExprId, target: ExprId) -> bool {
        let wanted = self.container_of(target);
        let Some(text) = self.dotted(wanted) else {
            return false;
        };
        let is_it = |id: ExprId| self.dotted(id).is_some_and(|other| other == text);
        let stmt = self.expr(target).stmt;
        let reads = |value: ExprId| self.expr(value).stmt != stmt && self.within(value).any(is_it);
        let was_read = |id: ExprId| {
            let direct = self.bindings_behind(id).into_iter().any(
                |binding| matches!(binding.kind, BindingKind::Value { value, .. } if reads(value)),
            );
            self.name(id).is_some() && (direct || self.values(id).into_iter().any(reads))
        };
        self.within(test)
            .any(|id| is_it(id) || was_read(id) || self.asks_by_name(id, wanted))
    }

    /// Whether a test says plainly that it is about another entry, or that what is made is there already.
    /// `makes` says whether what follows a true test makes it.
    fn asks_wrong_way(&self, test: ExprId, target: ExprId, makes: bool) -> bool {
        let ExprKind::Compare {
            operands,
            operators,
        } = &self.expr(test).kind
        else {
            return false;
        };
        let ([left, right], [operator]) = (&operands[..], &operators[..]) else {
            return false;
        };
        let words: Vec<&str> = self.text(*operator).split_whitespace().collect();
        let asks_absence = match words[..] {
            ["not", "in"] => true,
            ["in"] => false,
            ["is"] | ["=="] if self.is_none(*right) => true,
            ["is", "not"] | ["!="] if self.is_none(*right) => false,
            _ => return false,
        };
        let is_entry = words.last() == Some(&"in");
        asks_absence != makes || (is_entry && self.is_other_key(*left, target))
    }

    fn is_none(&self, id: ExprId) -> bool {
        matches!(self.expr(id).kind, ExprKind::None)
    }

    /// `"client"` of `"client" in CONFIG` beside `CONFIG["session"] = ...`.
    fn is_other_key(&self, asked: ExprId, target: ExprId) -> bool {
        let key = match &self.expr(target).kind {
            ExprKind::Subscript { index, .. } => match index[..] {
                [key] => self.string(key),
                _ => None,
            },
            _ => None,
        };
        let asked = self.string(asked);
        asked.is_some() && key.is_some() && asked != key
    }

    /// `hasattr(self, "_lock")`.
    fn asks_by_name(&self, id: ExprId, wanted: ExprId) -> bool {
        let Some(call) = self.call(id).filter(|call| call.callee() == "hasattr") else {
            return false;
        };
        let name = call.positional(1).and_then(|name| self.string(name));
        name.is_some() && name == self.last_name(wanted)
    }

    /// `CACHE` of `CACHE[key]`.
    fn container_of(&self, target: ExprId) -> ExprId {
        match self.expr(target).kind {
            ExprKind::Subscript { object, .. } => object,
            _ => target,
        }
    }

    fn reads(&self, body: &[StmtId], target: ExprId) -> bool {
        let text = self.dotted(target);
        text.is_some()
            && self
                .statements_in(body)
                .into_iter()
                .any(|stmt| self.exprs_of(stmt).any(|id| self.dotted(id) == text))
    }
}
