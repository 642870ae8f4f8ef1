//! Which values a name or a `self` attribute can have.

mod bind;

use super::Facts;
use super::hir::*;
use rustc_hash::FxHashMap;

/// For each name all that binds it, by scope and in source order.
pub(super) type Bindings = FxHashMap<Box<str>, Vec<Binding>>;

/// One place that gives a name a value.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// Where the name is bound: the first fragment of a scope.
    scope: ScopeId,
    pub(crate) kind: BindingKind,
    /// The statement that binds.
    pub(crate) stmt: StmtId,
    /// The target: `self._pool` of `self._pool = ...`.
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BindingKind {
    /// `x = value`; with an index `x, y = value`.
    Value { value: ExprId, index: Option<u32> },
    /// `x += value`.
    Augmented(ExprId),
    /// `x: T` alone or with a value.
    Declared(ExprId),
    /// `for x in iter`; with an index `for x, y in iter`.
    Loop { iter: ExprId, index: Option<u32> },
    /// `with context as x`.
    With(ExprId),
    /// The parameter with this place in its scope's list.
    Parameter(u32),
    /// `case x`, `except E as x`: a value that the text does not name.
    Captured,
    /// `def x` or `class x`.
    Definition(ScopeId),
}

/// Of a name's bindings those of one scope.
fn in_scope(all: &[Binding], scope: ScopeId) -> &[Binding] {
    let from = all.partition_point(|binding| binding.scope < scope);
    let behind = all.get(from..).unwrap_or_default();
    let count = behind.partition_point(|binding| binding.scope == scope);
    behind.get(..count).unwrap_or_default()
}

impl Binding {
    /// The function or class, of a `def` or `class`.
    pub(super) fn definition(&self) -> Option<ScopeId> {
        match self.kind {
            BindingKind::Definition(scope) => Some(scope),
            _ => None,
        }
    }
}

impl Facts {
    /// The bindings that a name can mean where it stands, innermost scope first; empty for imports and builtins.
    pub(crate) fn lookup(&self, name: ExprId) -> &[Binding] {
        let Some(all) = self.bindings.get(self.expr_text(name)) else {
            return &[];
        };
        let mut scope = Some(self.expr(name).scope);
        let mut innermost = true;
        while let Some(id) = scope {
            let is_class = self.scope(id).kind == ScopeKind::Class;
            if !is_class || innermost {
                let found = in_scope(all, self.canonical(id));
                if !found.is_empty() {
                    return found;
                }
            }
            innermost = false;
            scope = self.scope(id).parent;
        }
        &[]
    }

    /// The bindings of a name in one scope, all fragments of it taken together.
    pub(crate) fn bindings_of(&self, scope: ScopeId, name: &str) -> &[Binding] {
        let all = self.bindings.get(name).map_or(&[][..], Vec::as_slice);
        in_scope(all, self.canonical(scope))
    }

    /// The bindings of `self.name` in a class: in its methods and in its body.
    pub(crate) fn attribute_bindings(&self, class: ScopeId, name: &str) -> Vec<&Binding> {
        let own = self.bindings_of(class, &format!("self.{name}"));
        let body = self.bindings_of(class, name);
        let mut all: Vec<&Binding> = own.iter().chain(body).collect();
        all.sort_by_key(|binding| binding.span);
        all
    }

    /// The bindings behind a name, a `self` attribute, or an attribute of a class that is named.
    pub(crate) fn bindings_behind(&self, id: ExprId) -> Vec<&Binding> {
        if let Some(name) = self.self_attribute(id) {
            let class = self.class_of(self.expr(id).scope);
            return class
                .map(|class| self.attribute_bindings(self.class_with_field(class, name), name))
                .unwrap_or_default();
        }
        match self.expr(id).kind {
            ExprKind::Name => self.reaching(id),
            ExprKind::Attribute { object, name } => self.of_named_class(object, self.text(name)),
            _ => Vec::new(),
        }
    }

    /// `Registry._guard` where the class body, or a class above it, makes `_guard`.
    fn of_named_class(&self, object: ExprId, name: &str) -> Vec<&Binding> {
        let class = self
            .definition(object)
            .filter(|&scope| self.scope(scope).kind == ScopeKind::Class);
        let home = class.map(|class| self.class_with_field(class, name));
        home.map(|home| self.bindings_of(home, name).iter().collect())
            .unwrap_or_default()
    }

