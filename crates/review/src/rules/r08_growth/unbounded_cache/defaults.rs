//! A dict or set that is the default of a parameter: made once with the function, filled by each call that gives none.

use super::CHECK;
use super::keys::is_open;
use super::wording::word_default;
use crate::facts::{
    Call, ExprId, ExprKind, Facts, Kind, Param, ScopeId, ScopeKind, StmtId, StmtKind,
};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};

/// Such a parameter, and the statement that fills it.
struct Kept {
    function: StmtId,
    value: ExprId,
    filled: StmtId,
    name: String,
}

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let functions = facts
        .scope_ids()
        .filter(|&scope| facts.scope(scope).kind == ScopeKind::Function && facts.is_visible(scope));
    for function in functions {
        for param in &facts.scope(function).params {
            if let Some(found) = filled(facts, function, param) {
                report(cx, &found, out);
            }
        }
    }
}

fn filled(facts: &Facts, function: ScopeId, param: &Param) -> Option<Kept> {
    let value = param.default.filter(|&value| is_made(facts, value))?;
    let name = facts.text(param.name);
    let is_it = |id: ExprId| facts.name(id) == Some(name) && facts.parameter(id).is_some();
    let mut mentions = facts
        .exprs_within(facts.scope(function).span)
        .filter(|&id| is_it(id) && facts.expr(id).scope == function);
    let stmts = || facts.statements_of(function);
    let by_key = stmts().find(|&stmt| {
        let mut put = facts.entries_put(stmt);
        put.any(|(object, key)| is_it(object) && is_open(facts, key))
    });
    let filled = by_key.or_else(|| stmts().find(|&stmt| adds_open(facts, stmt, &is_it)))?;
    let kept = mentions.all(|id| !is_tended(facts, id));
    kept.then_some(Kept {
        function: facts.scope(function).stmt?,
        value,
        filled,
        name: name.to_string(),
    })
}

fn is_made(facts: &Facts, value: ExprId) -> bool {
    match facts.expr(value).kind {
        ExprKind::Dict(_) => true,
        _ => facts
            .call(value)
            .is_some_and(|call| matches!(facts.constructs(&call), Some(Kind::Dict | Kind::Set))),
    }
}

fn adds_open(facts: &Facts, stmt: StmtId, is_it: &impl Fn(ExprId) -> bool) -> bool {
    facts.calls_in(stmt).any(|call| {
        let adds = matches!(call.method(), Some("add" | "setdefault"));
        let open = call.positional(0).is_some_and(|key| is_open(facts, key));
        adds && open && call.receiver().is_some_and(is_it)
    })
}

/// Something takes entries out, measures it, gives the name another, or hands it on to others than the function itself.
fn is_tended(facts: &Facts, id: ExprId) -> bool {
    let at = facts.expr(id);
    let stmt = facts.stmt(at.stmt);
    let by_del = matches!(stmt.kind, StmtKind::Delete(_));
    let anew = matches!(&stmt.kind, StmtKind::Assign { targets, .. } if targets.contains(&id));
    let parent = at.parent;
    let by_method = parent
        .and_then(|up| facts.attribute(up))
        .is_some_and(|(_, name)| {
            matches!(name, "pop" | "popitem" | "clear" | "remove" | "discard")
        });
    let recurses = |call: &Call<'_>| facts.callee_scope(call) == facts.function_of(at.scope);
    let handed = parent
        .and_then(|up| facts.call(up))
        .is_some_and(|call| call.function != id && !recurses(&call));
    let returned = matches!(stmt.kind, StmtKind::Return(Some(value)) if value == id);
    by_del || anew || by_method || handed || returned
}

/// A dict that each call without one of its own fills.
fn report(cx: &Context<'_>, found: &Kept, out: &mut Outcome) {
    let facts = cx.facts;
    let name = &found.name;
    let is_meant = name.starts_with('_') || topic::has_word(name, "cache memo seen known");
    let verdict = HitVerdict::sure_if(is_meant);
    let anchor = Anchor {
        stmt: found.function,
        span: facts.expr(found.value).span,
    };
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), word_default(name));
    let filled = facts.stmt(found.filled).head;
    hit.causes.push(filled);
    out.hits
        .push(hit.with_related(filled, "an entry goes in here"));
}
