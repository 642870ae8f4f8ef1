//! Scopes: names, nesting, and fragments of one scope taken as one.

use super::Facts;
use super::hir::*;
use super::types::Kind;
use rustc_hash::FxHashMap;

impl Facts {
    /// The first fragment of this scope. Two hunks under `class Foo` are two scopes in the document and one in the file.
    pub(crate) fn canonical(&self, scope: ScopeId) -> ScopeId {
        self.canonical.get(scope.index()).copied().unwrap_or(scope)
    }

    /// The name of a class or function, where it is shown.
    pub(crate) fn scope_name(&self, scope: ScopeId) -> Option<&str> {
        self.scope(scope).name.map(|name| self.text(name))
    }

    /// The class around a scope, or the scope itself if it is one.
    pub(crate) fn class_of(&self, scope: ScopeId) -> Option<ScopeId> {
        self.enclosing(scope, ScopeKind::Class)
            .map(|class| self.canonical(class))
    }

    /// The function around a scope, or the scope itself if it is one. Lambdas are passed over.
    pub(crate) fn function_of(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            match self.scope(id).kind {
                ScopeKind::Function => return Some(id),
                ScopeKind::Lambda => at = self.scope(id).parent,
                ScopeKind::Class | ScopeKind::Module => return None,
            }
        }
        None
    }

    /// The name of the function that a statement runs in; `None` at module or class level or where it is not shown.
    pub(crate) fn function_name(&self, stmt: StmtId) -> Option<&str> {
        self.function_of(self.stmt(stmt).scope)
            .and_then(|function| self.scope_name(function))
    }

    /// Gives `self` a lock or an event of its own, as constructors do.
    pub(super) fn makes_own_locks(&self, function: ScopeId) -> bool {
        self.statements_of(function)
            .any(|stmt| match &self.stmt(stmt).kind {
                StmtKind::Assign {
                    targets,
                    value: Some(value),
                    ..
                } => {
                    let is_own = |&target: &ExprId| self.self_attribute(target).is_some();
                    let made = self.call(*value).and_then(|call| self.constructs(&call));
                    let guards = |kind: Kind| {
                        kind.is_lock() || matches!(kind, Kind::Event | Kind::AsyncEvent)
                    };
                    targets.iter().any(is_own) && made.is_some_and(guards)
                }
                _ => false,
            })
    }

    /// In a fragment an unknown block of a module or class may be a function.
    pub(crate) fn is_module_level(&self, stmt: StmtId) -> bool {
        let mut at = self.stmt(stmt).parent;
        while let Some(slot) = at {
            if self.stmt(slot.stmt).scaffold {
                return false;
            }
            at = self.stmt(slot.stmt).parent;
        }
        true
    }

    fn enclosing(&self, scope: ScopeId, kind: ScopeKind) -> Option<ScopeId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            if self.scope(id).kind == kind {
                return Some(id);
            }
            at = self.scope(id).parent;
        }
        None
    }

    /// Whether the function is written `async def`.
    pub(crate) fn is_async(&self, scope: ScopeId) -> bool {
        self.scope(scope).is_async
    }

    /// The decorators of a function or class.
    pub(crate) fn decorators(&self, scope: ScopeId) -> &[ExprId] {
        match self.scope(scope).stmt.map(|stmt| &self.stmt(stmt).kind) {
            Some(StmtKind::Function { decorators, .. } | StmtKind::Class { decorators, .. }) => {
                decorators
            }
            _ => &[],
        }
    }

    /// The classes of this file that a class names as its bases.
    pub(super) fn bases_of(&self, class: ScopeId) -> impl Iterator<Item = ScopeId> {
        let head = self.scope(class).stmt.map(|stmt| &self.stmt(stmt).kind);
        let bases = match head {
            Some(StmtKind::Class { bases, .. }) => bases.as_slice(),
            _ => &[],
        };
        bases
            .iter()
            .filter_map(|base| self.definition(base.value))
            .map(|base| self.canonical(base))
    }

    /// The classes of this file that name a class as their base.
    pub(crate) fn heirs(&self, base: ScopeId) -> impl Iterator<Item = ScopeId> {
        let base = self.canonical(base);
        self.scope_ids().filter(move |&class| {
            self.canonical(class) == class && self.bases_of(class).any(|of| of == base)
        })
    }

    pub(super) fn unite_scopes(&mut self) {
        let mut first: FxHashMap<(ScopeId, Box<str>), ScopeId> = FxHashMap::default();
        let mut canonical = Vec::with_capacity(self.scopes.len());
        for id in self.scope_ids() {
            let scope = self.scope(id);
            let parent = scope
                .parent
                .and_then(|p| canonical.get(p.index()).copied())
                .unwrap_or(ScopeId(0));
            // A head that is shown twice is two definitions; a heading only says where a fragment belongs.
            let unites = scope.kind == ScopeKind::Class || !scope.head_shown;
            // Hunks whose class is not shown mostly stand in one and the same.
            let is_hidden = scope.kind == ScopeKind::Class && !scope.head_shown;
            let name = self.scope_name(id).or(is_hidden.then_some(""));
            let of = match name {
                Some(name) if id.0 != 0 => {
                    let key = (parent, Box::from(name));
                    let known = first.get(&key).copied().filter(|_| unites);
                    known.unwrap_or_else(|| {
                        first.insert(key, id);
                        id
                    })
                }
                _ => id,
            };
            canonical.push(of);
        }
        self.canonical = canonical.into();
    }
}
