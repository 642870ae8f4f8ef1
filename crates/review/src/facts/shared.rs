//! Who can reach an object: the whole process, all instances of a class, one instance, or one call.

use super::Facts;
use super::bindings::BindingKind;
use super::hir::*;

/// How far an assignment's target can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// A name of this module, or an entry of one.
    Module,
    /// An attribute of a class, or an entry of one.
    Class,
    /// An attribute of `self`, or an entry of one.
    Instance,
    /// A local, or an object whose owner the text does not say.
    Local,
}

impl Reach {
    /// Whether one object serves the whole process.
    pub(crate) fn is_process_wide(self) -> bool {
        matches!(self, Reach::Module | Reach::Class)
    }
}

impl Facts {
    /// How far a target or value can be seen: `_x`, `cls.x`, `CACHE[key]`, `self._sessions[key]`.
    pub(crate) fn reach(&self, id: ExprId) -> Reach {
        match &self.expr(id).kind {
            ExprKind::Subscript { object, .. } => self.reach(*object),
            ExprKind::Attribute { object, name } => self.reach_of_attribute(*object, *name),
            ExprKind::Name => self.reach_of_name(id),
            _ => Reach::Local,
        }
    }

    fn reach_of_attribute(&self, object: ExprId, name: Span) -> Reach {
        match self.name(object) {
            Some("cls") => Reach::Class,
            Some("self") => self.reach_of_self(object, self.text(name)),
            Some(_) if self.is_class(object) => Reach::Class,
            _ => Reach::Local,
        }
    }

    /// `self.x` is the class's own where only the class body makes it.
    fn reach_of_self(&self, object: ExprId, name: &str) -> Reach {
        let Some(class) = self.class_of(self.expr(object).scope) else {
            return Reach::Local;
        };
        let by_method = !self.bindings_of(class, &format!("self.{name}")).is_empty();
        let by_body = self
            .bindings_of(class, name)
            .iter()
            .any(|binding| matches!(binding.kind, BindingKind::Value { .. }));
        if by_body && !by_method {
            Reach::Class
        } else {
            Reach::Instance
        }
    }

    fn is_class(&self, object: ExprId) -> bool {
        self.definition(object)
            .is_some_and(|scope| self.scope(scope).kind == ScopeKind::Class)
    }

    fn reach_of_name(&self, id: ExprId) -> Reach {
        let Some(binding) = self.lookup(id).first() else {
            return self.reach_of_unbound(id);
        };
        if matches!(binding.kind, BindingKind::Parameter(_)) {
            return Reach::Local;
        }
        let name = self.expr_text(id);
        let scope = self.stmt(binding.stmt).scope;
        // `global x` binds in a function what belongs to the module.
        let is_global = self.bindings_of(scope, name).is_empty();
        match self.scope(scope).kind {
            ScopeKind::Module | ScopeKind::Class if !self.is_module_level(binding.stmt) => {
                Reach::Local
            }
            ScopeKind::Module => Reach::Module,
            ScopeKind::Class => Reach::Class,
            _ if is_global => Reach::Module,
            _ => Reach::Local,
        }
    }

    /// A name that nothing shown binds belongs to the module if it looks so, or if the function is shown from its head on.
    fn reach_of_unbound(&self, id: ExprId) -> Reach {
        let name = self.expr_text(id);
        let is_constant =
            name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let function = self.function_of(self.expr(id).scope);
        let in_whole_function = function.is_some_and(|function| self.is_visible(function));
        let looks_so = (is_constant || name.starts_with('_')) && function.is_some();
        if !self.imports_name(name) && (looks_so || in_whole_function) {
            Reach::Module
        } else {
            Reach::Local
        }
    }

    /// Whether the file shows that several threads run its code: it starts them, or guards against them.
    pub(crate) fn has_threads(&self) -> bool {
        let by_import = |modules: &[&str]| modules.iter().any(|module| self.imports_from(module));
        (by_import(THREADING) && self.uses_threading())
            || by_import(SERVERS)
            || !self.held().is_empty()
    }

    /// An import alone proves nothing: that something of it is used the whole file shows.
    fn uses_threading(&self) -> bool {
        let is_named = |name: &&str| self.exprs_named(name).next().is_some();
        !self.document.whole || MADE_FOR_THREADS.iter().any(is_named)
    }
}

/// Modules that start threads or processes, or keep them apart.
const THREADING: &[&str] = &["threading", "concurrent.futures", "multiprocessing"];

/// Frameworks that serve requests side by side.
const SERVERS: &[&str] = &["fastapi", "starlette", "flask"];

/// What of such a module says that there are several.
const MADE_FOR_THREADS: &[&str] = &[
    "Thread",
    "Timer",
    "Lock",
    "RLock",
    "Semaphore",
    "BoundedSemaphore",
    "Condition",
    "Event",
    "Barrier",
    "local",
    "ThreadPoolExecutor",
    "ProcessPoolExecutor",
    "ThreadPool",
    "Process",
    "Pool",
    "Queue",
    "JoinableQueue",
    "Manager",
    "start_new_thread",
    "current_thread",
    "get_ident",
];
