//! Names: as written, and resolved through imports.

use super::hir::*;
use super::imports::Imports;
use super::{BindingKind, Facts};
use std::borrow::Cow;

impl Facts {
    /// The identifier, if the expression is one.
    pub(crate) fn name(&self, id: ExprId) -> Option<&str> {
        matches!(self.expr(id).kind, ExprKind::Name).then(|| self.expr_text(id))
    }

    /// Object and name of `object.name`.
    pub(crate) fn attribute(&self, id: ExprId) -> Option<(ExprId, &str)> {
        match &self.expr(id).kind {
            ExprKind::Attribute { object, name } => Some((*object, self.text(*name))),
            _ => None,
        }
    }

    /// The attribute of `self.name` or `cls.name`.
    pub(crate) fn self_attribute(&self, id: ExprId) -> Option<&str> {
        let (object, name) = self.attribute(id)?;
        matches!(self.name(object), Some("self" | "cls")).then_some(name)
    }

    /// The last name of a chain: `lock` of `self.state.lock` and of `locks[i].lock`.
    pub(crate) fn last_name(&self, id: ExprId) -> Option<&str> {
        match &self.expr(id).kind {
            ExprKind::Name => Some(self.expr_text(id)),
            ExprKind::Attribute { name, .. } => Some(self.text(*name)),
            ExprKind::Subscript { object, .. } => self.last_name(*object),
            ExprKind::Call { function, .. } => self.last_name(*function),
            ExprKind::Await(inner) => self.last_name(*inner),
            _ => None,
        }
    }

    /// The content of a plain string literal.
    pub(crate) fn string(&self, id: ExprId) -> Option<&str> {
        match self.expr(id).kind {
            ExprKind::Str(content) => Some(self.text(content)),
            _ => None,
        }
    }

    /// The chain as written: `self._lock.acquire`, `pool().submit`, `locks[].acquire`.
    /// Equal chains in one function mean the same object as far as we can tell.
    pub(crate) fn dotted(&self, id: ExprId) -> Option<String> {
        self.chain(id, |name| Cow::Borrowed(self.expr_text(name)))
    }

    /// A chain behind what stands for its first name.
    fn chain<'f>(&self, id: ExprId, first: impl FnOnce(ExprId) -> Cow<'f, str>) -> Option<String> {
        let (object, sign, name) = match &self.expr(id).kind {
            ExprKind::Name => return Some(with_room(&first(id))),
            ExprKind::Attribute { object, name } => (object, ".", self.text(*name)),
            ExprKind::Call { function, .. } => (function, "()", ""),
            ExprKind::Subscript { object, .. } => (object, "[]", ""),
            ExprKind::Await(inner) => return self.chain(*inner, first),
            _ => return None,
        };
        let mut chain = self.chain(*object, first)?;
        chain.push_str(sign);
        chain.push_str(name);
        Some(chain)
    }

    /// The chain with its first name resolved through imports, unless a local binding hides them.
    pub(crate) fn resolved(&self, id: ExprId) -> Option<String> {
        self.chain(id, |name| self.resolve_name(name))
    }

    fn resolve_name(&self, id: ExprId) -> Cow<'_, str> {
        let name = self.expr_text(id);
        let local = self.lookup(id);
        // `Pool = ThreadPoolExecutor` at module level is an alias too.
        if let [only] = local
            && let BindingKind::Value { value, index: None } = only.kind
            && self.scope(self.stmt(only.stmt).scope).kind == ScopeKind::Module
            && matches!(
                self.expr(value).kind,
                ExprKind::Attribute { .. } | ExprKind::Name
            )
            && self.expr(value).span.end < self.expr(id).span.start
            && self.imports.origin(self.first_name(value)).is_some()
        {
            return self.resolved(value).map_or(Cow::Borrowed(name), Cow::Owned);
        }
        if !local.is_empty() {
            return Cow::Borrowed(name);
        }
        let origin = self.imports.origin(name);
        let origin = origin.or_else(|| Imports::customary(name));
        Cow::Borrowed(origin.unwrap_or(name))
    }

    fn first_name(&self, id: ExprId) -> &str {
        match &self.expr(id).kind {
            ExprKind::Attribute { object, .. } => self.first_name(*object),
            _ => self.expr_text(id),
        }
    }

    /// Whether `a.b` sets or reads an attribute of a module that the file imports whole (`import a`, `import a as b`).
    pub(crate) fn is_attribute_of_module(&self, id: ExprId) -> bool {
        let Some((object, _)) = self.attribute(id) else {
            return false;
        };
        let imported = self
            .name(object)
            .filter(|_| self.lookup(object).is_empty())
            .and_then(|name| self.imports.origin(name));
        imported.is_some_and(|origin| !origin.contains('.'))
    }

    /// The top-level package that a chain starts from, where its first name is imported.
    pub(crate) fn imported_root(&self, id: ExprId) -> Option<String> {
        let first = self.first_name(id);
        self.imports.origin(first)?;
        let resolved = self.resolved(id)?;
        resolved
            .split('.')
            .find(|part| !part.is_empty())
            .map(str::to_string)
    }

    /// Whether the file is seen to import the name; a star import may bring anything.
    pub(crate) fn imports_name(&self, name: &str) -> bool {
        self.imports.origin(name).is_some()
    }

    /// Whether anything imported comes from this dotted module or is this dotted name.
    pub(crate) fn imports_from(&self, module: &str) -> bool {
        self.imports.has_from(module)
    }

    /// Whether a resolved chain means `full`, a dotted name from its top-level module on.
    /// Where the import is not shown, a tail of at least the last name will do (`futures.wait`, `ThreadPoolExecutor`);
    /// where it is, another origin does not match. Lower-case last names alone match only in fragments.
    pub(crate) fn means(&self, resolved: &str, full: &str) -> bool {
        // Asked of every call for every name that rules know, and seldom true.
        if resolved.len() > full.len() || resolved.as_bytes().last() != full.as_bytes().last() {
            return false;
        }
        if resolved == full {
            return true;
        }
        let is_tail = full
            .strip_suffix(resolved)
            .is_some_and(|head| head.ends_with('.'));
        if !is_tail {
            return false;
        }
        let is_bare = !resolved.contains('.');
        // The built-in function, which nobody hides by one of a library.
        if resolved == "open" {
            return false;
        }
        let first = resolved.split('.').next().unwrap_or(resolved);
        if self.imports.origin(first).is_some() {
            return false;
        }
        let could_be_imported = !self.document.whole || self.imports.has_star;
        could_be_imported || (!is_bare && first.starts_with(char::is_uppercase))
    }

    /// Whether the expression, resolved, means one of the dotted names.
    pub(crate) fn is_one_of(&self, id: ExprId, names: &[&str]) -> bool {
        let Some(resolved) = self.resolved(id) else {
            return false;
        };
        // A local `environ` is no tail of a longer name that is imported out of sight.
        let is_local = self.name(id) == Some(resolved.as_str()) && !self.lookup(id).is_empty();
        names.iter().any(|name| {
            if is_local {
                resolved == *name
            } else {
                self.means(&resolved, name)
            }
        })
    }
}

/// The beginning of a chain, with room for what mostly follows.
fn with_room(first: &str) -> String {
    let mut chain = String::with_capacity(first.len() + 24);
    chain.push_str(first);
    chain
}
