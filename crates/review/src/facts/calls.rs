//! Calls, their arguments, and the call graph of the file.

use super::Facts;
use super::bindings::BindingKind;
use super::hir::*;
use std::sync::Arc;

/// A call with what rules ask of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'f> {
    facts: &'f Facts,
    pub(crate) id: ExprId,
    /// What is called.
    pub(crate) function: ExprId,
    pub(crate) args: &'f [Arg],
}

impl<'f> Call<'f> {
    /// The callee, resolved through imports; empty where it is no chain of names.
    pub(crate) fn callee(&self) -> &'f str {
        self.facts
            .callees
            .get(&self.id)
            .map_or("", |callee| &**callee)
    }

    /// `acquire` of `self._lock.acquire()`.
    pub(crate) fn method(&self) -> Option<&'f str> {
        self.facts.attribute(self.function).map(|(_, name)| name)
    }

    /// `self._lock` of `self._lock.acquire()`.
    pub(crate) fn receiver(&self) -> Option<ExprId> {
        self.facts
            .attribute(self.function)
            .map(|(object, _)| object)
    }

    /// The last name of the callee: `acquire`, `open`, `ThreadPoolExecutor`.
    pub(crate) fn name(&self) -> &'f str {
        self.facts.last_name(self.function).unwrap_or("")
    }

    /// Whether the callee means one of these dotted names (see [`Facts::means`]).
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        let callee = self.callee();
        !callee.is_empty() && names.iter().any(|name| self.facts.means(callee, name))
    }

    pub(crate) fn keyword(&self, name: &str) -> Option<ExprId> {
        let is_it = |arg: &&Arg| arg.name.is_some_and(|span| self.facts.text(span) == name);
        self.args.iter().find(is_it).map(|arg| arg.value)
    }

    /// The n-th argument without a name, from 0.
    pub(crate) fn positional(&self, n: usize) -> Option<ExprId> {
        self.args
            .iter()
            .filter(|arg| arg.name.is_none() && arg.stars == 0)
            .nth(n)
            .map(|arg| arg.value)
    }

    /// An argument given by name, or by its place.
    pub(crate) fn arg(&self, n: usize, name: &str) -> Option<ExprId> {
        self.keyword(name).or_else(|| self.positional(n))
    }

    /// `sys.exit(...)` and its like.
    pub(crate) fn ends_process(&self) -> bool {
        self.is(&["sys.exit", "os._exit", "os.abort", "exit", "quit"])
    }

    /// `*args` or `**kwargs` may bring arguments that are not shown.
    pub(crate) fn has_splat(&self) -> bool {
        self.args.iter().any(|arg| arg.stars > 0)
    }

    pub(crate) fn span(&self) -> Span {
        self.facts.expr(self.id).span
    }

    pub(crate) fn stmt(&self) -> StmtId {
        self.facts.expr(self.id).stmt
    }

    /// The function (or lambda) that the call runs in.
    pub(crate) fn scope(&self) -> ScopeId {
        self.facts.expr(self.id).scope
    }

    /// Whether the call is awaited on the spot.
    pub(crate) fn is_awaited(&self) -> bool {
        let parent = self.facts.expr(self.id).parent;
        parent.is_some_and(|parent| matches!(self.facts.expr(parent).kind, ExprKind::Await(_)))
    }

    /// Whether the call is a statement of its own (awaited or not): its result is dropped.
    pub(crate) fn is_dropped(&self) -> bool {
        match self.facts.stmt(self.stmt()).kind {
            StmtKind::Expr(top) => {
                top == self.id
                    || matches!(self.facts.expr(top).kind, ExprKind::Await(inner) if inner == self.id)
            }
            _ => false,
        }
    }
}

/// What was found out about some calls, in source order.
#[derive(Clone, Debug)]
pub(super) struct OfCalls<T>(Box<[(ExprId, T)]>);

impl<T: Copy> OfCalls<T> {
    pub(super) fn new<'f>(facts: &'f Facts, find: impl Fn(&Call<'f>) -> Option<T>) -> OfCalls<T> {
        let found = facts
            .calls()
            .filter_map(|call| Some((call.id, find(&call)?)));
        OfCalls(found.collect())
    }

    pub(super) fn all<'f>(&self, facts: &'f Facts) -> impl Iterator<Item = (Call<'f>, T)> {
        let found = self.0.iter();
        found.filter_map(|(id, found)| Some((facts.call(*id)?, *found)))
    }

    pub(super) fn of(&self, call: &Call<'_>) -> Option<T> {
        let place = |id: ExprId| (call.facts.expr(id).span.start, id);
        let at = self
            .0
            .binary_search_by_key(&place(call.id), |(id, _)| place(*id));
        at.ok()
            .and_then(|at| self.0.get(at))
            .map(|(_, found)| *found)
    }
}

