//! Locks: which object an expression locks, who else can reach that object, and how well this is known.

mod home;
mod system;
mod words;

use super::Facts;
use super::bindings::{Binding, BindingKind};
use super::hir::*;
use super::types::{Kind, Proof, Type};

pub(crate) use system::LockMode;
pub(crate) use words::{says_acquire, says_lock, says_lock_file};

/// A lock as an expression names it.
#[derive(Clone, Debug)]
pub(crate) struct Lock {
    pub(crate) expr: ExprId,
    /// Equal keys mean the same object as far as the text says.
    pub(crate) key: String,
    /// The key of the lock that a condition was built on.
    pub(crate) inner: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) proof: Proof,
    pub(crate) home: Home,
}

/// Where a lock object is made, and so whom it can keep out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// By the module, once for the process.
    Module,
    /// By the class body, once for all instances.
    Class,
    /// By a method, once for each instance.
    Instance,
    /// By the very function that takes it, and known to nobody else: it keeps nobody out.
    Call,
    /// By a caller, who hands it in.
    Given,
    /// One of several, picked by a key.
    Keyed,
    /// Outside of the process: a file or an entry of a cache server, found by its name.
    External,
    /// The text does not say.
    Unknown,
}

impl Lock {
    /// Whether both are one object, a condition and the lock that it was built on included.
    pub(crate) fn is_same(&self, other: &Lock) -> bool {
        self.is_keyed(&other.key)
            || other
                .inner
                .as_ref()
                .is_some_and(|inner| self.is_keyed(inner))
    }

    fn is_keyed(&self, key: &str) -> bool {
        self.key == key || self.inner.as_deref() == Some(key)
    }

    /// File locks and locks of a cache server; also a call that by its name picks a lock for a key. Who means only what
    /// the text shows asks for the proof, too.
    pub(crate) fn keeps_processes_out(&self) -> bool {
        let by_name = self.proof == Proof::Named && self.home == Home::Keyed;
        by_name || matches!(self.kind, Kind::FileLock | Kind::DistributedLock)
    }

    pub(crate) fn is_async(&self) -> bool {
        matches!(self.kind, Kind::AsyncLock | Kind::AsyncCondition)
    }
}

/// Steps through assignments before we give up.
const FUEL: u32 = 5;

impl Facts {
    /// The lock that an expression means, if it means one.
    pub(crate) fn lock(&self, id: ExprId) -> Option<Lock> {
        let found = self.lock_type(id)?;
        Some(Lock {
            expr: id,
            key: self.object_key(id),
            inner: self.condition_lock(id),
            kind: found.kind,
            proof: found.proof,
            home: self.home(id, FUEL),
        })
    }

    fn lock_type(&self, id: ExprId) -> Option<Type> {
        let found = self.type_of(id).or_else(|| {
            let looked_up = self.picks(id)?;
            self.type_of(looked_up)
                .filter(|found| found.depth == 1)
                .map(|found| Type { depth: 0, ..found })
        });
        found.filter(|found| found.depth == 0 && found.kind.is_lock())
    }

    /// The container of `locks.get(key)` and `locks.setdefault(key, Lock())`.
    fn picks(&self, id: ExprId) -> Option<ExprId> {
        let call = self.call(id)?;
        matches!(call.method(), Some("get" | "setdefault" | "pop"))
            .then(|| call.receiver())
            .flatten()
    }

    /// A call that, by its name alone, returns a lock or holds one: `self._lock_for(key)`, `file_lock(path)`.
    pub(crate) fn named_lock_call(&self, id: ExprId) -> Option<Lock> {
        let call = self.call(id)?;
        says_lock(call.name()).then(|| Lock {
            expr: id,
            key: self.expr_text(id).to_string(),
            inner: None,
            kind: Kind::ThreadLock,
            proof: Proof::Named,
            home: match self.home(id, FUEL) {
                Home::Unknown if !call.args.is_empty() => Home::Keyed,
                home => home,
            },
        })
    }

    /// Equal for two expressions that mean one object: aliases are followed, methods of a class agree on `self.x`.
    pub(crate) fn object_key(&self, id: ExprId) -> String {
        self.key_within(id, FUEL)
    }

    fn key_within(&self, id: ExprId, fuel: u32) -> String {
        let text = || {
            self.dotted(id)
                .unwrap_or_else(|| self.expr_text(id).to_string())
        };
        if fuel == 0 {
            return text();
        }
        if let Some(name) = self.self_attribute(id) {
            let class = self.class_of(self.expr(id).scope);
            let class = class.map(|class| self.class_with_field(class, name));
            return class.map_or_else(text, |class| format!("class {}.{name}", class.0));
        }
        if let Some(imported) = self.imported(id) {
            return imported.key();
        }
        if let Some((object, name)) = self.attribute(id) {
            let class = self.definition(object).map(|class| self.canonical(class));
            return class.map_or_else(text, |class| format!("class {}.{name}", class.0));
        }
        match &self.expr(id).kind {
            ExprKind::Name => self.name_key(id, fuel),
            ExprKind::Subscript { object, index } => {
                let index: Vec<&str> = index.iter().map(|&part| self.expr_text(part)).collect();
                format!(
                    "{}[{}]",
                    self.key_within(*object, fuel.saturating_sub(1)),
                    index.join(",")
                )
            }
            _ => self.expr_text(id).to_string(),
        }
    }

    fn name_key(&self, id: ExprId, fuel: u32) -> String {
        let name = self.expr_text(id);
        let aliased = match self.values(id).as_slice() {
            [only] if *only != id => match self.expr(*only).kind {
                ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => Some(*only),
                _ => None,
            },
            _ => None,
        };
        match (aliased, self.lookup(id).first()) {
            (Some(value), _) => self.key_within(value, fuel - 1),
            (None, Some(bound)) => format!("{}.{name}", self.scope_of_binding(bound).0),
            (None, None) => name.to_string(),
        }
    }

    /// The lock that `Condition(lock)` was given.
    fn condition_lock(&self, id: ExprId) -> Option<String> {
        self.values(id).into_iter().find_map(|value| {
            let call = self.call(value)?;
            let is_condition = matches!(
                self.constructs(&call),
                Some(Kind::Condition | Kind::AsyncCondition)
            );
            is_condition
                .then(|| call.arg(0, "lock").map(|lock| self.object_key(lock)))
                .flatten()
        })
    }

    /// The scope that a binding belongs to: of a parameter its function.
    fn scope_of_binding(&self, binding: &Binding) -> ScopeId {
        let stmt = self.stmt(binding.stmt);
        let scope = match (binding.kind, &stmt.kind) {
            (BindingKind::Parameter(_), StmtKind::Function { scope, .. }) => *scope,
            _ if self.is_global(binding) => ScopeId(0),
            _ => stmt.scope,
        };
        self.canonical(scope)
    }
}
