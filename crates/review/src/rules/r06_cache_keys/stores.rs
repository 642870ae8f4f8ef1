//! Values put into and looked up in caches by key.

use super::libraries::is_of_library;
use crate::facts::{
    Binding, BindingKind, Call, ExprId, ExprKind, Facts, Kind, ScopeId, StmtId, StmtKind,
};

/// `cache[key] = value`, `cache.set(key, value)`.
#[derive(Clone, Copy)]
pub(super) struct Store {
    pub(super) stmt: StmtId,
    /// The cache.
    pub(super) object: ExprId,
    pub(super) key: ExprId,
    pub(super) value: ExprId,
}

impl Store {
    /// Whether the cache was handed in: a parameter, or an attribute that a parameter was put into.
    pub(super) fn is_injected(&self, facts: &Facts) -> bool {
        let values = facts.values(self.object);
        values
            .into_iter()
            .any(|value| facts.parameter(value).is_some())
    }

    /// Whether all instances share the cache: a field that the class body makes, and no method.
    pub(super) fn is_of_class(&self, facts: &Facts) -> bool {
        let Some(name) = facts.self_attribute(self.object) else {
            return false;
        };
        let class = facts.class_of(facts.stmt(self.stmt).scope);
        let bindings = class.map(|class| facts.attribute_bindings(class, name));
        let bindings = bindings.unwrap_or_default();
        let in_body = |binding: &&Binding| {
            let scope = facts.stmt(binding.stmt).scope;
            facts.function_of(scope).is_none()
        };
        let is_made = bindings
            .iter()
            .any(|binding| matches!(binding.kind, BindingKind::Value { .. }));
        is_made && bindings.iter().all(in_body)
    }
}

/// The values that the file puts into something that says that it is a cache.
pub(super) fn stores(facts: &Facts) -> Vec<Store> {
    let of_cache = |object| says_cache(facts, object);
    let assigned = facts
        .stmt_ids()
        .filter_map(|stmt| assigned(facts, stmt, of_cache));
    let called = facts.calls().filter_map(|call| set(facts, &call));
    let mut all: Vec<Store> = assigned.chain(called).collect();
    all.sort_by_key(|store| store.stmt);
    all
}

/// `cache[height, width] = value`: the store's key is the first of the parts.
pub(super) fn stored_by_parts(facts: &Facts) -> Vec<Store> {
    let of_cache = |object| says_cache(facts, object);
    let stored = |stmt| first_of_parts(facts, stmt, of_cache).filter(|(_, more)| *more);
    let stored = facts.stmt_ids().filter_map(stored);
    stored.map(|(store, _)| store).collect()
}

/// The connections, clients and sessions that the file keeps by key.
pub(super) fn pooled(facts: &Facts) -> Vec<Store> {
    let of_pool = |object| says_pool(facts, object);
    let assigned = facts
        .stmt_ids()
        .filter_map(|stmt| assigned(facts, stmt, of_pool));
    assigned.collect()
}

fn says_pool(facts: &Facts, id: ExprId) -> bool {
    let says = facts.last_name(id).is_some_and(|name| {
        topic::ends_in_word(
            name,
            "connections conns clients sessions pool pools engines",
        )
    });
    says && !is_local(facts, id)
}

fn assigned(facts: &Facts, stmt: StmtId, keeps: impl Fn(ExprId) -> bool) -> Option<Store> {
    let (store, more) = first_of_parts(facts, stmt, keeps)?;
    (!more).then_some(store)
}

/// What an assignment puts under a key, and whether the key has more parts than the one named.
fn first_of_parts(
    facts: &Facts,
    stmt: StmtId,
    keeps: impl Fn(ExprId) -> bool,
) -> Option<(Store, bool)> {
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    targets.iter().find_map(|&target| {
        let ExprKind::Subscript { object, index } = &facts.expr(target).kind else {
            return None;
        };
        let (key, more) = index.split_first()?;
        let store = Store {
            stmt,
            object: *object,
            key: *key,
            value: (*value)?,
        };
        keeps(*object).then_some((store, !more.is_empty()))
    })
}

fn set(facts: &Facts, call: &Call<'_>) -> Option<Store> {
    let sets = matches!(
        call.method(),
        Some(
            "set"
                | "set_numpy"
                | "put"
                | "setdefault"
                | "store"
                | "get_or_create"
                | "get_or_set"
                | "get_or_compute"
                | "get_or_insert"
        )
    );
    let receiver = call.receiver().filter(|_| sets)?;
    says_cache(facts, receiver).then_some(Store {
        stmt: call.stmt(),
        object: receiver,
        key: call.arg(0, "key")?,
        value: call.arg(1, "value")?,
    })
}

