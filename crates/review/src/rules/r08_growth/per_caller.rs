//! What is kept for each call, connection or subscriber that comes, until it goes.

use crate::facts::{ExprId, Facts, Kind, StmtId, StmtKind, Use};

/// `call.add_done_callback(...)` in the same function: it is a future, whichever library made it.
pub(super) fn is_called_back(facts: &Facts, value: ExprId) -> bool {
    let Some(name) = facts.name(value) else {
        return false;
    };
    let scope = facts.expr(value).scope;
    let is_local = facts.parameter(value).is_none() && !facts.lookup(value).is_empty();
    is_local
        && facts.calls_named("add_done_callback").any(|call| {
            let of_value = call.receiver().and_then(|of| facts.name(of)) == Some(name);
            of_value && call.scope() == scope
        })
}

/// A queue or event that a function makes for whoever called it, or the connection that it serves.
pub(super) fn is_of_caller(facts: &Facts, append: &Use, value: ExprId) -> bool {
    let made = facts.values(value).into_iter().any(|made| {
        let call = facts.call(made).filter(|_| made != value);
        call.is_some_and(|call| {
            let of_call = call.scope() == facts.stmt(append.stmt).scope;
            of_call && facts.constructs(&call).is_some_and(is_mailbox)
        })
    });
    (made && hands_out(facts, append, value)) || is_served(facts, append, value)
}

fn is_mailbox(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Queue | Kind::AsyncQueue | Kind::Event | Kind::AsyncEvent
    )
}

/// The function goes on with it for as long as its caller listens, or gives it to the caller.
fn hands_out(facts: &Facts, append: &Use, value: ExprId) -> bool {
    let Some(function) = facts.function_of(facts.stmt(append.stmt).scope) else {
        return false;
    };
    let returned = || {
        let name = facts.name(value);
        facts
            .returns_of(function)
            .any(|given| facts.name(given) == name)
    };
    facts.scope(function).is_generator || returned() || reads_on(facts, append)
}

/// `async def serve(self, websocket)`, which then reads or waits in a loop, as long as the other side stays.
fn is_served(facts: &Facts, append: &Use, value: ExprId) -> bool {
    let is_connection = facts.last_name(value).is_some_and(|name| {
        topic::ends_in_word(
            name,
            "websocket ws socket sock connection conn client writer peer",
        )
    });
    is_connection && facts.parameter(value).is_some() && reads_on(facts, append)
}

/// A loop behind the append that waits in each turn.
fn reads_on(facts: &Facts, append: &Use) -> bool {
    let scope = facts.stmt(append.stmt).scope;
    facts
        .statements_of(scope)
        .filter(|&stmt| stmt > append.stmt)
        .any(|stmt| facts.awaits(stmt) && (facts.in_loop(stmt) || is_loop(facts, stmt)))
}

/// `async for message in websocket:`.
fn is_loop(facts: &Facts, stmt: StmtId) -> bool {
    matches!(facts.stmt(stmt).kind, StmtKind::For { is_async: true, .. })
}
