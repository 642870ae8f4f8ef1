//! Where names, calls and statements stand: sorted out once per file, so that no question about one of them
//! walks the whole file.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use rustc_hash::FxHashMap;

/// Look-up tables over one document. Every list is in the arena's order, unless it says otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Names and attributes by their last name, and `getattr(object, "name")` by the name that it asks for.
    mentions: FxHashMap<Box<str>, Vec<ExprId>>,
    /// Calls by the last name of their callee, in source order.
    named_calls: FxHashMap<Box<str>, Vec<ExprId>>,
    /// Calls by the scope that they stand in, all fragments of it taken together; in source order.
    calls: FxHashMap<ScopeId, Vec<ExprId>>,
    /// Statements by their scope, all fragments of it taken together.
    stmts: FxHashMap<ScopeId, Vec<StmtId>>,
    /// Functions by the class that they stand in.
    methods: FxHashMap<ScopeId, Vec<ScopeId>>,
    /// All expressions by where they start.
    by_start: Vec<ExprId>,
}

impl Facts {
    /// The names and attributes whose last name this is: `lock` and `self.state.lock`.
    pub(crate) fn exprs_named(&self, name: &str) -> impl Iterator<Item = ExprId> {
        let mentions = self.mentions_named(name).iter().copied();
        mentions.filter(|&id| self.call(id).is_none())
    }

    /// The same, and `getattr(object, "lock")`.
    pub(super) fn mentions_named(&self, name: &str) -> &[ExprId] {
        list(&self.index().mentions, name)
    }

    /// The calls whose callee ends with a name, in source order.
    pub(super) fn calls_named(&self, name: &str) -> impl Iterator<Item = Call<'_>> {
        let ids = list(&self.index().named_calls, name);
        ids.iter().filter_map(|&id| self.call(id))
    }

    /// The calls that stand in a scope itself, of all its fragments, in source order.
    pub(crate) fn calls_of(&self, scope: ScopeId) -> impl Iterator<Item = Call<'_>> {
        let ids = list(&self.index().calls, &self.canonical(scope));
        ids.iter().filter_map(|&id| self.call(id))
    }

    /// The statements of a scope, nested blocks included, nested scopes left out; of all its fragments.
    pub(crate) fn statements_of(&self, scope: ScopeId) -> impl Iterator<Item = StmtId> {
        let stmts = list(&self.index().stmts, &self.canonical(scope));
        stmts.iter().copied()
    }

    /// The methods of a class in source order, of all its fragments.
    pub(crate) fn methods(&self, class: ScopeId) -> impl Iterator<Item = ScopeId> {
        let methods = list(&self.index().methods, &self.canonical(class));
        methods.iter().copied()
    }

    /// The expressions inside a span, by where they start.
    pub(crate) fn exprs_within(&self, span: Span) -> impl Iterator<Item = ExprId> {
        let by_start = &self.index().by_start;
        let from = by_start.partition_point(|&id| self.expr(id).span.start < span.start);
        by_start
            .iter()
            .copied()
            .skip(from)
            .take_while(move |&id| self.expr(id).span.start < span.end)
            .filter(move |&id| span.contains(self.expr(id).span))
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self))
    }

    /// The name that an expression is listed under.
    fn mentioned(&self, id: ExprId) -> Option<&str> {
        match self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.last_name(id),
            ExprKind::Call { .. } => {
                let call = self.call(id).filter(|call| call.callee() == "getattr")?;
                self.string(call.positional(1)?)
            }
            _ => None,
        }
    }
}

impl Index {
    fn new(facts: &Facts) -> Index {
        let mut index = Index::default();
        for id in facts.expr_ids() {
            if let Some(name) = facts.mentioned(id) {
                push(&mut index.mentions, name, id);
            }
        }
        for call in facts.calls() {
            push(&mut index.named_calls, call.name(), call.id);
            let scope = facts.canonical(call.scope());
            index.calls.entry(scope).or_default().push(call.id);
        }
        for id in facts.stmt_ids() {
            let scope = facts.canonical(facts.stmt(id).scope);
            index.stmts.entry(scope).or_default().push(id);
        }
        for id in facts.scope_ids() {
            let scope = facts.scope(id);
            if let (ScopeKind::Function, Some(parent)) = (scope.kind, scope.parent) {
                let class = facts.canonical(parent);
                index.methods.entry(class).or_default().push(id);
            }
        }
        index.by_start = facts.expr_ids().collect();
        index.by_start.sort_by_key(|&id| facts.expr(id).span.start);
        index
    }
}

fn push(lists: &mut FxHashMap<Box<str>, Vec<ExprId>>, name: &str, id: ExprId) {
    match lists.get_mut(name) {
        Some(list) => list.push(id),
        None => {
            lists.insert(name.into(), vec![id]);
        }
    }
}

fn list<'i, K, Q, V>(lists: &'i FxHashMap<K, Vec<V>>, key: &Q) -> &'i [V]
where
    K: std::borrow::Borrow<Q> + std::hash::Hash + Eq,
    Q: std::hash::Hash + Eq + ?Sized,
{
    lists.get(key).map_or(&[], |list| list)
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[test]
    fn names_are_found_in_every_form() {
        let facts = facts_of("lock = 1\nself.lock.acquire()\nclock = getattr(self, \"lock\")\n");
        let found = facts.exprs_named("lock").map(|id| facts.expr_text(id));
        assert_eq!(found.collect::<Vec<_>>(), ["lock", "self.lock"]);
        assert_eq!(facts.mentions_named("lock").len(), 3);
    }

    #[test]
    fn a_scope_knows_its_own_statements_and_calls() {
        let facts =
            facts_of("def f():\n    if a():\n        b()\n    def g():\n        c()\n    d()\n");
        let function = facts.scope_ids().nth(1).unwrap();
        let calls = facts.calls_of(function).map(|call| call.name());
        assert_eq!(calls.collect::<Vec<_>>(), ["a", "b", "d"]);
        assert_eq!(facts.statements_of(function).count(), 4);
    }

    #[test]
    fn what_stands_in_a_span_is_found_without_a_walk() {
        let facts = facts_of("a(b)\nc(d, e)\nf()\n");
        let second = facts.calls().nth(1).unwrap();
        let inside = facts
            .exprs_within(second.span())
            .map(|id| facts.expr_text(id));
        assert_eq!(
            inside.collect::<Vec<_>>(),
            ["c(d, e)", "c", "d", "e"],
            "the call itself is inside its span"
        );
    }
}
