//! Waiting for many futures at once without a timeout.

use super::{gathered, own_futures};
use crate::facts::{Bound, Call, Facts, Kind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbounded-wait",
    rule: 4,
    severity: Severity::Flag,
    references: &[],
    summary: "`wait`, `as_completed`, `executor.map` or `gather` has no timeout on a hot path.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    own_futures::detect(cx, out);
    gathered::detect(cx, out);
    for call in cx.facts.calls() {
        let Some(wait) = group_wait(cx.facts, &call) else {
            continue;
        };
        match wait {
            Bound::Unbounded | Bound::Forwarded if leaves_by_waiting(cx.facts, &call) => {}
            Bound::Unbounded | Bound::Forwarded => {
                let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
                out.hits
                    .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call)));
            }
            Bound::Given | Bound::Literal(_) => {
                out.evidence(4, call.span(), "waits for the futures with a timeout");
            }
        }
    }
}

/// The bound of a wait for several futures, if the call is one.
fn group_wait(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    if call.is(&["concurrent.futures.wait"]) {
        return Some(facts.bound(call, 1, "timeout"));
    }
    if call.is(&["concurrent.futures.as_completed"]) {
        return Some(facts.bound(call, 1, "timeout"));
    }
    if call.method() == Some("map") && is_executor(facts, call) {
        return Some(call.keyword("timeout").map_or(Bound::Unbounded, |_| {
            facts.bound(call, usize::MAX, "timeout")
        }));
    }
    if call.is(&["asyncio.gather"]) && call.is_awaited() {
        return waits_on_threads(facts, call).then_some(Bound::Unbounded);
    }
    if call.is(&["asyncio.wait"]) && call.is_awaited() {
        return Some(facts.bound(call, usize::MAX, "timeout"));
    }
    None
}

/// By its kind, or by a name that says so where a handler around the call expects a timeout to run out: only what has an
/// executor's `map` raises that.
fn is_executor(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(pool) = call.receiver() else {
        return false;
    };
    let says = facts.last_name(pool).is_some_and(|name| {
        let words = ["pool", "executor", "workers"];
        words.iter().any(|word| topic::says(name, word))
    });
    let expects = || {
        let mut types = facts
            .handlers_around(call.stmt())
            .flat_map(|handler| &handler.types);
        types.any(|&class| facts.last_name(class) == Some("TimeoutError"))
    };
    match facts.kind_of(pool) {
        Some(kind) => kind == Kind::Executor,
        None => says && expects(),
    }
}

/// An executor that a `with` around the wait makes: leaving the `with` waits for all of its work in any case,
/// so a timeout here would end nothing.
fn leaves_by_waiting(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .with_items(call.stmt())
        .any(|(_, item)| facts.kind_of(item.context) == Some(Kind::Executor))
}

/// Coroutines end when their loop does; work in threads and executors can stall behind their back.
fn waits_on_threads(facts: &Facts, call: &Call<'_>) -> bool {
    facts.calls_within(call.span()).any(|inner| {
        matches!(
            inner.name(),
            "run_in_executor" | "to_thread" | "wrap_future" | "run_in_threadpool"
        )
    })
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` waits for all its work without a timeout.",
            call.name()
        ),
        "One unit of work that never ends keeps every caller of this path waiting, although the others are done.",
        "Give the wait a timeout, and say what happens to the work that is not done by then.",
    )
}
