//! Names across the files of a diff: what a name means that another file defines, and who calls a function from there.

use super::Facts;
use super::bindings::{Binding, BindingKind};
use super::calls::Call;
use super::hir::*;

/// A name that another file defines, in its module or in one of its classes.
#[derive(Clone, Debug)]
pub(crate) struct Imported<'f> {
    /// The other file, unlinked.
    pub(crate) facts: &'f Facts,
    /// All that the name can mean there, in source order; never empty.
    pub(super) bindings: Vec<&'f Binding>,
}

impl Facts {
    /// The definition in another file of the diff that a name or attribute means.
    pub(crate) fn imported(&self, id: ExprId) -> Option<Imported<'_>> {
        let modules = self.modules.as_deref()?;
        modules.find(&self.path, &self.import(id)?)
    }

    /// Whether a name is imported from the package that this file belongs to. A folder inside of a package may be named
    /// for the library that it wraps: it counts where the next name agrees, too.
    pub(crate) fn is_first_party(&self, id: ExprId) -> bool {
        let origin = self.import(id).unwrap_or_default();
        let mut names = origin.split('.');
        let (package, next) = (names.next().unwrap_or(""), names.next().unwrap_or(""));
        let folders: Vec<&str> = self.path.split('/').collect();
        let at_root = |at: usize| at == 0 || (at == 1 && folders.first() == Some(&"src"));
        let mut places = folders.iter().enumerate();
        origin.starts_with('.')
            || places.any(|(at, &folder)| {
                folder == package && (at_root(at) || folders.get(at + 1) == Some(&next))
            })
    }

    /// The dotted origin of a name or attribute, if its first name is imported.
    pub(super) fn import(&self, id: ExprId) -> Option<String> {
        let first = self.first_of_chain(id)?;
        let is_import = self.lookup(first).is_empty() && self.imports_name(self.expr_text(first));
        self.resolved(id).filter(|_| is_import)
    }

    /// The shown calls of a function, with the file of the diff that each stands in; those of this file first.
    pub(crate) fn callers(&self, function: ScopeId) -> Vec<(&Facts, Call<'_>)> {
        let own = self.calls_to(function).map(|call| (self, call));
        own.chain(self.calls_from_afar(function)).collect()
    }

    /// The calls of a module's function, or of its class, in the files that import from it.
    pub(crate) fn calls_from_afar(&self, function: ScopeId) -> Vec<(&Facts, Call<'_>)> {
        let mut found = Vec::new();
        for other in self.importing_files() {
            let names = self.names_of(function);
            let calls = names.flat_map(|name| other.calls_named(name));
            let calls = calls.filter(|call| self.is_called(function, other, call));
            found.extend(calls.map(|call| (other, call)));
        }
        found
    }

    /// The files of the diff that import from this one.
    pub(crate) fn importing_files(&self) -> impl Iterator<Item = &Facts> {
        let modules = self.modules.as_deref();
        let importers = modules.map_or(&[][..], |modules| modules.importers(&self.path));
        importers.iter().map(|other| &**other)
    }

    fn is_called(&self, function: ScopeId, from: &Facts, call: &Call<'_>) -> bool {
        let find = || {
            let origin = from.import(call.function)?;
            self.modules.as_deref()?.find(&from.path, &origin)
        };
        find().is_some_and(|found| {
            let called = found.function().map(|scope| self.canonical(scope));
            found.facts.path == self.path && called == Some(self.canonical(function))
        })
    }

    /// The function that a call runs, with the file of the diff that defines it.
    pub(crate) fn callee(&self, call: &Call<'_>) -> Option<(&Facts, ScopeId)> {
        if let Some(own) = self.callee_scope(call) {
            return Some((self, own));
        }
        let imported = self.imported(call.function)?;
        Some((imported.facts, imported.function()?))
    }

    /// `a` of `a.b.c`.
    fn first_of_chain(&self, id: ExprId) -> Option<ExprId> {
        match self.expr(id).kind {
            ExprKind::Name => Some(id),
            ExprKind::Attribute { object, .. } => self.first_of_chain(object),
            _ => None,
        }
    }

    /// What a name of this module means to those who import it. In a fragment an unknown block is no module.
    pub(super) fn exports(&self, name: &str) -> Vec<&Binding> {
        let bindings = self.bindings_of(ScopeId(0), name).iter();
        let in_function =
            |binding: &Binding| self.function_of(self.stmt(binding.stmt).scope).is_some();
        bindings
            .filter(|binding| in_function(binding) || self.is_module_level(binding.stmt))
            .collect()
    }

    pub(super) fn exported_class(&self, name: &str) -> Option<ScopeId> {
        let mut bindings = self.exports(name).into_iter().rev();
        let class = bindings.find_map(Binding::definition)?;
        (self.scope(class).kind == ScopeKind::Class).then_some(class)
    }
}

impl<'f> Imported<'f> {
    /// The function or class that the name means.
    pub(super) fn definition(&self) -> Option<ScopeId> {
        let mut bindings = self.bindings.iter().rev();
        bindings.find_map(|binding| binding.definition())
    }

    /// The function that a call of the name runs: of a class its `__init__`.
    pub(crate) fn function(&self) -> Option<ScopeId> {
        let found = self.definition()?;
        match self.facts.scope(found).kind {
            ScopeKind::Class => self.facts.method(found, "__init__"),
            _ => Some(found),
        }
    }

    /// Equal for two names that mean one object of the other file.
    pub(super) fn key(&self) -> String {
        let first = self.bindings.first().map(|binding| binding.span.start);
        format!("{}:{}", self.facts.path, first.unwrap_or(0))
    }

    /// A method of the class that the name means.
    pub(super) fn method(&self, name: &str) -> Option<ScopeId> {
        let class = self.definition()?;
        let is_class = self.facts.scope(class).kind == ScopeKind::Class;
        is_class.then(|| self.facts.method(class, name)).flatten()
    }

    /// The values that the name is given.
    pub(super) fn values(&self) -> impl Iterator<Item = ExprId> {
        let of = |binding: &&Binding| match binding.kind {
            BindingKind::Value { value, index: None } => Some(value),
            BindingKind::Value {
                value,
                index: Some(n),
            } => self.facts.item(value, n),
            _ => None,
        };
        self.bindings.iter().filter_map(of)
    }
}
