//! Values put into and looked up in caches by key.

use crate::facts::{Binding, BindingKind, Call, ExprId, ExprKind, Facts, StmtId, StmtKind};

/// `cache[key] = value`, `cache.set(key, value)`.
pub(super) struct Store {
    pub(super) stmt: StmtId,
    pub(super) key: ExprId,
    pub(super) value: ExprId,
}

/// The values that the file puts into something that says that it is a cache.
pub(super) fn stores(facts: &Facts) -> Vec<Store> {
    let assigned = facts.stmt_ids().filter_map(|stmt| assigned(facts, stmt));
    let called = facts.calls().filter_map(|call| set(facts, &call));
    let mut all: Vec<Store> = assigned.chain(called).collect();
    all.sort_by_key(|store| store.stmt);
    all
}

fn assigned(facts: &Facts, stmt: StmtId) -> Option<Store> {
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    targets.iter().find_map(|&target| {
        let ExprKind::Subscript { object, index } = &facts.expr(target).kind else {
            return None;
        };
        let [key] = index.as_slice() else {
            return None;
        };
        says_cache(facts, *object).then_some(Store {
            stmt,
            key: *key,
            value: (*value)?,
        })
    })
}

fn set(facts: &Facts, call: &Call<'_>) -> Option<Store> {
    let sets = matches!(
        call.method(),
        Some("set" | "set_numpy" | "put" | "setdefault" | "store")
    );
    let receiver = call.receiver().filter(|_| sets)?;
    says_cache(facts, receiver).then_some(Store {
        stmt: call.stmt(),
        key: call.arg(0, "key")?,
        value: call.arg(1, "value")?,
    })
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
            .within(test)
            .find_map(|id| match &facts.expr(id).kind {
                ExprKind::Compare {
                    operands,
                    operators,
                } => {
                    let [key, cache] = operands.as_slice() else {
                        return None;
                    };
                    let [operator] = operators.as_slice() else {
                        return None;
                    };
                    (facts.text(*operator) == "in" && says_cache(facts, *cache)).then_some(*key)
                }
                _ => None,
            }),
        _ => None,
    };
    by_call.or_else(by_test)
}

/// Whether an object says that it is a cache and outlives the call: a memo that one function makes for itself is its own.
pub(super) fn says_cache(facts: &Facts, id: ExprId) -> bool {
    let says = facts.last_name(id).is_some_and(|name| {
        topic::words(name).any(|word| matches!(&*word, "cache" | "cached" | "caches" | "memo"))
    });
    says && !is_local(facts, id)
}

fn is_local(facts: &Facts, id: ExprId) -> bool {
    let made_here = |binding: &Binding| {
        let in_function = facts.function_of(facts.stmt(binding.stmt).scope).is_some();
        in_function && matches!(binding.kind, BindingKind::Value { .. })
    };
    facts.name(id).is_some() && facts.lookup(id).iter().any(made_here)
}

/// The names that an expression rests on, followed through local values and functions of the file.
pub(super) fn names_behind(facts: &Facts, id: ExprId) -> Vec<String> {
    let mut names = Vec::new();
    collect(facts, id, 5, &mut names);
    names
}

fn collect(facts: &Facts, id: ExprId, depth: u32, names: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1).filter(|_| names.len() < 64) else {
        return;
    };
    for inner in facts.within(id) {
        if !matches!(
            facts.expr(inner).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        ) {
            continue;
        }
        if let Some(name) = facts.last_name(inner)
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_string());
            for value in facts
                .values(inner)
                .into_iter()
                .filter(|&value| value != inner)
            {
                collect(facts, value, depth, names);
            }
        }
    }
}
