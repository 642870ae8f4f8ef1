//! Queues that one function works off: it asks whether there is something to take before it takes.

use crate::facts::{Call, ExprId, ExprKind, Facts, Part, StmtId, StmtKind};

/// `while jobs.qsize() > 0:` over a queue that one function works off, or `if jobs.empty(): break` in its loop.
pub(super) fn is_worklist(facts: &Facts, get: &Call<'_>, outer: StmtId) -> bool {
    let queue = get.receiver().and_then(|queue| facts.dotted(queue));
    let asks = |test: ExprId| {
        let mut calls = facts.within(test).filter_map(|id| facts.call(id));
        calls.any(|call| {
            let of = call.receiver().and_then(|of| facts.dotted(of));
            of == queue && matches!(call.method(), Some("qsize" | "empty"))
        })
    };
    let StmtKind::While { test, body, .. } = &facts.stmt(outer).kind else {
        return false;
    };
    let leaves = |stmt: &StmtId| match &facts.stmt(*stmt).kind {
        StmtKind::If { test, body, .. } => facts.always_leaves(body) && asks(*test),
        _ => false,
    };
    queue.is_some()
        && (asks(*test) || body.iter().any(leaves))
        && is_only_taker(facts, get, queue.as_deref())
}

/// `if jobs.full(): jobs.get()`, or the `else` of `if not jobs.full()`: there is something to take, if nobody else takes.
pub(super) fn is_known_to_hold(facts: &Facts, get: &Call<'_>) -> bool {
    let queue = get.receiver().and_then(|queue| facts.dotted(queue));
    let says = |test: ExprId, outcome: bool| {
        let mut calls = facts.within(test).filter_map(|id| facts.call(id));
        calls.any(|call| {
            let of = call.receiver().and_then(|of| facts.dotted(of));
            let up = facts.expr(call.id).parent.map(|up| &facts.expr(up).kind);
            let is_denied = matches!(up, Some(ExprKind::Not(_)));
            let holds = match call.method() {
                Some("full" | "qsize") => is_denied != outcome,
                Some("empty") => is_denied == outcome,
                _ => false,
            };
            holds && of == queue
        })
    };
    let is_asked = facts.ancestors(get.stmt()).any(|around| {
        let test = match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => test,
            _ => return false,
        };
        match around.part {
            Part::Body => says(test, true),
            Part::Else => says(test, false),
            _ => false,
        }
    });
    queue.is_some() && is_asked && is_only_taker(facts, get, queue.as_deref())
}

/// Nobody else who is shown takes out of the queue meanwhile, so that what it held when it was asked is still there.
fn is_only_taker(facts: &Facts, get: &Call<'_>, queue: Option<&str>) -> bool {
    let takes = |call: &Call<'_>| {
        let of = call.receiver().and_then(|of| facts.dotted(of));
        of.as_deref() == queue && facts.canonical(call.scope()) != facts.canonical(get.scope())
    };
    let name = queue.unwrap_or("");
    let is_local = !name.contains('.');
    is_local
        || !["get", "get_nowait"].iter().any(|name| {
            let mut others = facts.calls_named(name).filter(takes);
            others.any(|other| !take_turns(facts, get, &other))
        })
}

/// Whether both stand under one lock.
fn take_turns(facts: &Facts, one: &Call<'_>, other: &Call<'_>) -> bool {
    facts.held_at(one.stmt()).any(|held| {
        let mut others = facts.held_at(other.stmt());
        others.any(|of_other| of_other.lock.is_same(&held.lock))
    })
}
