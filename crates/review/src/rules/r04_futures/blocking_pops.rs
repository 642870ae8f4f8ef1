//! Waits at both ends of what holds work for others: a pop of Redis that blocks, and a put into a queue that is full.

use super::asked::is_callers_choice;
use super::ending::is_idling;
use super::unbounded_queue_or_join::CHECK;
use crate::facts::{Bound, Call, Facts, Heat, Wait};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(place) = call.method().and_then(place) else {
            continue;
        };
        let bound = facts.bound(&call, place, "timeout");
        let is_zero = matches!(bound, Bound::Literal(limit) if facts.expr_text(limit) == "0");
        if is_zero || bound == Bound::Unbounded {
            let is_hot = facts.heat(call.stmt(), cx.profile) == Heat::Hot;
            if is_hot
                && !is_idling(facts, &call)
                && !call.has_splat()
                && !is_callers_choice(facts, &call)
            {
                let words = word(facts, &call);
                let hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
                out.hits.push(hit);
            }
        } else {
            out.evidence(4, call.span(), "waits for the entry with a timeout");
        }
    }
}

/// Where a blocking pop takes its limit; zero means none.
fn place(method: &str) -> Option<usize> {
    match method {
        "blpop" | "brpop" | "bzpopmin" | "bzpopmax" => Some(1),
        "brpoplpush" => Some(2),
        _ => None,
    }
}

/// A request handler that puts into a queue with a maximum, and would wait for room.
pub(super) fn fills_bounded(facts: &Facts, call: &Call<'_>) -> bool {
    let waits = matches!(facts.blocking(call), Some((Wait::Queue, _)));
    let function = facts.function_of(call.scope());
    waits && function.is_some_and(|function| facts.is_route(function))
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.function);
    Words::new(
        format!("`{what}` waits for an entry without a limit."),
        "A timeout of zero, or none, means for ever: if the worker that should answer has died, this request and its connection to the store are never free again.",
        "Give it a timeout in seconds, and say what is answered when nothing came.",
    )
}
