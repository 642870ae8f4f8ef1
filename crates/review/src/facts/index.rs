//! Where names, calls and statements stand: sorted out once per file, so that no question about one of them
//! walks the whole file.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Look-up tables over one document. Every list is in source order.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Names and attributes by their last name.
    named: FxHashMap<Box<str>, Vec<ExprId>>,
    /// `self.name` by its name and the class that it stands in.
    fields: FxHashMap<Box<str>, FxHashMap<Option<ScopeId>, Vec<ExprId>>>,
    /// `object.name` of anything but `self`, and `getattr(object, "name")`.
    foreign: FxHashMap<Box<str>, Vec<ExprId>>,
    /// Calls by the last name of their callee.
    named_calls: FxHashMap<Box<str>, Vec<ExprId>>,
    /// Calls by the scope that they stand in, all fragments of it taken together.
    calls: FxHashMap<ScopeId, Vec<ExprId>>,
    /// Calls by the class that they stand in, those of nested functions included.
    class_calls: FxHashMap<ScopeId, Vec<ExprId>>,
    /// All fragments of a scope, by the first of them.
    fragments: FxHashMap<ScopeId, Vec<ScopeId>>,
    /// Statements by their scope, all fragments of it taken together.
    stmts: FxHashMap<ScopeId, Vec<StmtId>>,
    /// Functions by the class that they stand in.
    methods: FxHashMap<ScopeId, Vec<ScopeId>>,
    /// The classes of the file that a class derives from, and those that derive from it.
    relatives: FxHashMap<ScopeId, Vec<ScopeId>>,
    /// All expressions.
    by_start: Vec<ExprId>,
}

impl Facts {
    /// The names and attributes whose last name this is: `lock` and `self.state.lock`; in source order.
    pub(crate) fn exprs_named(&self, name: &str) -> impl Iterator<Item = ExprId> {
        list(&self.index().named, name).iter().copied()
    }

    /// The same, inside a scope and what is nested in it.
    pub(super) fn exprs_named_in(
        &self,
        scope: ScopeId,
        name: &str,
    ) -> impl Iterator<Item = ExprId> {
        let named = list(&self.index().named, name);
        self.fragments(scope).flat_map(move |fragment| {
            let span = self.scope(fragment).span;
            self.starting_in(named, span)
        })
    }

    /// `self.name` in a class and in those that it shares fields with, as far as the text says, and `object.name`
    /// and `getattr(object, "name")` anywhere. Without a class, in all of them.
    pub(super) fn field_mentions(&self, class: Option<ScopeId>, name: &str) -> Vec<ExprId> {
        let index = self.index();
        let mut found = list(&index.foreign, name).to_vec();
        let Some(class) = class.map(|class| self.canonical(class)) else {
            let fields = self.exprs_named(name);
            found.extend(fields.filter(|&id| self.self_attribute(id).is_some()));
            return found;
        };
        if let Some(fields) = index.fields.get(name) {
            let relatives = list(&index.relatives, &class).iter().copied();
            let classes = relatives.chain([class]).map(Some).chain([None]);
            found.extend(classes.flat_map(|class| list(fields, &class)));
        }
        found
    }

    /// All fragments of a scope.
    pub(crate) fn fragments(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        let fragments = list(&self.index().fragments, &self.canonical(scope));
        fragments.iter().copied()
    }

    /// The calls whose callee ends with a name, in source order.
    pub(crate) fn calls_named(&self, name: &str) -> impl Iterator<Item = Call<'_>> {
        let ids = list(&self.index().named_calls, name);
        ids.iter().filter_map(|&id| self.call(id))
    }

    /// The calls that stand in a scope itself, of all its fragments, in source order.
    pub(crate) fn calls_of(&self, scope: ScopeId) -> impl Iterator<Item = Call<'_>> {
        let ids = list(&self.index().calls, &self.canonical(scope));
        ids.iter().filter_map(|&id| self.call(id))
    }

    /// The calls in a class, of all its fragments, in source order.
    pub(crate) fn calls_of_class(&self, class: ScopeId) -> impl Iterator<Item = Call<'_>> {
        let ids = list(&self.index().class_calls, &self.canonical(class));
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
        self.starting_in(&self.index().by_start, span)
            .filter(move |&id| span.contains(self.expr(id).span))
    }

    /// Of a list in source order what starts in a span.
    fn starting_in<'f>(
        &'f self,
        ids: &'f [ExprId],
        span: Span,
    ) -> impl Iterator<Item = ExprId> + use<'f> {
        let from = ids.partition_point(|&id| self.expr(id).span.start < span.start);
        ids.iter()
            .copied()
            .skip(from)
            .take_while(move |&id| self.expr(id).span.start < span.end)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Arc::new(Index::new(self)))
    }

    /// The name that `getattr` is asked for.
    fn got_attribute(&self, call: &Call<'_>) -> Option<&str> {
        let name = call.positional(1).filter(|_| call.callee() == "getattr")?;
        self.string(name)
    }
}

impl Index {
    fn new(facts: &Facts) -> Index {
        let mut by_start: Vec<ExprId> = facts.expr_ids().collect();
        by_start.sort_by_key(|&id| facts.expr(id).span.start);
        let mut index = Index {
            by_start,
            ..Index::default()
        };
        index.list_names(facts);
        index.list_calls(facts);
        index.list_scopes(facts);
        index
    }

    fn list_names(&mut self, facts: &Facts) {
        for &id in &self.by_start {
            if let Some(name) = facts.name(id) {
                push(&mut self.named, name, id);
            } else if let Some(name) = facts.self_attribute(id) {
                let class = facts.class_of(facts.expr(id).scope);
                let classes = self.fields.entry(name.into()).or_default();
                classes.entry(class).or_default().push(id);
                push(&mut self.named, name, id);
            } else if let Some((_, name)) = facts.attribute(id) {
                push(&mut self.foreign, name, id);
                push(&mut self.named, name, id);
            } else if let Some(name) = facts.call(id).and_then(|call| facts.got_attribute(&call)) {
                push(&mut self.foreign, name, id);
            }
        }
    }

    fn list_calls(&mut self, facts: &Facts) {
        for call in facts.calls() {
            push(&mut self.named_calls, call.name(), call.id);
            let scope = facts.canonical(call.scope());
            self.calls.entry(scope).or_default().push(call.id);
            if let Some(class) = facts.class_of(scope) {
                self.class_calls.entry(class).or_default().push(call.id);
            }
        }
    }

    fn list_scopes(&mut self, facts: &Facts) {
        for id in facts.stmt_ids() {
            let scope = facts.canonical(facts.stmt(id).scope);
            self.stmts.entry(scope).or_default().push(id);
        }
        for id in facts.scope_ids() {
            let scope = facts.scope(id);
            let first = facts.canonical(id);
            self.fragments.entry(first).or_default().push(id);
            if let (ScopeKind::Function, Some(parent)) = (scope.kind, scope.parent) {
                let class = facts.canonical(parent);
                self.methods.entry(class).or_default().push(id);
            }
            for base in facts.bases_of(id).filter(|_| first == id) {
                self.relatives.entry(id).or_default().push(base);
                self.relatives.entry(base).or_default().push(id);
            }
        }
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
        assert_eq!(facts.field_mentions(None, "lock").len(), 2);
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
