//! What a request leaves in an object of the whole process and reads again, while the next one overwrites it.

use super::shared_buffer_overwritten::CHECK;
use super::torchscript::alone;
use crate::facts::{Call, ExprId, ExprKind, Facts, Reach, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let routes = facts
        .scope_ids()
        .filter(|&scope| facts.is_route(scope) && !facts.is_async(scope));
    let mut told: Vec<ScopeId> = Vec::new();
    for route in routes {
        let methods = facts
            .calls_of(route)
            .filter_map(|call| method_of_one(facts, &call));
        for function in methods.chain([route]) {
            let mut stmts = facts.statements_of(function);
            if let Some((stmt, field)) = stmts.find_map(|stmt| left_behind(facts, function, stmt))
                && !told.contains(&function)
            {
                told.push(function);
                judge(cx, stmt, field, route, out);
            }
        }
    }
}

/// `service.handle(order)`, where the module has one `service`: the method.
fn method_of_one(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let object = call.receiver()?;
    let method = facts.function_called(call)?;
    let is_one = facts.name(object).is_some()
        && facts.reach(object) == Reach::Module
        && facts.class_of(method).is_some();
    (is_one && !facts.is_async(method)).then_some(method)
}

/// `self.user = order["user"]` or a global, with no lock, which the call reads again further down.
fn left_behind(facts: &Facts, function: ScopeId, stmt: StmtId) -> Option<(StmtId, ExprId)> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        augmented: false,
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let [target] = targets[..] else {
        return None;
    };
    let is_field = facts.self_attribute(target).is_some();
    let is_global = facts.name(target).is_some() && facts.reach(target) == Reach::Module;
    let counts = (is_field || is_global)
        && is_of_request(facts, *value)
        && facts.held_at(stmt).next().is_none()
        && facts.callers_hold(function) != Some(true)
        && is_read_behind(facts, function, stmt, target);
    counts.then_some((stmt, target))
}

/// A parameter or the request itself, or a part of it.
fn is_of_request(facts: &Facts, value: ExprId) -> bool {
    match &facts.expr(value).kind {
        ExprKind::Name => {
            let is_own = facts.parameter(value).is_some() && facts.name(value) != Some("self");
            is_own || facts.name(value) == Some("request")
        }
        ExprKind::Attribute { object, .. } | ExprKind::Subscript { object, .. } => {
            is_of_request(facts, *object)
        }
        _ => facts.call(value).is_some_and(|call| {
            let of = call.receiver();
            matches!(call.method(), Some("get" | "get_json" | "json"))
                && of.is_some_and(|of| is_of_request(facts, of))
        }),
    }
}

/// By the function itself, or by a method that it runs then.
fn is_read_behind(facts: &Facts, function: ScopeId, stmt: StmtId, target: ExprId) -> bool {
    let name = facts.dotted(target);
    let is_it = |id: ExprId| facts.dotted(id) == name;
    let mut later = facts.statements_of(function).filter(|&later| later > stmt);
    later.any(|later| {
        let called = facts
            .calls_in(later)
            .filter_map(|call| facts.callee_scope(&call));
        let mut inside = called.flat_map(|callee| facts.exprs_within(facts.scope(callee).span));
        facts.exprs_of(later).any(is_it) || inside.any(is_it)
    })
}

fn judge(cx: &Context<'_>, stmt: StmtId, field: ExprId, route: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = alone(cx, stmt).map_or(HitVerdict::Look, HitVerdict::Excused);
    let name = facts.expr_text(field);
    let words = Words::new(
        format!("`{name}` keeps what one request brought, in an object that all requests share."),
        "A framework runs such routes in several threads: between this line and the next use another request puts its own there, and one user is answered with what is another's.",
        format!(
            "Can two requests come here at once? Then hand the value on as an argument instead of keeping it in `{name}`."
        ),
    );
    let hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), verdict, words);
    out.hits
        .push(hit.with_related(facts.scope(route).span, "requests come in here"));
}
