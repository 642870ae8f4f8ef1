//! Where a lock object is made, followed through names, attributes, calls and other files of the diff.

use super::Home;
use crate::facts::Facts;
use crate::facts::bindings::{Binding, BindingKind};
use crate::facts::hir::*;
use crate::facts::types::Kind;

impl Facts {
    /// Where the object is made. One value that others can reach outweighs one that nobody can:
    /// `lock = locks.get(key) or Lock()` is kept by key.
    pub(super) fn home(&self, id: ExprId, fuel: u32) -> Home {
        if fuel == 0 {
            return Home::Unknown;
        }
        match &self.expr(id).kind {
            ExprKind::Subscript { .. } => Home::Keyed,
            ExprKind::Call { .. } => self.home_of_call(id, fuel),
            ExprKind::Attribute { .. } => self.home_of_attribute(id, fuel),
            ExprKind::Name => self.home_of_name(id, fuel),
            ExprKind::Conditional { body, orelse, .. } => {
                wider(self.home(*body, fuel - 1), self.home(*orelse, fuel - 1))
            }
            ExprKind::Bool { left, right } => {
                wider(self.home(*left, fuel - 1), self.home(*right, fuel - 1))
            }
            _ => Home::Unknown,
        }
    }

    fn home_of_call(&self, id: ExprId, fuel: u32) -> Home {
        let Some(call) = self.call(id) else {
            return Home::Unknown;
        };
        match self.type_of(id).map(|found| found.kind) {
            Some(Kind::FileLock | Kind::DistributedLock) => return Home::External,
            _ if self.constructs(&call).is_some_and(Kind::is_lock) => return Home::Call,
            _ => {}
        }
        if self.picks(id).is_some() {
            return Home::Keyed;
        }
        let Some((there, function)) = self.callee(&call) else {
            return Home::Unknown;
        };
        let homes = there
            .returns_of(function)
            .map(|value| there.home(value, fuel - 1));
        homes.reduce(wider).unwrap_or(Home::Unknown)
    }

    /// Of a name of another file of the diff.
    fn home_of_imported(&self, id: ExprId, fuel: u32) -> Option<Home> {
        let imported = self.imported(id)?;
        let homes = imported
            .bindings
            .iter()
            .map(|binding| imported.facts.home_of_binding(binding, fuel - 1));
        homes.reduce(wider)
    }

    fn home_of_attribute(&self, id: ExprId, fuel: u32) -> Home {
        if let Some(home) = self.home_of_imported(id, fuel) {
            return home;
        }
        let class = match self.attribute(id) {
            Some((object, _)) if self.self_attribute(id).is_none() => self.definition(object),
            _ => self.class_of(self.expr(id).scope),
        };
        let (Some(class), Some((_, name))) = (class, self.attribute(id)) else {
            return Home::Unknown;
        };
        self.attribute_bindings(class, name)
            .into_iter()
            .map(|binding| self.home_of_binding(binding, fuel))
            .map(|home| {
                if home == Home::Call {
                    Home::Instance
                } else {
                    home
                }
            })
            .reduce(wider)
            .unwrap_or(Home::Unknown)
    }

    fn home_of_name(&self, id: ExprId, fuel: u32) -> Home {
        let bindings = self.bindings_behind(id);
        let home = bindings
            .iter()
            .map(|binding| self.home_of_binding(binding, fuel))
            .reduce(wider);
        match home {
            Some(Home::Call) if !self.is_private_to_call(id) => Home::Unknown,
            Some(home) => home,
            None if self.imports_name(self.expr_text(id)) => Home::Module,
            None => Home::Unknown,
        }
    }

    fn home_of_binding(&self, binding: &Binding, fuel: u32) -> Home {
        let scope = self.stmt(binding.stmt).scope;
        let made = |value| {
            self.call(value)
                .is_some_and(|call| self.constructs(&call).is_some_and(Kind::is_lock))
        };
        match binding.kind {
            BindingKind::Value { value, .. } if made(value) => match self.scope(scope).kind {
                _ if self.home(value, fuel - 1) == Home::External => Home::External,
                ScopeKind::Module | ScopeKind::Class if !self.is_module_level(binding.stmt) => {
                    Home::Unknown
                }
                ScopeKind::Module => Home::Module,
                ScopeKind::Class => Home::Class,
                _ if self.is_global(binding) => Home::Module,
                _ => Home::Call,
            },
            BindingKind::Value { value, .. } => match self.scope(scope).kind {
                ScopeKind::Module => Home::Module,
                ScopeKind::Class => Home::Class,
                _ => self.home(value, fuel - 1),
            },
            BindingKind::Parameter(_) => Home::Given,
            BindingKind::Loop { .. } => Home::Keyed,
            BindingKind::With(context) => self.home(context, fuel - 1),
            BindingKind::Declared(_) if self.scope(scope).kind == ScopeKind::Module => Home::Module,
            _ => Home::Unknown,
        }
    }

    /// Bound inside a function, but by a `global` statement to the module's name.
    pub(super) fn is_global(&self, binding: &Binding) -> bool {
        let scope = self.stmt(binding.stmt).scope;
        let name = self.text(binding.span);
        !name.contains('.') && self.bindings_of(scope, name).is_empty()
    }

    /// Whether a local lock is only taken and given back here: not returned, stored, passed on, or used by an inner function.
    fn is_private_to_call(&self, id: ExprId) -> bool {
        let Some(bound) = self.lookup(id).first() else {
            return false;
        };
        let owner = self.scope_of_binding(bound);
        if self.function_of(owner).is_none() {
            return false;
        }
        let (name, span) = (self.expr_text(id), self.scope(owner).span);
        self.exprs_within(span)
            .filter(|&other| self.name(other) == Some(name))
            .all(|other| self.expr(other).scope == owner && self.is_only_taken(other))
    }

    fn is_only_taken(&self, id: ExprId) -> bool {
        let stmt = self.expr(id).stmt;
        match self.expr(id).parent {
            Some(parent) => match self.attribute(parent) {
                Some((_, name)) => matches!(name, "acquire" | "release" | "locked"),
                None => self.is_context_argument(parent),
            },
            None => match &self.stmt(stmt).kind {
                StmtKind::Assign { targets, .. } => targets.contains(&id),
                StmtKind::With { .. } => true,
                _ => false,
            },
        }
    }

    /// `with acquire_with_timeout(lock):` takes it, too.
    fn is_context_argument(&self, call: ExprId) -> bool {
        match &self.stmt(self.expr(call).stmt).kind {
            StmtKind::With { items, .. } => items.iter().any(|item| item.context == call),
            _ => false,
        }
    }
}

/// Of two places where an object may come from, the one that more others can reach.
fn wider(a: Home, b: Home) -> Home {
    let width = |home: Home| match home {
        Home::Keyed => 7,
        Home::Given => 6,
        Home::External => 5,
        Home::Module => 4,
        Home::Class => 3,
        Home::Instance => 2,
        Home::Unknown => 1,
        Home::Call => 0,
    };
    if width(a) >= width(b) { a } else { b }
}
