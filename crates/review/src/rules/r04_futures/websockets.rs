//! Handlers of web sockets that only send, and wait for the next thing to send without a limit.

use super::unbounded_queue_or_join::CHECK;
use crate::facts::{Call, ExprId, Facts, Kind, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls_named("get") {
        let Some(function) = facts.function_of(call.scope()) else {
            continue;
        };
        let waits = call.is_awaited() && call.args.is_empty() && is_queue(facts, &call);
        if waits && serves_socket(facts, function) && never_listens(facts, function, &call) {
            let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
            let words = word(facts, &call);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// By its kind, or by its name where nothing shows what it is.
fn is_queue(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(queue) = call.receiver() else {
        return false;
    };
    let says = || {
        facts
            .last_name(queue)
            .is_some_and(|name| topic::says(name, "queue"))
    };
    match facts.kind_of(queue) {
        Some(kind) => matches!(kind, Kind::AsyncQueue | Kind::Queue),
        None => says(),
    }
}

/// `@router.websocket("/events")`, or a parameter that is annotated as a web socket.
fn serves_socket(facts: &Facts, function: ScopeId) -> bool {
    let is_route = |&decorator: &ExprId| {
        let call = facts.call(decorator);
        call.is_some_and(|call| matches!(call.method(), Some("websocket" | "websocket_route")))
    };
    let is_socket = |annotation: ExprId| {
        let name = facts.last_name(annotation);
        name.is_some_and(|name| matches!(name, "WebSocket" | "WebSocketResponse" | "Websocket"))
    };
    let mut params = facts.scope(function).params.iter();
    facts.is_async(function)
        && (facts.decorators(function).iter().any(is_route)
            || params.any(|param| param.annotation.is_some_and(is_socket)))
}

/// The wait stands in a loop that receives nothing, and no other task of the function listens meanwhile.
fn never_listens(facts: &Facts, function: ScopeId, call: &Call<'_>) -> bool {
    let Some(outer) = endless_around(facts, call.stmt()) else {
        return false;
    };
    let receives = |inner: &Call<'_>| {
        let first = topic::words(inner.name()).next();
        first.is_some_and(|first| matches!(&*first, "receive" | "recv" | "iter"))
    };
    let helps = |inner: &Call<'_>| {
        matches!(
            inner.name(),
            "create_task" | "ensure_future" | "gather" | "start_soon" | "wait" | "TaskGroup"
        )
    };
    let span = facts.scope(function).span;
    !facts
        .calls_within(facts.stmt(outer).span)
        .any(|inner| receives(&inner))
        && !facts.calls_within(span).any(|inner| helps(&inner))
}

fn endless_around(facts: &Facts, stmt: StmtId) -> Option<StmtId> {
    let outer = facts.innermost_loop(stmt)?;
    matches!(facts.stmt(outer).kind, StmtKind::While { .. }).then_some(outer)
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.function);
    Words::new(
        format!(
            "A web socket's handler waits in `{what}()` without a limit, and listens to nobody meanwhile."
        ),
        "A client that has gone is noticed only when something is sent: until then its handler, its queue and its subscription stay, one more for each client that leaves.",
        "Wait with a timeout and ping, or receive in a second task and end both when the client disconnects.",
    )
}
