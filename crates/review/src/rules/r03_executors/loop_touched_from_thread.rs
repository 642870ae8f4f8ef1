//! Objects of an event loop touched from another thread.

use super::foreign_loops::{
    Foreign, Shown, foreign_loop, given_to_timer, of_foreign_channel, of_foreign_queue,
};
use super::kept;
use super::library_threads::library_callback;
use crate::facts::{Call, Facts, Handover, Kind, Proof};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "loop-touched-from-thread",
    rule: 3,
    severity: Severity::Flag,
    references: &[1875],
    summary: "A task, future, queue or loop of asyncio is touched from another thread without `call_soon_threadsafe`.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if matches!(call.method(), Some("call_soon_threadsafe"))
            || call.is(&["asyncio.run_coroutine_threadsafe"])
        {
            out.evidence(
                3,
                call.span(),
                "hands work to the loop in the way that is safe from other threads",
            );
            continue;
        }
        let Some(proof) = touches_loop(cx.facts, &call) else {
            if let Some(foreign) =
                of_foreign_queue(cx.facts, &call).or_else(|| of_foreign_channel(cx.facts, &call))
            {
                report_foreign(cx, &call, &foreign, Proof::Named, out);
            }
            continue;
        };
        if let Some(handover) = cx
            .facts
            .handover_of(call.stmt())
            .filter(|_| runs_there(cx.facts, &call))
        {
            report(cx, &call, handover, proof, out);
        } else if let Some(foreign) = foreign_loop(cx.facts, &call)
            .or_else(|| given_to_timer(cx.facts, &call))
            .or_else(|| library_callback(cx.facts, &call))
            .or_else(|| of_foreign_queue(cx.facts, &call))
        {
            report_foreign(cx, &call, &foreign, proof, out);
        }
    }
}

/// A function that hands work to the loop from outside, and touches it from there as well.
fn report_foreign(
    cx: &Context<'_>,
    call: &Call<'_>,
    foreign: &Foreign,
    proof: Proof,
    out: &mut Outcome,
) {
    let by_library = foreign.shown == Shown::Library;
    let is_sure = foreign.is_sure && (!by_library || proof == Proof::Proven);
    let (verdict, proof) = match is_sure {
        true => (HitVerdict::Violation, Proof::Proven),
        false => (HitVerdict::Look, Proof::Named),
    };
    let note = match foreign.shown {
        Shown::Library => "it is called in a thread of the library or the pool",
        Shown::Timer => "what calls it runs in a thread of its own, by its name",
        Shown::Said => {
            "a coroutine of the loop waits here; the function's own text speaks of threads"
        }
        Shown::Beside => "work for the connection is handed to its loop from another thread here",
        Shown::Waiting if is_sure => "here work is handed to the same loop as from another thread",
        Shown::Waiting => {
            "this method blocks until the loop has answered, so other threads call it"
        }
    };
    let verdict = kept::unless_cold(cx, verdict);
    let words = word(cx.facts, call, proof);
    let mut hit =
        Hit::new(&CHECK, Anchor::call(call), verdict, words).with_related(foreign.shown_at, note);
    hit.causes.push(foreign.shown_at);
    out.hits.push(hit);
}

/// A lambda around the call may run anywhere, for instance in the loop.
fn runs_there(facts: &Facts, call: &Call<'_>) -> bool {
    facts.scope(call.scope()).kind != crate::facts::ScopeKind::Lambda
}

/// A call that is only safe in the loop's own thread.
fn touches_loop(facts: &Facts, call: &Call<'_>) -> Option<Proof> {
    if call.is(&["asyncio.create_task", "asyncio.ensure_future"]) {
        return Some(Proof::Proven);
    }
    let found = facts
        .type_of(call.receiver()?)
        .filter(|found| found.depth == 0)?;
    let touches = matches!(
        (found.kind, call.method()?),
        (
            Kind::Task,
            "cancel" | "set_result" | "set_exception" | "add_done_callback"
        ) | (
            Kind::EventLoop,
            "call_soon" | "call_later" | "call_at" | "create_task" | "stop"
        ) | (Kind::AsyncQueue, "put_nowait" | "get_nowait")
            | (Kind::AsyncEvent, "set" | "clear")
    );
    touches.then_some(found.proof)
}

fn report(cx: &Context<'_>, call: &Call<'_>, handover: Handover, proof: Proof, out: &mut Outcome) {
    let facts = cx.facts;
    // A thread that makes and runs a loop of its own is the loop's thread.
    let own_loop = facts
        .calls_within(facts.scope(handover.function).span)
        .any(|inner| {
            matches!(
                inner.name(),
                "new_event_loop" | "run_forever" | "run_until_complete" | "set_event_loop"
            ) || inner.is(&["asyncio.run"])
        });
    if own_loop {
        return;
    }
    let verdict = match proof {
        Proof::Proven => HitVerdict::Violation,
        Proof::Named => HitVerdict::Look,
    };
    let words = word(facts, call, proof);
    let hit = Hit::new(
        &CHECK,
        Anchor::call(call),
        kept::unless_cold(cx, verdict),
        words,
    );
    let span = facts.expr(handover.call).span;
    let mut hit = hit.with_related(span, "runs it in another thread");
    hit.causes.push(span);
    out.hits.push(hit);
}

fn word(facts: &Facts, call: &Call<'_>, proof: Proof) -> Words {
    let text = facts.expr_text(call.function);
    Words::new(
        format!("`{text}` is called from another thread than the event loop's."),
        "asyncio objects are not thread-safe: the loop does not wake up for the change, or is changed while it runs, so the call is lost or comes much too late.",
        match proof {
            Proof::Proven => format!(
                "Use `loop.call_soon_threadsafe({text}, ...)`, or `asyncio.run_coroutine_threadsafe` for coroutines."
            ),
            Proof::Named => format!(
                "Does `{text}` belong to the event loop of another thread? If so, go through `loop.call_soon_threadsafe`."
            ),
        },
    )
}
