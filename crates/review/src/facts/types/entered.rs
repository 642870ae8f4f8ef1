//! What a `with` enters bare, with no name for what it hands out, around a change of the object's own state: a lock, most
//! likely, whatever it is called.

use super::{Kind, Proof, Type};
use crate::facts::Facts;
use crate::facts::hir::*;

/// Words in names of what is entered bare as well, and is no lock.
const OTHERS: &[&str] = &[
    "app",
    "bar",
    "client",
    "conn",
    "connection",
    "console",
    "context",
    "ctx",
    "cursor",
    "cwd",
    "database",
    "db",
    "device",
    "dir",
    "env",
    "environment",
    "executor",
    "file",
    "graph",
    "handle",
    "live",
    "mesh",
    "patch",
    "patcher",
    "pool",
    "profiler",
    "progress",
    "reader",
    "runner",
    "session",
    "socket",
    "span",
    "stack",
    "status",
    "stream",
    "temp",
    "timer",
    "tmp",
    "tracer",
    "transaction",
    "writer",
];

/// Words in names of what keeps others out.
const GUARDS: &[&str] = &["gate", "guard", "latch", "monitor", "serial"];

impl Facts {
    /// `with self._guard:` in a class whose constructor is not shown.
    pub(super) fn entered_type(&self, id: ExprId) -> Option<Type> {
        let field = self.self_attribute(id)?;
        let is_alone = self.expr(id).parent.is_none() && self.is_unseen_attribute(id);
        if !is_alone || says(field, OTHERS) {
            return None;
        }
        let StmtKind::With { items, body, .. } = &self.stmt(self.expr(id).stmt).kind else {
            return None;
        };
        let is_bare = items
            .iter()
            .any(|item| item.context == id && item.target.is_none());
        let guards = || match says(field, GUARDS) {
            true => self.touches_fields(body),
            false => self.changes_fields(body),
        };
        (is_bare && guards()).then_some(Type {
            kind: Kind::ThreadLock,
            depth: 0,
            proof: Proof::Named,
        })
    }

    fn touches_fields(&self, body: &[StmtId]) -> bool {
        let mut inside = self.statements_in(body).into_iter();
        inside.any(|stmt| {
            self.exprs_of(stmt)
                .any(|id| self.self_attribute(id).is_some())
        })
    }

    /// Whether a block gives fields of the object, or entries of them, another value.
    fn changes_fields(&self, body: &[StmtId]) -> bool {
        let is_field = |id: ExprId| match &self.expr(id).kind {
            ExprKind::Subscript { object, .. } => self.self_attribute(*object).is_some(),
            _ => self.self_attribute(id).is_some(),
        };
        let is_target = |target: ExprId| match &self.expr(target).kind {
            ExprKind::Tuple(items) => items.iter().any(|&item| is_field(item)),
            _ => is_field(target),
        };
        let mut inside = self.statements_in(body).into_iter();
        inside.any(|stmt| match &self.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => targets.iter().any(|&target| is_target(target)),
            StmtKind::Delete(gone) => gone.iter().any(|&target| is_target(target)),
            _ => false,
        })
    }
}

fn says(name: &str, words: &[&str]) -> bool {
    topic::words(name).any(|word| words.contains(&&*word))
}

#[cfg(test)]
mod tests {
    use crate::facts::Proof;
    use crate::probe::facts_at;

    #[track_caller]
    fn check(inside: &str, is_lock: bool) {
        // The class goes on behind what is shown.
        let text = format!("class A:\n    def f(self, k):\n        {inside}\n");
        let facts = facts_at("probe.py", &text, false);
        let mut held = facts.held().iter();
        let found = held.any(|held| held.lock.proof == Proof::Named);
        assert_eq!(found, is_lock, "{inside}");
    }

    #[test]
    fn what_surrounds_changes_of_fields_is_a_lock() {
        check("with self._state: self._n += 1", true);
        check("with self._turns: self._by_key[k] = 1", true);
        check("with self._index_guard: self._index.add(k)", true);
    }

    #[test]
    fn other_contexts_are_none() {
        check("with self._session: self._n += 1", false);
        check("with self._state as state: self._n += 1", false);
        check("with self._state: print(k)", false);
    }
}