/// The values that the file keeps in Redis by key, which all processes share.
pub(super) fn kept_in_redis(facts: &Facts) -> Vec<Store> {
    let kept = |call: Call<'_>| {
        let value = match call.method()? {
            "set" | "setnx" => call.arg(1, "value"),
            "setex" | "psetex" => call.arg(2, "value"),
            _ => None,
        }?;
        let object = call.receiver()?;
        (facts.is_proven(object, Kind::Redis) || speaks_redis(facts, &call)).then_some(Store {
            stmt: call.stmt(),
            object,
            key: call.arg(0, "name").or_else(|| call.keyword("key"))?,
            value,
        })
    };
    facts.calls().filter_map(kept).collect()
}

/// `client.set(key, value, ex=60)` in a file that imports the package: no other store is written so.
fn speaks_redis(facts: &Facts, call: &Call<'_>) -> bool {
    let imports = facts.imports_from("redis") || facts.imports_from("aioredis");
    let limits = ["ex", "px", "exat", "nx", "keepttl"];
    let by_argument = limits.iter().any(|name| call.keyword(name).is_some());
    let by_method = matches!(call.method(), Some("setex" | "psetex" | "setnx"));
    imports && (by_argument || by_method)
}

/// A look-up whose hit ends the work: `if key in cache: return`, `hit = cache.get(key)`.
pub(super) fn look_up(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let by_call = facts.calls_in(stmt).find_map(|call| {
        let gets = matches!(call.method(), Some("get" | "get_numpy"));
        let receiver = call.receiver().filter(|_| gets)?;
        says_cache(facts, receiver).then(|| call.arg(0, "key"))?
    });
    let by_test = || match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } => facts
            .asked_members(test)
            .find(|asked| !asked.is_absence && says_cache(facts, asked.container))
            .map(|asked| asked.key),
        _ => None,
    };
    by_call.or_else(by_test)
}

/// The keys that a statement asks a cache for: `cache.get(key)`, `key in cache`, `return cache[key]`.
pub(super) fn look_ups(facts: &Facts, stmt: StmtId) -> Vec<ExprId> {
    let put: Vec<ExprId> = facts.entries_put(stmt).map(|(_, key)| key).collect();
    let asked = |id: ExprId| match &facts.expr(id).kind {
        ExprKind::Subscript { object, index } => {
            let key = *index.first()?;
            (says_cache(facts, *object) && !put.contains(&key)).then_some(key)
        }
        ExprKind::Compare { .. } => {
            let asked = facts.membership(id)?;
            says_cache(facts, asked.container).then_some(asked.key)
        }
        ExprKind::Call { .. } => {
            let call = facts.call(id)?;
            let gets = call.method()?.starts_with("get") || call.method() == Some("exists");
            let of_cache = || call.receiver().is_some_and(|of| says_cache(facts, of));
            (gets && of_cache()).then(|| call.arg(0, "key"))?
        }
        _ => None,
    };
    facts.exprs_of(stmt).filter_map(asked).collect()
}

/// What a name or field is given that says that it is a key of a cache.
pub(super) fn assigned_key(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    let says = |&target: &ExprId| {
        facts
            .last_name(target)
            .is_some_and(|name| topic::says(name, "cache key"))
    };
    targets.iter().any(says).then_some(*value)?
}

/// Where a key is put together: what its name was given, and what a helper of the file returns for it.
pub(super) fn composed_key(facts: &Facts, key: ExprId) -> ExprId {
    let value = facts
        .values(key)
        .into_iter()
        .find(|&value| value != key)
        .unwrap_or(key);
    facts
        .call(value)
        .and_then(|call| facts.callee_scope(&call))
        .and_then(|function| facts.returns_of(function).next())
        .unwrap_or(value)
}

/// Whether an object says that it is a cache and outlives the call: a memo that one function makes for itself is its own.
pub(super) fn says_cache(facts: &Facts, id: ExprId) -> bool {
    let says = facts
        .last_name(id)
        .is_some_and(|name| topic::has_word(name, "cache cached caches memo"));
    (says || is_of_library(facts, id)) && !is_local(facts, id)
}

fn is_local(facts: &Facts, id: ExprId) -> bool {
    let here = facts.function_of(facts.expr(id).scope);
    let made_here = |binding: &Binding| {
        let function = facts.function_of(facts.stmt(binding.stmt).scope);
        let is_value = matches!(binding.kind, BindingKind::Value { .. });
        is_value && function.is_some_and(|function| !is_handed_out(facts, function, here))
    };
    facts.name(id).is_some() && facts.lookup(id).iter().any(made_here)
}

/// Whether a function returns the one inside of it that uses what it made: a decorator's wrapper outlives the call.
fn is_handed_out(facts: &Facts, function: ScopeId, inner: Option<ScopeId>) -> bool {
    let name = inner.and_then(|inner| facts.scope_name(inner));
    inner != Some(function)
        && facts
            .returns_of(function)
            .any(|value| name.is_some() && facts.name(value) == name)
}
