//! A long-running thread or process that the stop method does not wait for.

use super::kept::{self, Kept};
use super::started::is_never_started;
use super::thread_without_stop_flag::{endless, is_thread};
use super::{endless_ends, joins_itself};
use crate::facts::{Call, Facts, Holder, Kind, Made, PROXIES, Resource, ScopeId, Span, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "thread-not-joined",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A stored, long-running thread or process is not joined where its owner stops.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for kept in kept::kept(cx.facts, runs_beside) {
        let closings = cx.facts.closings(&kept.holder, kept.made.resource);
        let Some(closing) = closings.first() else {
            judge(cx, &kept, out);
            continue;
        };
        let noun = kept.made.resource.noun();
        out.evidence(3, closing.span, format!("the {noun} is joined or ended"));
        if let Some(wait) = endless_join(cx.facts, &kept, closing.span) {
            report_join(cx, closing.stmt, closing.span, wait, out);
        }
    }
    endless_ends::detect(cx, out);
    joins_itself::detect(cx, out);
}

fn runs_beside(made: &Made) -> bool {
    is_thread(made) || made.resource == Resource::Object(Kind::Process)
}

fn judge(cx: &Context<'_>, kept: &Kept, out: &mut Outcome) {
    let facts = cx.facts;
    let Holder::Attribute { class, .. } = kept.holder else {
        return;
    };
    let stop = class.and_then(|class| stop_method(facts, class));
    if !is_long_running(facts, kept, class, stop)
        || (is_thread(&kept.made) && endless(facts, &kept.made).is_some())
        || waits_for_itself(facts, kept)
        || is_never_started(facts, &kept.made)
    {
        return;
    }
    let shown = class.is_some_and(|class| facts.is_visible(class));
    let knows = target(facts, kept).is_some();
    let ends_on_demand = stop.is_some() || class.is_some_and(|class| has_event(facts, class));
    let verdict = HitVerdict::sure_if(shown && knows && ends_on_demand);
    let verdict = kept::unless_cold(cx, verdict);
    let anchor = anchor_of(facts, kept);
    if runs_nothing(facts, kept) {
        return report_called(cx, anchor, out);
    }
    let seen_stop = stop.filter(|&stop| facts.is_visible(stop));
    let words = word(facts, kept, seen_stop, verdict == HitVerdict::Violation);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    // A thread that is known to loop is another than one of which nothing but its owner's stop method speaks.
    hit.subject = Some(if knows { "loops" } else { "is kept" }.to_string());
    hit.is_unseen = !shown && seen_stop.is_none();
    if let Some(head) = seen_stop.and_then(|stop| facts.scope(stop).stmt) {
        hit = hit.with_related(facts.stmt(head).head, "stops without waiting for it");
    }
    out.hits.push(hit);
}

fn anchor_of(facts: &Facts, kept: &Kept) -> Anchor {
    Anchor {
        stmt: kept.made.stmt,
        span: facts.expr(kept.made.call).span,
    }
}