impl Facts {
    /// All calls in source order.
    pub(crate) fn calls(&self) -> impl Iterator<Item = Call<'_>> {
        self.calls.iter().filter_map(|&id| self.call(id))
    }

    /// The expression as a call.
    pub(crate) fn call(&self, id: ExprId) -> Option<Call<'_>> {
        match &self.expr(id).kind {
            ExprKind::Call { function, args } => Some(Call {
                facts: self,
                id,
                function: *function,
                args,
            }),
            _ => None,
        }
    }

    /// The expression as a call, through `await` and parentheses.
    pub(crate) fn awaited_call(&self, id: ExprId) -> Option<Call<'_>> {
        match self.expr(id).kind {
            ExprKind::Await(inner) => self.call(inner),
            _ => self.call(id),
        }
    }

    /// The calls that stand in a statement's own expressions, those of its blocks left out.
    pub(crate) fn calls_in(&self, stmt: StmtId) -> impl Iterator<Item = Call<'_>> {
        let span = self.stmt(stmt).span;
        let from = self
            .calls
            .partition_point(|&id| self.expr(id).span.start < span.start);
        self.calls
            .iter()
            .skip(from)
            .take_while(move |&&id| self.expr(id).span.start < span.end)
            .filter(move |&&id| self.expr(id).stmt == stmt)
            .filter_map(|&id| self.call(id))
    }

    /// The calls that begin inside a span, in source order.
    pub(crate) fn calls_within(&self, span: Span) -> impl Iterator<Item = Call<'_>> {
        let from = self
            .calls
            .partition_point(|&id| self.expr(id).span.start < span.start);
        self.calls
            .iter()
            .skip(from)
            .take_while(move |&&id| self.expr(id).span.start < span.end)
            .filter_map(|&id| self.call(id))
    }

    /// The calls of the scope that a statement stands in, and of all that is nested in it, in source order.
    pub(crate) fn calls_beside(&self, stmt: StmtId) -> impl Iterator<Item = Call<'_>> {
        self.calls_within(self.scope(self.stmt(stmt).scope).span)
    }

    /// The function of this file that a call runs: `helper()`, `self.method()`, `Class.method()`; `Class()` gives its
    /// `__init__`.
    pub(crate) fn callee_scope(&self, call: &Call<'_>) -> Option<ScopeId> {
        if let Some(method) = self.self_attribute(call.function) {
            return self.method(self.class_of(call.scope())?, method);
        }
        if let Some((object, method)) = self.attribute(call.function) {
            let class = self.definition(object)?;
            let is_class = self.scope(class).kind == ScopeKind::Class;
            return is_class.then(|| self.method(class, method)).flatten();
        }
        let target = self.definition(call.function)?;
        match self.scope(target).kind {
            ScopeKind::Class => self.method(target, "__init__"),
            _ => Some(target),
        }
    }

    /// The function or class of this file that a name means.
    pub(crate) fn definition(&self, id: ExprId) -> Option<ScopeId> {
        self.name(id)?;
        self.lookup(id)
            .iter()
            .rev()
            .find_map(|binding| match binding.kind {
                BindingKind::Definition(scope) => Some(scope),
                _ => None,
            })
    }

    /// The method of a class by name, as far as it is shown.
    pub(crate) fn method(&self, class: ScopeId, name: &str) -> Option<ScopeId> {
        self.bindings_of(class, name)
            .iter()
            .rev()
            .find_map(|binding| match binding.kind {
                BindingKind::Definition(scope) => Some(scope),
                _ => None,
            })
    }

    /// The shown calls of a function of this file, by name or through `self`.
    pub(crate) fn calls_to(&self, function: ScopeId) -> impl Iterator<Item = Call<'_>> {
        let target = self.canonical(function);
        self.names_of(function)
            .flat_map(|name| self.calls_named(name))
            .filter(move |call| {
                self.callee_scope(call)
                    .is_some_and(|scope| self.canonical(scope) == target)
            })
    }

    /// The names that a function is called by: an `__init__` by that of its class, too.
    pub(super) fn names_of(&self, function: ScopeId) -> impl Iterator<Item = &str> {
        let name = self.scope_name(function).unwrap_or("");
        let class = self.scope(function).parent.filter(|_| name == "__init__");
        let class = class.and_then(|class| self.scope_name(class));
        std::iter::once(name).chain(class)
    }

    /// What a call gives a parameter of a function of this file.
    pub(crate) fn argument_for(
        &self,
        call: &Call<'_>,
        function: ScopeId,
        parameter: &str,
    ) -> Option<ExprId> {
        let params = &self.scope(function).params;
        let place = params
            .iter()
            .position(|param| self.text(param.name) == parameter)?;
        let is_bound = params
            .first()
            .is_some_and(|first| matches!(self.text(first.name), "self" | "cls"));
        let n = place.checked_sub(usize::from(is_bound));
        call.keyword(parameter)
            .or_else(|| n.and_then(|n| call.positional(n)))
    }

    pub(super) fn resolve_calls(&mut self) {
        let mut calls: Vec<ExprId> = self
            .expr_ids()
            .filter(|&id| matches!(self.expr(id).kind, ExprKind::Call { .. }))
            .collect();
        calls.sort_by_key(|&id| (self.expr(id).span.start, id));
        let callees = calls.iter().filter_map(|&id| match self.expr(id).kind {
            ExprKind::Call { function, .. } => {
                Some((id, self.resolved(function)?.into_boxed_str()))
            }
            _ => None,
        });
        self.callees = Arc::new(callees.collect());
        self.calls = calls.into();
    }
}
