//! A dict that a function makes and an inner function keeps: a route's handler, as long as the application lives, or what a
//! decorator puts in a function's place, as long as the process.

use super::keys::is_open;
use crate::facts::{
    Binding, BindingKind, Call, ExprId, ExprKind, Facts, Kind, ScopeId, ScopeKind, StmtId, StmtKind,
};

/// Such a dict, and the insertion of a handler.
pub(super) struct Captured {
    pub(super) made: StmtId,
    pub(super) insertion: StmtId,
    pub(super) name: String,
    /// The inner function stands in the place of a decorated one.
    pub(super) wraps: bool,
}

/// The dicts of functions that a handler fills by open keys, and that nothing shown empties.
pub(super) fn captured(facts: &Facts) -> Vec<Captured> {
    let mut found: Vec<Captured> = Vec::new();
    for stmt in facts.stmt_ids() {
        if let Some(one) = insertion(facts, stmt)
            && found.iter().all(|known| known.made != one.made)
        {
            found.push(one);
        }
    }
    found
}

fn insertion(facts: &Facts, stmt: StmtId) -> Option<Captured> {
    let handler = facts.function_of(facts.stmt(stmt).scope)?;
    let wraps = is_wrapper(facts, handler);
    if !wraps && !is_handler(facts, handler) {
        return None;
    }
    facts.entries_put(stmt).find_map(|(object, key)| {
        let (made, outer) = outer_dict(facts, object, handler)?;
        let name = facts.name(object)?;
        let grows = is_open(facts, key) && !is_emptied(facts, outer, name, made);
        grows.then(|| Captured {
            made,
            insertion: stmt,
            name: name.to_string(),
            wraps,
        })
    })
}

/// What a decorator returns, dressed as the function that it wraps.
fn is_wrapper(facts: &Facts, function: ScopeId) -> bool {
    let mut decorators = facts.decorators(function).iter();
    decorators.any(|&decorator| {
        let call = facts.call(decorator);
        call.is_some_and(|call| call.is(&["functools.wraps"]))
    })
}

/// A nested function that a framework calls for each request or event.
fn is_handler(facts: &Facts, function: ScopeId) -> bool {
    facts.decorators(function).iter().any(|&decorator| {
        facts.call(decorator).is_some_and(|call| {
            matches!(
                call.method(),
                Some(
                    "get"
                        | "post"
                        | "put"
                        | "delete"
                        | "patch"
                        | "route"
                        | "middleware"
                        | "websocket"
                        | "before_request"
                        | "after_request"
                        | "on_message"
                )
            )
        })
    })
}

/// The statement of a function around the handler that makes the dict, and that function.
fn outer_dict(facts: &Facts, object: ExprId, handler: ScopeId) -> Option<(StmtId, ScopeId)> {
    let declares = |binding: &&Binding| matches!(binding.kind, BindingKind::Declared(_));
    let mut given = facts.lookup(object).iter().filter(|one| !declares(one));
    let (only, None) = (given.next()?, given.next()) else {
        return None;
    };
    let scope = facts.stmt(only.stmt).scope;
    let BindingKind::Value { value, index: None } = only.kind else {
        return None;
    };
    let is_dict = matches!(facts.expr(value).kind, ExprKind::Dict(_))
        || facts
            .call(value)
            .is_some_and(|call| facts.constructs(&call) == Some(Kind::Dict));
    let is_outer = facts.scope(scope).kind == ScopeKind::Function && scope != handler;
    (is_dict && is_outer).then_some((only.stmt, scope))
}

/// Something in the outer function takes entries out, measures the dict, or gets it.
fn is_emptied(facts: &Facts, outer: ScopeId, name: &str, made: StmtId) -> bool {
    let span = facts.scope(outer).span;
    facts
        .exprs_named(name)
        .filter(|&id| span.contains(facts.expr(id).span) && facts.expr(id).stmt != made)
        .any(|id| is_tending(facts, id))
}

fn is_tending(facts: &Facts, id: ExprId) -> bool {
    let deletes = matches!(facts.stmt(facts.expr(id).stmt).kind, StmtKind::Delete(_));
    let Some(parent) = facts.expr(id).parent else {
        return deletes;
    };
    let by_method = facts.attribute(parent).is_some_and(|(object, method)| {
        object == id && matches!(method, "pop" | "popitem" | "clear")
    });
    let is_given = facts
        .call(parent)
        .is_some_and(|call: Call<'_>| call.function != id);
    deletes || by_method || is_given
}
