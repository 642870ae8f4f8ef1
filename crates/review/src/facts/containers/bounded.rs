//! Containers that bound themselves: classes of the diff that give entries up as they take them.

use crate::facts::hir::*;
use crate::facts::{Call, Facts};

/// Words in the name of a class that promises a bound.
const BOUNDED: &[&str] = &[
    "limited", "bounded", "capped", "fixed", "lru", "lfu", "ttl", "expiring", "evicting", "ring",
];

impl Facts {
    /// Whether a call makes an object of a class that is shown to evict, or whose body is not shown and whose name says
    /// that it does.
    pub(super) fn bounds_itself(&self, call: &Call<'_>) -> bool {
        let imported = || {
            let imported = self.imported(call.function)?;
            Some((imported.facts, imported.definition()?))
        };
        let own = self.definition(call.function).map(|class| (self, class));
        let Some((home, class)) = own.or_else(imported) else {
            return false;
        };
        let is_class = home.scope(class).kind == ScopeKind::Class;
        let says = || topic::words(call.name()).any(|word| BOUNDED.contains(&&*word));
        is_class && (home.gives_entries_up(class) || (!home.is_visible(class) && says()))
    }

    /// Something is taken out of the object itself, and its size or a limit is asked for.
    fn gives_entries_up(&self, class: ScopeId) -> bool {
        let takes_out = |call: Call<'_>| {
            let removes = matches!(call.method(), Some("popitem" | "pop" | "popleft" | "clear"));
            let of_self = call.receiver().is_some_and(|of| self.is_object_itself(of));
            removes && of_self
        };
        let mut calls = self.calls_of_class(class);
        let deletes = || {
            let methods = self.methods(class);
            let mut stmts = methods.flat_map(|method| self.statements_of(method));
            stmts.any(|stmt| self.deletes_own_entry(stmt))
        };
        (calls.any(takes_out) || deletes()) && self.asks_for_size(class)
    }

    /// `self`, `super()`, and a class as in `OrderedDict.popitem(self)`.
    fn is_object_itself(&self, id: ExprId) -> bool {
        let is_super = self.call(id).is_some_and(|call| call.callee() == "super");
        let is_class = || {
            let name = self.name(id);
            name.is_some_and(|name| name == "self" || name.starts_with(char::is_uppercase))
        };
        is_super || is_class()
    }

    /// `del self[key]`.
    fn deletes_own_entry(&self, stmt: StmtId) -> bool {
        let StmtKind::Delete(gone) = &self.stmt(stmt).kind else {
            return false;
        };
        gone.iter().any(|&id| match self.expr(id).kind {
            ExprKind::Subscript { object, .. } => self.is_object_itself(object),
            _ => false,
        })
    }

    fn asks_for_size(&self, class: ScopeId) -> bool {
        let says_size = |id: ExprId| {
            let by_call = self.call(id).is_some_and(|call| call.callee() == "len");
            by_call
                || self
                    .last_name(id)
                    .is_some_and(|name| topic::has_word(name, "max maxsize limit capacity"))
        };
        self.fragments(class)
            .flat_map(|scope| self.exprs_within(self.scope(scope).span))
            .any(|id| {
                let compares = matches!(self.expr(id).kind, ExprKind::Compare { .. });
                compares && self.within(id).any(says_size)
            })
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(class: &str, expected: bool) {
        let facts = facts_of(&format!("{class}\nCACHE = Entries(9)\n"));
        let made = facts.calls_named("Entries").last().unwrap();
        assert_eq!(facts.bounds_itself(&made), expected, "{class}");
    }

    #[test]
    fn a_class_that_evicts_bounds_itself() {
        let head = "class Entries(OrderedDict):\n    def __setitem__(self, k, v):\n        super().__setitem__(k, v)\n";
        check(
            &format!(
                "{head}        while len(self) > self.most:\n            self.popitem(last=False)\n"
            ),
            true,
        );
        check(
            &format!("{head}        if len(self) > 9:\n            del self[next(iter(self))]\n"),
            true,
        );
        check(head, false);
        check(&format!("{head}        print(len(self) > 9)\n"), false);
        check(
            &format!("{head}    def drop(self, k):\n        self.pop(k)\n"),
            false,
        );
    }
}
