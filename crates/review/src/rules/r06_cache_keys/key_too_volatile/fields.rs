//! Keys that are objects with a moment or a random id in them, which takes part in their comparison.

use super::{CHECK, VOLATILE};
use crate::facts::{Call, ExprId, Facts, ScopeId, ScopeKind, StmtId, StmtKind};
use crate::rules::r06_cache_keys::stores::{look_ups, stores};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen: Vec<ExprId> = Vec::new();
    let used = key_classes(facts)
        .into_iter()
        .map(|(stmt, class)| (Some(stmt), class));
    for (stmt, class) in used.chain(named_keys(facts)) {
        let Some((field, maker)) = volatile_field(facts, class) else {
            continue;
        };
        if seen.contains(&maker) {
            continue;
        }
        seen.push(maker);
        out.hits.push(hit(cx, stmt, class, (field, maker)));
    }
}

fn hit(
    cx: &Context<'_>,
    used: Option<StmtId>,
    class: ScopeId,
    (field, maker): (&str, ExprId),
) -> Hit {
    let facts = cx.facts;
    let verdict = match used {
        Some(_) => HitVerdict::Violation,
        None => HitVerdict::Look,
    };
    let anchor = Anchor::stmt(facts, facts.expr(maker).stmt);
    let words = word(facts, class, field, used.is_none());
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
    let Some(used) = used.map(|stmt| facts.stmt(stmt).head) else {
        return hit;
    };
    hit.causes.push(used);
    hit.with_related(used, "used as a key here")
}

/// Classes that say that they are keys; what their objects are put into is not shown.
fn named_keys(facts: &Facts) -> impl Iterator<Item = (Option<StmtId>, ScopeId)> {
    let says = |name: &str| topic::words(name).last().as_deref() == Some("key");
    let classes = facts
        .scope_ids()
        .filter(move |&scope| facts.scope_name(scope).is_some_and(says));
    let classes = classes.filter(|&scope| facts.scope(scope).kind == ScopeKind::Class);
    classes.map(|class| (None, class))
}

/// The classes of this file whose objects are keys, with where they are.
fn key_classes(facts: &Facts) -> Vec<(StmtId, ScopeId)> {
    let stored = stores(facts)
        .into_iter()
        .map(|store| (store.stmt, store.key));
    let asked = facts.stmt_ids().flat_map(|stmt| {
        let keys = look_ups(facts, stmt);
        keys.into_iter().map(move |key| (stmt, key))
    });
    let class = |(stmt, key): (StmtId, ExprId)| {
        let mut made = facts
            .values(key)
            .into_iter()
            .filter_map(|value| facts.call(value));
        made.find_map(|call| facts.definition(call.function))
            .map(|class| (stmt, class))
    };
    stored.chain(asked).filter_map(class).collect()
}

/// The field of a dataclass or of an `attrs` class that is another one for each object, and is compared.
fn volatile_field(facts: &Facts, class: ScopeId) -> Option<(&str, ExprId)> {
    if defines_equality(facts, class) {
        return None;
    }
    let fields = facts.statements_of(class);
    let mut fields = fields.filter_map(|stmt| match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => Some((*targets.first()?, *value)),
        _ => None,
    });
    fields.find_map(|(target, value)| {
        let maker = facts.call(value)?;
        is_volatile(facts, &maker).then_some((facts.name(target)?, value))
    })
}

/// `field(default_factory=time.time)`, without `compare=False`.
fn is_volatile(facts: &Facts, maker: &Call<'_>) -> bool {
    let is_off = |name: &str| {
        maker
            .keyword(name)
            .is_some_and(|value| facts.expr_text(value) == "False")
    };
    let factory = maker
        .keyword("default_factory")
        .or_else(|| maker.keyword("factory"));
    let makes = |factory: ExprId| {
        let resolved = facts.resolved(factory);
        let by_name = resolved.is_some_and(|name| VOLATILE.contains(&name.as_str()));
        let mut inner = facts.within(factory).filter_map(|id| facts.call(id));
        by_name || inner.any(|call| call.is(VOLATILE))
    };
    !is_off("compare") && !is_off("eq") && factory.is_some_and(makes)
}

fn defines_equality(facts: &Facts, class: ScopeId) -> bool {
    let mut own = facts.decorators(class).iter();
    own.any(|&decorator| facts.expr_text(decorator).contains("eq=False"))
        || facts.method(class, "__hash__").is_some()
        || facts.method(class, "__eq__").is_some()
}

fn word(facts: &Facts, class: ScopeId, field: &str, is_asked: bool) -> Words {
    let class = facts.scope_name(class).unwrap_or("the key");
    let cure = format!(
        "eave `{field}` out of the comparison (`field(compare=False)`), or out of the key."
    );
    let ask = match is_asked {
        true => format!("Does anything look values up by it? Then l{cure}"),
        false => format!("L{cure}"),
    };
    Words::new(
        format!("`{class}` is a key, and its `{field}` is another one in each object."),
        "Two keys of the same thing are never equal: nothing is ever found again, and the cache only grows.",
        ask,
    )
}
