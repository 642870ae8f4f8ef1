//! Waiting for many futures at once without a timeout.

use super::{gathered, own_futures};
use crate::facts::{BindingKind, Bound, Call, ExprId, Facts, Heat, Kind};
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
            Bound::Unbounded | Bound::Forwarded => judge(cx, &call, out),
            Bound::Given | Bound::Literal(_) => {
                out.evidence(4, call.span(), "waits for the futures with a timeout");
            }
        }
    }
}

/// The end of an executor's `with` waits as well, so there a timeout alone ends nothing: that is worth a question only
/// where somebody waits for the answer, and the work is whatever the caller brought.
fn judge(cx: &Context<'_>, call: &Call<'_>, out: &mut Outcome) {
    let leaves_by_waiting = leaves_by_waiting(cx.facts, call);
    let is_open =
        || cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot && runs_given_work(cx.facts, call);
    if leaves_by_waiting && !is_open() {
        return;
    }
    let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
    let words = word(call, leaves_by_waiting);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

/// The bound of a wait for several futures, if the call is one.
fn group_wait(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    if call.is(&["concurrent.futures.wait"]) {
        return Some(facts.bound(call, 1, "timeout"));
    }
    if call.is(&["concurrent.futures.as_completed"]) {
        return Some(facts.bound(call, 1, "timeout"));
    }
    // `map` itself only hands the work out: who drops what it gives waits for nothing.
    let asks = !call.is_dropped() || leaves_by_waiting(facts, call);
    if call.method() == Some("map") && asks && is_executor(facts, call) {
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

/// An executor that a `with` around the wait makes: leaving the `with` waits for all of its work in any case.
fn leaves_by_waiting(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .with_items(call.stmt())
        .any(|(_, item)| facts.kind_of(item.context) == Some(Kind::Executor))
}

/// `executor.submit(step)` of a callable that a parameter or a loop brings: it may do anything, for as long as it likes.
fn runs_given_work(facts: &Facts, call: &Call<'_>) -> bool {
    let given = |work: ExprId| {
        let mut bindings = facts.lookup(work).iter();
        facts.name(work).is_some()
            && bindings.any(|binding| {
                matches!(
                    binding.kind,
                    BindingKind::Parameter(_) | BindingKind::Loop { .. }
                )
            })
    };
    facts.calls_beside(call.stmt()).any(|submit| {
        let of_pool = || {
            let pool = submit.receiver().and_then(|pool| facts.kind_of(pool));
            pool == Some(Kind::Executor)
        };
        matches!(submit.method(), Some("submit" | "map"))
            && submit.positional(0).is_some_and(given)
            && of_pool()
    })
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

fn word(call: &Call<'_>, leaves_by_waiting: bool) -> Words {
    let cure = match leaves_by_waiting {
        true => {
            "Give the wait a timeout, and end the executor with `shutdown(wait=False, cancel_futures=True)` instead of its `with`, which waits as long."
        }
        false => {
            "Give the wait a timeout, and say what happens to the work that is not done by then."
        }
    };
    Words::new(
        format!(
            "`{}` waits for all its work without a timeout.",
            call.name()
        ),
        "One unit of work that never ends keeps every caller of this path waiting, although the others are done.",
        cure,
    )
}
