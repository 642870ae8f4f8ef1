//! Decorators that refuse what does not fit before the function runs.

use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;
use topic::Profile;

impl Facts {
    /// Whether a decorator of the function around refuses the argument where it does not fit.
    pub(super) fn is_validated_by_decorator(
        &self,
        name: &str,
        at: StmtId,
        profile: &Profile,
    ) -> bool {
        let function = self.function_of(self.stmt(at).scope);
        let decorators = function.map_or(&[][..], |function| self.decorators(function));
        decorators.iter().any(|&decorator| {
            let call = self.call(decorator);
            let target = call.map_or(decorator, |call| call.function);
            match self.definition(target) {
                Some(scope) => self.refuses_argument(scope, name, profile),
                None => call.map_or_else(
                    || self.says_form(self.last_name(decorator)),
                    |call| self.validates_by_name(&call, name),
                ),
            }
        })
    }

    /// Whether a decorator of this file tests an argument of that name, or the one of the wrapped call's names.
    fn refuses_argument(&self, decorator: ScopeId, name: &str, profile: &Profile) -> bool {
        let span = self.scope(decorator).span;
        let inside = |stmt: &StmtId| span.contains(self.stmt(*stmt).span);
        let names = self.names_of_argument(span, name);
        self.stmt_ids().filter(inside).any(|stmt| {
            names
                .iter()
                .any(|name| self.validates(stmt, name, stmt, profile) && self.leaves(stmt))
        })
    }

    /// What the wrapper calls the argument: its own name, and what it takes out under that: `kwargs["slug"]`.
    fn names_of_argument(&self, span: Span, name: &str) -> Vec<String> {
        let of_text = self
            .exprs_within(span)
            .filter(|&id| self.string(id) == Some(name))
            .filter_map(|id| self.dotted(self.expr(id).parent?));
        let assigned = self.exprs_within(span).filter_map(|id| {
            let bound = self.name(id)?;
            let mut values = self.values(id).into_iter();
            let takes = |value: ExprId| {
                let mut parts = self.within(value);
                parts.any(|part| self.string(part) == Some(name))
            };
            values.any(takes).then(|| bound.to_string())
        });
        let own = std::iter::once(name.to_string());
        own.chain(of_text).chain(assigned).collect()
    }

    fn leaves(&self, stmt: StmtId) -> bool {
        match &self.stmt(stmt).kind {
            StmtKind::If { body, .. } => self.never_lets_on(body),
            _ => true,
        }
    }

    /// `@validate_slug("slug")`, `@checked(slug=...)` of another file.
    fn validates_by_name(&self, call: &Call<'_>, name: &str) -> bool {
        let is_given = call.keyword(name).is_some()
            || call
                .args
                .iter()
                .any(|arg| self.string(arg.value) == Some(name));
        is_given || self.says_form(Some(call.name()))
    }

    /// `@slug_checked`, `@validate_path`: no test of who asks.
    fn says_form(&self, name: Option<&str>) -> bool {
        let name = name.unwrap_or("");
        let says = |words: &[&str]| topic::words(name).any(|word| words.contains(&&*word));
        let tests = says(&[
            "check",
            "checked",
            "validate",
            "validated",
            "valid",
            "safe",
            "ensure",
            "sanitize",
            "sanitized",
            "contained",
        ]);
        let of_form = says(&[
            "slug",
            "name",
            "path",
            "file",
            "filename",
            "id",
            "key",
            "args",
            "argument",
            "arguments",
            "param",
            "params",
            "input",
            "request",
            "schema",
            "within",
            "contained",
        ]);
        tests && of_form
    }
}