    /// Of a local name's bindings the ones that can reach this use: those before it, cut at the last
    /// one that always runs; a use in a loop or in another scope sees all.
    fn reaching(&self, name: ExprId) -> Vec<&Binding> {
        let all = self.lookup(name);
        let at = self.expr(name);
        let own = self.bound_by_comprehension(name, all);
        if !own.is_empty() {
            return own;
        }
        let is_local = all
            .first()
            .is_some_and(|b| self.binds_in(b) == self.canonical(at.scope));
        // In `name = name.strip()` the value still means the name as it was.
        let is_own = |binding: &Binding| match binding.kind {
            BindingKind::Value { value, .. } => self.expr(value).span.contains(at.span),
            _ => false,
        };
        if !is_local || self.in_loop(at.stmt) {
            return all.iter().filter(|b| !is_own(b)).collect();
        }
        let before: Vec<&Binding> = all
            .iter()
            .filter(|b| b.span.start < at.span.start && !is_own(b))
            .collect();
        let last_sure = before
            .iter()
            .rposition(|b| self.always_before(b.stmt, at.stmt));
        match last_sure {
            Some(from) => before.into_iter().skip(from).collect(),
            None if before.is_empty() => all.iter().filter(|b| !is_own(b)).collect(),
            None => before,
        }
    }

    /// The bindings of the innermost comprehension around a name that binds it. They stand behind the name in the text.
    fn bound_by_comprehension<'b>(&self, name: ExprId, all: &'b [Binding]) -> Vec<&'b Binding> {
        let mut at = self.expr(name).parent;
        while let Some(parent) = at {
            if let ExprKind::Comprehension { clauses, .. } = &self.expr(parent).kind {
                let binds = |binding: &&Binding| {
                    clauses
                        .iter()
                        .any(|clause| self.expr(clause.target).span.contains(binding.span))
                };
                let own: Vec<&Binding> = all.iter().filter(binds).collect();
                if !own.is_empty() {
                    return own;
                }
            }
            at = self.expr(parent).parent;
        }
        Vec::new()
    }

    fn binds_in(&self, binding: &Binding) -> ScopeId {
        let scope = match binding.kind {
            BindingKind::Parameter(_) => self.stmt_function(binding.stmt),
            _ => self.stmt(binding.stmt).scope,
        };
        self.canonical(scope)
    }

    fn stmt_function(&self, stmt: StmtId) -> ScopeId {
        match self.stmt(stmt).kind {
            StmtKind::Function { scope, .. } => scope,
            _ => self.stmt(stmt).scope,
        }
    }

    /// The expressions whose value this one can have: itself, or what its name was assigned, followed a few steps.
    /// `None` literals are left out: they mean "not made yet".
    pub(crate) fn values(&self, id: ExprId) -> Vec<ExprId> {
        let mut out = Vec::new();
        self.values_into(id, 4, &mut out);
        out
    }

    fn values_into(&self, id: ExprId, depth: u32, out: &mut Vec<ExprId>) {
        if out.contains(&id) || out.len() > 16 {
            return;
        }
        let next: Vec<ExprId> = match &self.expr(id).kind {
            ExprKind::None => return,
            ExprKind::Name | ExprKind::Attribute { .. } => self.assigned(id),
            ExprKind::Conditional { body, orelse, .. } => vec![*body, *orelse],
            ExprKind::Bool { left, right } => vec![*left, *right],
            ExprKind::Walrus { value, .. } => vec![*value],
            _ => Vec::new(),
        };
        if next.is_empty() || depth == 0 {
            out.push(id);
            return;
        }
        for value in next {
            self.values_into(value, depth - 1, out);
        }
    }

    fn assigned(&self, id: ExprId) -> Vec<ExprId> {
        self.bindings_behind(id)
            .into_iter()
            .filter_map(|binding| match binding.kind {
                BindingKind::Value { value, index: None } => Some(value),
                BindingKind::Value {
                    value,
                    index: Some(n),
                } => self.item(value, n),
                _ => None,
            })
            .collect()
    }

    /// The n-th item of a tuple or list display.
    pub(crate) fn item(&self, id: ExprId, n: u32) -> Option<ExprId> {
        match &self.expr(id).kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => items.get(n as usize).copied(),
            _ => None,
        }
    }

    /// The parameter that a name means, if it means one and nothing else rebinds it before.
    pub(crate) fn parameter(&self, id: ExprId) -> Option<(ScopeId, &Param)> {
        let bindings = match self.expr(id).kind {
            ExprKind::Name => self.reaching(id),
            _ => return None,
        };
        let [only] = bindings.as_slice() else {
            return None;
        };
        let BindingKind::Parameter(n) = only.kind else {
            return None;
        };
        let scope = self.parameter_scope(only, id)?;
        self.scope(scope)
            .params
            .get(n as usize)
            .map(|param| (scope, param))
    }

    fn parameter_scope(&self, binding: &Binding, id: ExprId) -> Option<ScopeId> {
        let mut scope = Some(self.expr(id).scope);
        while let Some(at) = scope {
            if self
                .scope(at)
                .params
                .iter()
                .any(|param| param.name == binding.span)
            {
                return Some(at);
            }
            scope = self.scope(at).parent;
        }
        None
    }
}
