//! Clients that wait for ever: those that were told to with `timeout=None`, and stubs of gRPC, which have no deadline.

use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, Request};

/// `httpx.post(url, timeout=None)`, or a request of `httpx.Client(timeout=None)` that gives no limit of its own.
pub(super) fn asks_for_ever(facts: &Facts, call: &Call<'_>) -> bool {
    let is_none = |value: ExprId| matches!(facts.expr(value).kind, ExprKind::None);
    let own = call.keyword("timeout");
    let is_limited = |request: Request| !request.endless;
    let by_library = call.request().is_some_and(is_limited) && own.is_some_and(is_none);
    by_library || (own.is_none_or(is_none) && by_endless_client(facts, call, own.is_some()))
}

fn by_endless_client(facts: &Facts, call: &Call<'_>, is_told: bool) -> bool {
    let is_endless = |client: ExprId| {
        let makes = |value| {
            let made = facts.call(value);
            made.is_some_and(|made| {
                let limit = made.keyword("timeout");
                let is_none =
                    limit.is_some_and(|limit| matches!(facts.expr(limit).kind, ExprKind::None));
                made.is(&["httpx.Client", "httpx.AsyncClient"]) && (is_none || is_told)
            })
        };
        facts.is_proven(client, Kind::HttpSession) && facts.values(client).into_iter().any(makes)
    };
    call.sends() && call.receiver().is_some_and(is_endless)
}

/// `stub.Embed(request)` on a stub that was made with a channel: methods of a service have names like classes.
pub(super) fn is_rpc(facts: &Facts, call: &Call<'_>) -> bool {
    let like_class = call
        .method()
        .is_some_and(|method| method.starts_with(char::is_uppercase));
    let is_stub = |stub: ExprId| {
        let makes = |value| {
            let made = facts.call(value);
            made.is_some_and(|made| made.name().ends_with("Stub") && made.args.len() == 1)
        };
        let says = || {
            let last = facts
                .last_name(stub)
                .and_then(|name| topic::words(name).last());
            !facts.document.whole && last.as_deref() == Some("stub")
        };
        facts.values(stub).into_iter().any(makes) || says()
    };
    // Its second argument is the limit.
    like_class && call.positional(1).is_none() && call.receiver().is_some_and(is_stub)
}