/// The thread runs nothing, so nobody has to wait for it; once it does, the stop will have to.
fn report_called(cx: &Context<'_>, anchor: Anchor, out: &mut Outcome) {
    let verdict = kept::unless_cold(cx, HitVerdict::Violation);
    let words = Words::new(
        "The function that this thread should run is called where the thread is made.",
        "It runs here and to its end, in whoever starts the thread; the thread itself has nothing to do and ends at once.",
        "Pass the function without calling it, and join the thread where its owner stops.",
    );
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

fn runs_nothing(facts: &Facts, kept: &Kept) -> bool {
    let made = facts.call(kept.made.call);
    made.is_some_and(|made| facts.runs_nothing(&made))
}

/// A thread class of this file whose own stop method waits for its end.
fn waits_for_itself(facts: &Facts, kept: &Kept) -> bool {
    let class = facts
        .call(kept.made.call)
        .and_then(|call| facts.definition(call.function));
    class.is_some_and(|class| {
        facts.methods(class).any(|method| {
            let name = facts.scope_name(method).unwrap_or("");
            let stops = matches!(name, "stop" | "close" | "terminate" | "shutdown");
            stops
                && facts
                    .calls_within(facts.scope(method).span)
                    .any(|call| matches!(call.method(), Some("join" | "wait")))
        })
    })
}

/// The target works in a loop, or the class has a way to stop it.
fn is_long_running(
    facts: &Facts,
    kept: &Kept,
    class: Option<ScopeId>,
    stop: Option<ScopeId>,
) -> bool {
    match target(facts, kept) {
        Some(target) => facts.works_in_loop(target),
        None => stop.is_some() || class.is_some_and(|class| has_event(facts, class)),
    }
}

/// Methods that end their owner. `join` is one too, but its very purpose is to wait.
const STOPS: &[&str] = &[
    "terminate",
    "stop",
    "close",
    "shutdown",
    "release",
    "dispose",
    "cleanup",
];

/// The method that ends the owner, as far as it is shown.
pub(super) fn stop_method(facts: &Facts, class: ScopeId) -> Option<ScopeId> {
    STOPS
        .iter()
        .chain(&["aclose", "__exit__", "__aexit__", "join"])
        .find_map(|name| facts.method(class, name))
}

/// The function of this file that the thread runs.
fn target(facts: &Facts, kept: &Kept) -> Option<ScopeId> {
    facts.thread_target(&facts.call(kept.made.call)?)
}

fn has_event(facts: &Facts, class: ScopeId) -> bool {
    let mut calls = facts.calls_of_class(class);
    calls.any(|call| facts.constructs(&call) == Some(Kind::Event))
}

/// A join without a timeout, of a thread that can wait for ever itself.
fn endless_join(facts: &Facts, kept: &Kept, join: Span) -> Option<StmtId> {
    let call = facts
        .calls_within(Span {
            start: join.start,
            end: u32::MAX,
        })
        .next()?;
    let place = facts.function_name(call.stmt()).unwrap_or("");
    if !STOPS.contains(&place.trim_start_matches('_')) && place != "__exit__" {
        return None;
    }
    let untimed = call.method() == Some("join") && call.args.is_empty();
    let target = facts.thread_target(&facts.call(kept.made.call)?)?;
    let wait = facts.unbounded_wait_in(target).filter(|_| untimed)?;
    (!is_woken(facts, wait, &call)).then_some(wait)
}

/// Before the join something is put into the queue that the thread waits at: it wakes up, and sees that it should end.
fn is_woken(facts: &Facts, wait: StmtId, join: &Call<'_>) -> bool {
    let waited: Vec<String> = facts
        .calls_in(wait)
        .filter(|call| call.method() == Some("get"))
        .filter_map(|call| facts.dotted(call.receiver()?))
        .collect();
    let wakes = |put: &Call<'_>| {
        let queue = put.receiver().and_then(|queue| facts.dotted(queue));
        let puts = matches!(put.method(), Some("put" | "put_nowait"));
        puts && queue.is_some_and(|queue| waited.contains(&queue))
    };
    let mut puts = facts.calls_of(join.scope()).filter(wakes);
    puts.any(|put| facts.always_before(put.stmt(), join.stmt()))
}

fn report_join(cx: &Context<'_>, stmt: StmtId, span: Span, wait: StmtId, out: &mut Outcome) {
    let words = Words::new(
        "The stop waits without a timeout for a thread that can wait for ever itself.",
        "If nothing arrives for the thread, neither its wait nor this join ends, and the shutdown hangs.",
        "Does something always end the thread's wait first, a sentinel for instance? If not, give one of the two a timeout.",
    );
    // A proxy hears of no flag: it ends with its context alone.
    let is_deaf =
        cx.facts.calls_in(wait).any(|call| call.is(PROXIES)) && cx.facts.sees_all_of(wait);
    let verdict = HitVerdict::sure_if(is_deaf && cx.facts.sees_all_of(stmt));
    let verdict = kept::unless_cold(cx, verdict);
    let hit = Hit::new(&CHECK, Anchor { stmt, span }, verdict, words);
    out.hits
        .push(hit.with_related(cx.facts.stmt(wait).head, "waits without a timeout"));
}

fn word(facts: &Facts, kept: &Kept, stop: Option<ScopeId>, proven: bool) -> Words {
    let name = kept.holder.text();
    let noun = kept.made.resource.noun();
    let message = match stop.and_then(|stop| facts.scope_name(stop)) {
        Some(stop) => format!("`{stop}` does not wait for the {noun} in `{name}`."),
        None => format!("Nothing shown joins the {noun} in `{name}`."),
    };
    let ask = if proven {
        format!(
            "Set the stop flag first, then `{name}.join(timeout=...)`, before what the {noun} uses is closed."
        )
    } else {
        format!(
            "Where is `{name}` joined? Look for it in the stop method, after the flag is set and before what the {noun} uses is closed."
        )
    };
    let why = if is_thread(&kept.made) {
        "The thread goes on for a while after the stop has returned, and works with sources, models or files that are being closed."
    } else {
        "The process goes on after the stop has returned, and nobody collects its exit: it stays in the process table, with its queues and devices held."
    };
    Words::new(message, why, ask)
}
