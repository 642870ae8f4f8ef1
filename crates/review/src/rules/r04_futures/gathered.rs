//! Handlers that gather coroutines which wait for others, by their names, without a limit.

use super::unbounded_queue_or_join::is_limited_around;
use super::unbounded_wait::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts, Heat};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| is_open(facts, call)) {
        let is_hot = facts.heat(call.stmt(), cx.profile) == Heat::Hot;
        if let Some(wait) = waiting(facts, &call).filter(|_| is_hot) {
            let words = word(facts, &wait);
            let mut hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
            if wait.stmt() != call.stmt() {
                hit = hit.with_related(wait.span(), "waits for somebody else");
                hit.causes.push(wait.span());
            }
            out.hits.push(hit);
        }
    }
}

/// `await asyncio.gather(...)` with no limit around it.
fn is_open(facts: &Facts, call: &Call<'_>) -> bool {
    let runs = || facts.is_given_to(call.id, &["run", "run_until_complete"]);
    let gathers = call.is(&["asyncio.gather"]) && (call.is_awaited() || runs());
    gathers && !is_limited_around(facts, call.stmt())
}

/// A coroutine among those gathered that waits for an answer, and is given no limit.
fn waiting<'f>(facts: &'f Facts, gather: &Call<'f>) -> Option<Call<'f>> {
    let given = gather.args.iter().flat_map(|arg| made(facts, arg.value));
    let mut calls = given.filter_map(|id| facts.call(id));
    calls.find(|call| says_wait(call) && !has_limit(facts, call))
}

/// What an argument stands for: itself, the items of a list, or what was put into one.
fn made(facts: &Facts, arg: ExprId) -> Vec<ExprId> {
    let arg = match facts.expr(arg).kind {
        ExprKind::Starred(inner) => inner,
        _ => arg,
    };
    let mut found = Vec::new();
    for value in facts.values(arg) {
        match &facts.expr(value).kind {
            ExprKind::Comprehension { elements, .. } => found.extend(elements),
            ExprKind::List(items) | ExprKind::Tuple(items) => found.extend(items),
            _ => found.push(value),
        }
    }
    found.extend(facts.put_into(arg));
    found
}

/// `wait_for_response`, `wait_until_done`: what it waits for is somebody else's to do. A limit is its second argument.
fn says_wait(call: &Call<'_>) -> bool {
    let name = call.name().trim_start_matches('_');
    ["wait_for_", "wait_until_", "await_"]
        .iter()
        .any(|start| name.starts_with(start))
}

fn has_limit(facts: &Facts, call: &Call<'_>) -> bool {
    let given = call.args.len() > 1 || call.has_splat();
    let own = facts.callee(call).is_some_and(|(home, function)| {
        home.calls_of(function)
            .any(|inner| matches!(inner.name(), "wait_for" | "timeout" | "monotonic" | "time"))
    });
    given || own
}

fn word(facts: &Facts, wait: &Call<'_>) -> Words {
    let what = facts.shown(wait.function);
    Words::new(
        format!("The request waits for each `{what}` without a limit."),
        "One answer that is lost, or whose worker has died, keeps the request open for ever, although the others have come.",
        format!(
            "What ends `{what}` when no answer comes? `asyncio.wait_for` around the gather, or a limit in each wait, would."
        ),
    )
}
