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
    /// `with self._guard:` in a class whose constructor is not shown, `with _guard:` where the module's head is not.
    pub(super) fn entered_type(&self, id: ExprId) -> Option<Type> {
        let is_lock = match self.attribute_of_class(id) {
            Some((class, field)) => self.is_lock_field(id, class, field),
            None => self.is_lock_of_module(id),
        };
        is_lock.then_some(Type {
            kind: Kind::ThreadLock,
            depth: 0,
            proof: Proof::Named,
        })
    }

    /// What one method shows of a field, another one's `with` relies on.
    fn is_lock_field(&self, id: ExprId, class: ScopeId, field: &str) -> bool {
        let is_field = |other: &ExprId| {
            let of = self.attribute_of_class(*other).map(|(of, _)| of);
            of.map(|of| self.canonical(of)) == Some(self.canonical(class))
        };
        self.is_entered_bare(id)
            && self.is_unseen_attribute(id)
            && !says(field, OTHERS)
            && self
                .exprs_named(field)
                .filter(is_field)
                .any(|other| self.guards_state(other, field))
    }

    fn is_lock_of_module(&self, id: ExprId) -> bool {
        let name = self.name(id).unwrap_or("");
        let is_inner = name.starts_with('_') && !name.starts_with("__");
        let is_unseen =
            !self.document.whole && !self.imports_name(name) && self.lookup(id).is_empty();
        is_inner && is_unseen && !says(name, OTHERS) && self.guards_state(id, name)
    }

    /// A `with` of nothing but this, and with no name for what it hands out.
    fn is_entered_bare(&self, id: ExprId) -> bool {
        let StmtKind::With { items, .. } = &self.stmt(self.expr(id).stmt).kind else {
            return false;
        };
        let mut items = items.iter();
        items.any(|item| item.context == id && item.target.is_none())
    }

    fn guards_state(&self, id: ExprId, name: &str) -> bool {
        let StmtKind::With { body, .. } = &self.stmt(self.expr(id).stmt).kind else {
            return false;
        };
        let guards = || match says(name, GUARDS) {
            true => self.touches_fields(body),
            false => self.changes_fields(body),
        };
        self.is_entered_bare(id) && guards()
    }

    fn touches_fields(&self, body: &[StmtId]) -> bool {
        let mut inside = self.statements_in(body).into_iter();
        inside.any(|stmt| {
            self.exprs_of(stmt)
                .any(|id| self.attribute_of_class(id).is_some())
        })
    }

    /// Whether a block gives fields of the object, or entries of them, another value.
    fn changes_fields(&self, body: &[StmtId]) -> bool {
        let is_field = |id: ExprId| match &self.expr(id).kind {
            ExprKind::Subscript { object, .. } => self.attribute_of_class(*object).is_some(),
            _ => self.attribute_of_class(id).is_some(),
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
        check("with _turn: self._n += 1", true);
        check("with A._turn: A._one = A()", true);
        check(
            "with self._state: self._n += 1\n        with self._state: print(k)",
            true,
        );
    }

    #[test]
    fn other_contexts_are_none() {
        check("with self._session: self._n += 1", false);
        check("with self._state as state: self._n += 1", false);
        check("with self._state: print(k)", false);
        check("with _turn: print(k)", false);
        check("with turn: self._n += 1", false);
    }
}
