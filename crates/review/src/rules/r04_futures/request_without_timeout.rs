//! A request over HTTP by a client that waits for ever unless it is told otherwise.

use super::endless_clients::{asks_for_ever, is_rpc};
use crate::facts::{Call, Facts, Heat, Kind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "request-without-timeout",
    rule: 4,
    severity: Severity::Nit,
    references: &[],
    summary: "A request has no timeout where somebody waits for it, by a client that has none by itself or was told to have none.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls().filter(|call| asks(cx.facts, call)) {
        // A library does not know who waits for it: only what starts, tests or serves one terminal may wait as it likes.
        let matters = || !matches!(cx.facts.heat(call.stmt(), cx.profile), Heat::Cold(_));
        let has_limit = call.keyword("timeout").is_some() && !asks_for_ever(cx.facts, &call);
        if has_limit {
            out.evidence(4, call.span(), "the request has a timeout");
        } else if !call.has_splat() && matters() {
            let words = word(cx.facts, &call);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                HitVerdict::Look,
                words,
            ));
        }
    }
}

/// By the module's name, by a session of `requests`, or by a stub of gRPC: other libraries give up after seconds or
/// minutes, unless they are told not to.
fn asks(facts: &Facts, call: &Call<'_>) -> bool {
    let by_library = call.request().is_some_and(|request| {
        let is_limited = |place| call.positional(place).is_some();
        request.endless && !request.place.is_some_and(is_limited)
    });
    let connects = call.is(&["socket.create_connection"]) && call.positional(1).is_none();
    by_library
        || connects
        || by_session(facts, call)
        || asks_for_ever(facts, call)
        || is_rpc(facts, call)
}

fn by_session(facts: &Facts, call: &Call<'_>) -> bool {
    let is_session = |session| {
        let makes = |value| {
            let made = facts.call(value);
            made.is_some_and(|call| call.is(&["requests.Session", "requests.session"]))
        };
        facts.is_proven(session, Kind::HttpSession) && facts.values(session).into_iter().any(makes)
    };
    call.sends() && call.receiver().is_some_and(is_session)
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.function);
    Words::new(
        format!("`{what}` waits for its answer without a limit."),
        "A server that takes the connection and never answers holds the caller and its thread for ever; a few of them, and nothing is served any more.",
        "Give the call a `timeout`, and say what is answered when it runs out.",
    )
}
