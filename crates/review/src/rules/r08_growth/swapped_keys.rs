//! An eviction list that gets another key than the entry: what is evicted is never there, and nothing ever goes.

use super::eviction_misses_structure::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        for (store, key) in facts.entries_put(stmt) {
            let scope = facts.stmt(stmt).scope;
            if let Some(list) = order_with_other_key(facts, scope, store, key) {
                report(facts, stmt, key, &list, out);
            }
        }
    }
}

/// The call that notes another key than the entry's, in a list whose oldest key is deleted from the store.
fn order_with_other_key<'f>(
    facts: &'f Facts,
    scope: ScopeId,
    store: ExprId,
    key: ExprId,
) -> Option<Call<'f>> {
    let name = facts
        .dotted(store)
        .filter(|name| name.contains('.') || is_of_module(facts, store))?;
    let is_plain = |id: ExprId| {
        matches!(
            facts.expr(id).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        )
    };
    if !is_plain(key) {
        return None;
    }
    facts.calls_of(scope).find(|call| {
        let notes = matches!(call.method(), Some("append" | "appendleft"));
        let list = call.receiver().and_then(|list| facts.dotted(list));
        let noted = call.positional(0).filter(|_| notes);
        let is_other = noted.is_some_and(|noted| is_plain(noted) && !is_alike(facts, noted, key));
        is_other
            && list.is_some_and(|list| evicts_by(facts, scope, &list, &name))
            && !names_key(facts, scope, noted, &name)
    })
}

fn is_of_module(facts: &Facts, store: ExprId) -> bool {
    facts.reach(store).is_process_wide()
}

/// One key by two names.
fn is_alike(facts: &Facts, one: ExprId, other: ExprId) -> bool {
    let texts = |id: ExprId| -> Vec<&str> {
        let values = facts.values(id).into_iter().chain([id]);
        values.map(|value| facts.expr_text(value)).collect()
    };
    let others = texts(other);
    texts(one).iter().any(|text| others.contains(text))
}

/// Whether the store has entries by the noted key as well.
fn names_key(facts: &Facts, scope: ScopeId, noted: Option<ExprId>, store: &str) -> bool {
    let noted = noted.map(|noted| facts.expr_text(noted));
    facts.statements_of(scope).any(|stmt| {
        let mut puts = facts.entries_put(stmt);
        puts.any(|(of, key)| {
            facts.dotted(of).as_deref() == Some(store) && Some(facts.expr_text(key)) == noted
        })
    })
}

/// `oldest = order.pop(0)`, and then `del store[oldest]`, in one function.
fn evicts_by(facts: &Facts, scope: ScopeId, list: &str, store: &str) -> bool {
    facts.statements_of(scope).any(|stmt| {
        let StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } = &facts.stmt(stmt).kind
        else {
            return false;
        };
        let takes = facts.call(*value).is_some_and(|call| {
            let of = call.receiver().and_then(|of| facts.dotted(of));
            matches!(call.method(), Some("pop" | "popleft")) && of.as_deref() == Some(list)
        });
        let oldest = targets.first().and_then(|&target| facts.name(target));
        takes && oldest.is_some_and(|oldest| deletes(facts, scope, store, oldest, stmt))
    })
}

fn deletes(facts: &Facts, scope: ScopeId, store: &str, key: &str, after: StmtId) -> bool {
    let entry = |id: ExprId| match &facts.expr(id).kind {
        ExprKind::Subscript { object, index } => {
            let of_store = facts.dotted(*object).as_deref() == Some(store);
            of_store && index.iter().any(|&index| facts.name(index) == Some(key))
        }
        _ => false,
    };
    let removes = |call: &Call<'_>| {
        let of = call.receiver().and_then(|of| facts.dotted(of));
        let given = call.positional(0).and_then(|given| facts.name(given));
        call.method() == Some("pop") && of.as_deref() == Some(store) && given == Some(key)
    };
    facts
        .statements_of(scope)
        .filter(|&stmt| stmt > after)
        .any(|stmt| {
            let by_del = match &facts.stmt(stmt).kind {
                StmtKind::Delete(gone) => gone.iter().any(|&id| entry(id)),
                _ => false,
            };
            by_del || facts.calls_in(stmt).any(|call| removes(&call))
        })
}

fn report(facts: &Facts, put: StmtId, key: ExprId, noted: &Call<'_>, out: &mut Outcome) {
    let other = noted.positional(0).map_or("", |id| facts.expr_text(id));
    let words = Words::new(
        format!(
            "The entry is put under `{}`, and `{other}` is noted for its eviction.",
            facts.expr_text(key)
        ),
        "What is evicted later is looked for under a key that was never put: the removal fails or does nothing, and entries stay for ever.",
        "Note the key that the entry has.",
    );
    let head = facts.stmt(put).head;
    let mut hit = Hit::new(&CHECK, Anchor::call(noted), HitVerdict::Violation, words)
        .with_related(head, "the entry goes in here");
    hit.causes.push(head);
    out.hits.push(hit);
}
