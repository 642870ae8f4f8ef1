//! Whether a wait ends by itself: what a timeout argument is worth.

use super::Facts;
use super::bindings::{Binding, BindingKind};
use super::calls::Call;
use super::hir::*;

/// What bounds a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// No timeout, or one that never ends: `None`, a negative number.
    Unbounded,
    /// A number that stands in the call.
    Literal(ExprId),
    /// A value that can end the wait.
    Given,
    /// A parameter of this function whose default is `None`, and no shown caller gives another value.
    Forwarded,
}

impl Facts {
    /// What a call's timeout is worth; `n` is its place among the positional arguments.
    pub(crate) fn bound(&self, call: &Call<'_>, n: usize, name: &str) -> Bound {
        self.bound_by(call, call.arg(n, name))
    }

    /// The same of a call that takes its limit by name alone.
    pub(crate) fn bound_named(&self, call: &Call<'_>, name: &str) -> Bound {
        self.bound_by(call, call.keyword(name))
    }

    fn bound_by(&self, call: &Call<'_>, limit: Option<ExprId>) -> Bound {
        match limit {
            Some(value) => self.bound_of(value),
            None if call.has_splat() => Bound::Given,
            None => Bound::Unbounded,
        }
    }

    /// What a value is worth as a timeout.
    pub(crate) fn bound_of(&self, value: ExprId) -> Bound {
        if self.is_endless(value) {
            return Bound::Unbounded;
        }
        if matches!(self.expr(value).kind, ExprKind::Number) {
            return Bound::Literal(value);
        }
        match self.parameter(value) {
            Some((function, param)) if self.is_endless_by_default(param) => {
                self.bound_of_parameter(function, param)
            }
            _ => self.bound_by_name(value),
        }
    }

    fn is_endless_by_default(&self, param: &Param) -> bool {
        param
            .default
            .is_some_and(|default| self.is_endless(default))
    }

    /// A parameter that is `None` unless somebody gives another value.
    fn bound_of_parameter(&self, function: ScopeId, param: &Param) -> Bound {
        let name = self.text(param.name).to_string();
        let given = self
            .calls_to(function)
            .chain(self.calls_of_relatives(function))
            .filter(|call| !self.hands_itself(call, function, &name))
            .any(|call| self.passes(&call, function, &name))
            || self.is_passed_by_name(function, &name);
        if given {
            Bound::Given
        } else {
            Bound::Forwarded
        }
    }

    /// `-1 if limit is None else limit`, or `if limit is None: limit = -1`, of a parameter that is `None` unless somebody
    /// gives another value: the function itself makes no end of nothing.
    pub(crate) fn makes_endless(&self, value: ExprId) -> bool {
        let all = self.branches_behind(value);
        all.iter().any(|&id| self.is_endless(id)) && self.parameter_behind(value, &all).is_some()
    }

    /// What a name was given, both branches of a conditional taken apart.
    fn branches_behind(&self, value: ExprId) -> Vec<ExprId> {
        let given = self
            .bindings_behind(value)
            .into_iter()
            .filter_map(|binding| match binding.kind {
                BindingKind::Value { value, index: None } => Some(value),
                _ => None,
            });
        let given: Vec<ExprId> = given.chain([value]).collect();
        let apart = |id: ExprId| match self.expr(id).kind {
            ExprKind::Conditional { body, orelse, .. } => vec![body, orelse],
            _ => vec![id],
        };
        given.into_iter().flat_map(apart).collect()
    }

    /// The parameter that is `None` by default among what a name can be.
    fn parameter_behind(&self, value: ExprId, branches: &[ExprId]) -> Option<(ScopeId, &Param)> {
        let by_branch = branches.iter().find_map(|&branch| self.parameter(branch));
        let is_param = |binding: &&Binding| matches!(binding.kind, BindingKind::Parameter(_));
        let rebound = || {
            let binding = self.bindings_behind(value).into_iter().find(is_param)?;
            let function = self.function_of(self.expr(value).scope)?;
            let mut params = self.scope(function).params.iter();
            Some((function, params.find(|param| param.name == binding.span)?))
        };
        by_branch
            .or_else(rebound)
            .filter(|(_, param)| self.is_endless_by_default(param))
    }

    /// `settle(item, timeout)` inside of `settle` itself: what its first caller gave is handed further down.
    fn hands_itself(&self, call: &Call<'_>, function: ScopeId, parameter: &str) -> bool {
        let function = self.canonical(function);
        let inside = self.function_of(call.scope()).map(|of| self.canonical(of)) == Some(function);
        let mut given = call.args.iter().map(|arg| arg.value);
        inside && given.any(|value| self.name(value) == Some(parameter))
    }

    /// `self.method(...)` in other classes of the file: a base or a subclass calls the method of this one.
    fn calls_of_relatives(&self, function: ScopeId) -> impl Iterator<Item = Call<'_>> {
        let of_class = self.class_of(function).is_some();
        let name = self.scope_name(function).filter(|_| of_class).unwrap_or("");
        self.calls_named(name)
            .filter(|call| self.self_attribute(call.function).is_some())
    }

    /// `store.lock(key, expire=30)`: a method called on whatever object, with the parameter by its name.
    fn is_passed_by_name(&self, function: ScopeId, parameter: &str) -> bool {
        let of_class = self.class_of(function).is_some();
        let name = self.scope_name(function).filter(|_| of_class);
        let importers = self.importing_files();
        let files = std::iter::once(self).chain(importers);
        let gives = |call: Call<'_>, home: &Facts| {
            let given = call.keyword(parameter).filter(|_| call.method() == name);
            given.is_some_and(|given| !home.is_endless(given))
        };
        name.is_some_and(|name| {
            let mut files = files;
            files.any(|home| home.calls_named(name).any(|call| gives(call, home)))
        })
    }

    /// Whether an expression stands in the arguments of a call of one of these names, however deep.
    pub(crate) fn is_given_to(&self, id: ExprId, names: &[&str]) -> bool {
        let parents = std::iter::successors(self.expr(id).parent, |&at| self.expr(at).parent);
        let mut calls = parents.filter_map(|at| self.call(at));
        calls.any(|call| names.contains(&call.name()))
    }

    /// A constant of the file that is `None` bounds nothing.
    fn bound_by_name(&self, value: ExprId) -> Bound {
        let bindings = self.bindings_behind(value);
        let endless = |kind| matches!(kind, BindingKind::Value { value, index: None } if self.is_endless(value));
        let all_endless =
            !bindings.is_empty() && bindings.iter().all(|binding| endless(binding.kind));
        if all_endless {
            return Bound::Unbounded;
        }
        let branches = self.branches_behind(value);
        match self.parameter_behind(value, &branches) {
            Some((function, param)) if self.makes_endless(value) => {
                self.bound_of_parameter(function, param)
            }
            _ => Bound::Given,
        }
    }

    /// `None` and negative numbers wait for ever.
    fn is_endless(&self, value: ExprId) -> bool {
        match self.expr(value).kind {
            ExprKind::None => true,
            ExprKind::Unary(inner) => {
                matches!(self.expr(inner).kind, ExprKind::Number)
                    && self.expr_text(value).starts_with('-')
            }
            _ => false,
        }
    }

    /// Whether a call gives a parameter of the function a value other than `None`.
    pub(crate) fn passes(&self, call: &Call<'_>, function: ScopeId, parameter: &str) -> bool {
        if call.has_splat() {
            return true;
        }
        let value = self.argument_for(call, function, parameter);
        value.is_some_and(|value| !matches!(self.expr(value).kind, ExprKind::None))
    }
}
