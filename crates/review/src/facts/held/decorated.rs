//! Functions that run under a lock as a whole: a decorator of the diff takes it around each call of what it wraps.

use super::{Held, Taken};
use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;
use crate::facts::locks::{Home, Lock};

impl Facts {
    /// The regions that decorators make of whole functions. `known` are the plain ones of this file.
    pub(super) fn regions_of_decorators(&self, known: &[Held]) -> Vec<Held> {
        let mut regions = Vec::new();
        for stmt in self.stmt_ids() {
            let StmtKind::Function { scope, decorators } = &self.stmt(stmt).kind else {
                continue;
            };
            let found = decorators.iter().filter_map(|&decorator| {
                let lock = self.lock_of_decorator(decorator, *scope, known)?;
                Some(self.decorated_region(stmt, *scope, decorator, lock))
            });
            regions.extend(found);
        }
        regions
    }

    fn decorated_region(
        &self,
        stmt: StmtId,
        scope: ScopeId,
        decorator: ExprId,
        lock: Lock,
    ) -> Held {
        let mut body: Vec<StmtId> = self.statements_of(scope).collect();
        body.sort_unstable();
        Held {
            lock,
            taken: Taken::Decorator(decorator),
            stmt,
            scope,
            span: self.expr(decorator).span,
            body,
            unguarded: Vec::new(),
            release: None,
        }
    }

    /// The lock that a decorator holds while a function of this kind runs. A plain wrapper of a coroutine or a generator
    /// gives it back before either begins.
    fn lock_of_decorator(&self, decorator: ExprId, of: ScopeId, known: &[Held]) -> Option<Lock> {
        let (there, function) = self.decorator_function(decorator)?;
        let known = if std::ptr::eq(there, self) {
            known
        } else {
            there.held()
        };
        let (wrapper, context) = there.context_around_wrapped(function)?;
        let fits = there.is_async(wrapper) == self.is_async(of) && !self.scope(of).is_generator;
        let by_field = || {
            let field = there.field_of_first(context)?;
            self.lock_field(self.class_of(of)?, field)
        };
        let by_region = || {
            let span = there.expr(context).span;
            let inner = known
                .iter()
                .find(|held| held.scope == wrapper && held.span == span)?;
            self.as_seen_from(there, inner, of, decorator)
        };
        fits.then(|| by_field().or_else(by_region))?
    }

    /// `locked` of `@locked`, and of `@locked(seconds=2)`.
    fn decorator_function(&self, decorator: ExprId) -> Option<(&Facts, ScopeId)> {
        let named = self.call(decorator).map_or(decorator, |call| call.function);
        match self.definition(named) {
            Some(own) => Some((self, own)),
            None => {
                let imported = self.imported(named)?;
                Some((imported.facts, imported.function()?))
            }
        }
    }

    /// The wrapper inside of a decorator, and what it enters around its call of what is wrapped.
    fn context_around_wrapped(&self, function: ScopeId) -> Option<(ScopeId, ExprId)> {
        let span = self.scope(function).span;
        let calls = self.calls_within(span);
        let wrapped = calls.filter(|call| self.calls_wrapped(call, function));
        wrapped
            .flat_map(|call| {
                let items = self.with_items(call.stmt());
                items.map(move |(_, item)| (call.scope(), item.context))
            })
            .find(|&(wrapper, _)| wrapper != function)
    }

    /// `method(*args)` in a wrapper, where `method` is what the decorator was given.
    fn calls_wrapped(&self, call: &Call<'_>, decorator: ScopeId) -> bool {
        let is_given = |function: ScopeId| {
            let is_around = function != call.scope()
                && self
                    .scope(decorator)
                    .span
                    .contains(self.scope(function).span);
            is_around && self.scope(function).kind == ScopeKind::Function
        };
        self.parameter(call.function)
            .is_some_and(|(function, _)| is_given(function))
    }

    /// The lock of the wrapper as the decorated function could name it. One that the decorator makes itself is another for
    /// each function.
    fn as_seen_from(
        &self,
        there: &Facts,
        inner: &Held,
        of: ScopeId,
        decorator: ExprId,
    ) -> Option<Lock> {
        let lock = inner.lock.clone();
        if let Some(field) = there.field_of_first(lock.expr) {
            let class = self.class_of(of)?;
            let key = format!("class {}.{field}", self.class_with_field(class, field).0);
            return Some(Lock {
                expr: decorator,
                key,
                inner: None,
                home: Home::Instance,
                ..lock
            });
        }
        let is_own = there.name(lock.expr).is_some() && lock.home != Home::Module;
        let key = match (is_own, std::ptr::eq(there, self)) {
            (true, _) => format!("{}:{}", of.0, lock.key),
            (false, true) => return Some(lock),
            (false, false) => format!("{}:{}", there.path, lock.key),
        };
        Some(Lock {
            expr: decorator,
            key,
            inner: None,
            ..lock
        })
    }

    /// `_lock` of `source._lock`, where `source` is the first parameter of the function around.
    fn field_of_first(&self, context: ExprId) -> Option<&str> {
        let (object, field) = self.attribute(context)?;
        let first = self.scope(self.expr(context).scope).params.first()?;
        (self.name(object) == Some(self.text(first.name))).then_some(field)
    }

    /// A lock that a class keeps in a field, as its own methods name it.
    fn lock_field(&self, class: ScopeId, field: &str) -> Option<Lock> {
        let class = self.class_with_field(class, field);
        self.attribute_bindings(class, field)
            .into_iter()
            .flat_map(|binding| self.exprs_of(binding.stmt))
            .filter(|&id| self.last_name(id) == Some(field))
            .find_map(|id| self.lock(id))
    }

    /// The functions that a call in a decorator's wrapper runs: those that the file decorates with it.
    pub(crate) fn wrapped_by(&self, call: &Call<'_>) -> impl Iterator<Item = ScopeId> {
        let given = self.parameter(call.function).map(|(function, _)| function);
        let runs = move |held: &&Held| match held.taken {
            Taken::Decorator(decorator) => {
                let own = self
                    .decorator_function(decorator)
                    .filter(|(there, _)| std::ptr::eq(*there, self));
                own.zip(given).is_some_and(|((_, function), given)| {
                    self.scope(function).span.contains(self.scope(given).span)
                })
            }
            _ => false,
        };
        self.held().iter().filter(runs).map(|held| held.scope)
    }

    /// Where the wrapper of a decorator of this file takes a lock that is known for one there.
    pub(crate) fn lock_in_decorator(&self, decorator: ExprId) -> Option<Span> {
        let (there, function) = self.decorator_function(decorator)?;
        let (wrapper, context) = there.context_around_wrapped(function)?;
        let span = there.expr(context).span;
        let is_known = |held: &Held| held.scope == wrapper && held.span == span;
        (std::ptr::eq(there, self) && self.held().iter().any(is_known)).then_some(span)
    }
}
