//! Queues, events, threads and processes waited for without a timeout on a hot path.

use super::ending::ends_by_itself;
use super::{
    asked, blocking_pops, children, handed, pipes, queue_never_drained, replies, streamers,
    websockets,
};
use crate::facts::{
    Bound, Call, ExprId, ExprKind, Facts, Heat, HeldUseKind, Holder, Keeper, Kind, StmtId,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbounded-queue-or-join",
    rule: 4,
    severity: Severity::Flag,
    references: &[],
    summary: "A queue, event, condition, thread or process is waited for without a timeout on a hot path.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    pipes::detect(cx, out);
    for call in cx.facts.calls() {
        if queue_never_drained::drained(cx.facts, &call).is_some() {
            continue;
        }
        let Some(bound) = untimed(cx.facts, &call) else {
            continue;
        };
        if bound == Bound::Forwarded
            && (!cx.facts.document.whole || asked::is_own_wait(cx.facts, &call))
        {
            // A caller in the lines that are not shown most likely gives the timeout.
            continue;
        }
        if bound == Bound::Unbounded && asked::is_asked_for(cx.facts, &call) {
            continue;
        }
        if !matches!(bound, Bound::Unbounded | Bound::Forwarded) {
            out.evidence(4, call.span(), "waits with a timeout");
        } else if (!ends_by_itself(cx.facts, &call) || is_only_asked_to_end(cx, &call))
            && is_sure_or_hot(cx, &call)
        {
            let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word(cx.facts, &call),
            ));
        }
    }
    handed::detect(cx, out);
    children::detect(cx, out);
    blocking_pops::detect(cx, out);
    streamers::detect(cx, out);
    websockets::detect(cx, out);
}

/// `worker.terminate(); worker.join()` where commands and requests pass: a process can put SIGTERM off for as long as it
/// likes. Who stops altogether has nothing else to do.
fn is_only_asked_to_end(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let of = call.receiver();
    let is_process = of.and_then(|of| facts.kind_of(of)) == Some(Kind::Process);
    let of = of.and_then(|of| facts.dotted(of));
    let before = || {
        let calls = facts.calls_of(call.scope());
        calls.filter(|other| other.span().start < call.span().start)
    };
    let to_it = |other: &Call<'_>| other.receiver().and_then(|of| facts.dotted(of)) == of;
    let asks = |other: Call<'_>| other.method() == Some("terminate") && to_it(&other);
    let sees =
        |other: Call<'_>| matches!(other.method(), Some("kill" | "is_alive" | "set" | "put"));
    is_process
        && call.method() == Some("join")
        && before().any(asks)
        && !before().any(sees)
        && !facts.in_finally(call.stmt())
        && facts.cleanup_place(call.stmt()).is_none()
        && facts.heat(call.stmt(), cx.profile) == Heat::Hot
}

/// What only its use makes a queue or an event is worth a look where requests and frames pass. So is a
/// coroutine's wait: one that nobody is shown to wait for may idle as long as it likes; and the wait for a child process,
/// which is all that a command line has to do.
fn is_sure_or_hot(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let by_use = call
        .receiver()
        .is_some_and(|receiver| cx.facts.rests_on_use(receiver));
    let of_child = call
        .receiver()
        .is_some_and(|receiver| cx.facts.kind_of(receiver) == Some(Kind::Subprocess));
    let of_task = replies::answer(cx.facts, call).is_some() || cx.facts.receives_message(call);
    let heat = cx.facts.heat(call.stmt(), cx.profile);
    // A helper method of a model or pipeline runs for each of its pages and frames.
    let serves = || cx.facts.is_helper_of_hot(call.scope(), cx.profile) || cx.facts.shows_routes();
    let helps = heat == Heat::Unknown && serves();
    let is_answer = heat == Heat::Unknown && is_answer_to_caller(cx.facts, call);
    !(by_use || of_child || of_task || call.is_awaited() || is_own_helper(cx.facts, call))
        || is_answer
        || heat == Heat::Hot
        || (of_child && helps)
        || children::reaches_out(cx.facts, call)
}

/// `for thread in threads: thread.join()` where the function itself has started them: it works on several threads, as
/// leaving an executor's `with` would.
fn is_own_helper(facts: &Facts, call: &Call<'_>) -> bool {
    let joined = call.receiver().filter(|_| call.method() == Some("join"));
    let name = joined.and_then(|thread| facts.name(thread));
    let mut calls = facts.calls_of(call.scope());
    name.is_some()
        && facts.in_loop(call.stmt())
        && calls.any(|start| {
            start.method() == Some("start")
                && start.receiver().and_then(|thread| facts.name(thread)) == name
                && start.span().start < call.span().start
        })
}

/// `await self._answers[key].wait()` with the caller's own key: one answer out of many, which somebody else has to give.
fn is_answer_to_caller(facts: &Facts, call: &Call<'_>) -> bool {
    let receiver = call.receiver().map(|of| &facts.expr(of).kind);
    let Some(ExprKind::Subscript { object, index }) = receiver else {
        return false;
    };
    let of_caller = |&key: &ExprId| facts.parameter(key).is_some();
    facts.self_attribute(*object).is_some() && index.iter().any(of_caller)
}

/// What a coroutine is handed to: it waits on an event loop then, and no thread does.
const HANDED_ON: &[&str] = &[
    "wait_for",
    "run_coroutine_threadsafe",
    "create_task",
    "ensure_future",
    "gather",
    "shield",
    "run_until_complete",
];

/// The bound of a blocking wait on a thread-side object. A name alone is no proof here: `process.get()` is common.
fn untimed(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    let receiver = call.receiver()?;
    if call.is_awaited() {
        return awaited_event(facts, call, receiver)
            .or_else(|| awaited_answer(facts, call, receiver))
            .or_else(|| children::awaited(facts, call, receiver));
    }
    // `yield event.wait()` of a coroutine of the older kind gives the wait to its loop.
    let parent = facts.expr(call.id).parent.map(|id| &facts.expr(id).kind);
    let is_yielded = matches!(parent, Some(ExprKind::Yield));
    if is_yielded || facts.is_given_to(call.id, HANDED_ON) || is_given_later(facts, call) {
        return None;
    }
    if let Some(bound) = replies::answer(facts, call) {
        return Some(bound);
    }
    if facts.receives_message(call) {
        return Some(Bound::Unbounded);
    }
    let kind = facts.kind_of(receiver)?;
    match (call.method()?, kind) {
        ("recv" | "recv_bytes", Kind::PipeEnd) if call.args.is_empty() => {
            (!is_polled(facts, call, receiver)).then_some(Bound::Unbounded)
        }
        ("get", Kind::Queue) if !is_non_blocking(facts, call, 0) => {
            Some(facts.bound(call, 1, "timeout"))
        }
        ("put", Kind::Queue) if blocking_pops::fills_bounded(facts, call) => Some(Bound::Unbounded),
        ("wait", Kind::Event | Kind::Condition | Kind::Barrier) => {
            Some(facts.bound(call, 0, "timeout"))
        }
        ("wait_for", Kind::Condition) => Some(facts.bound(call, 1, "timeout")),
        ("join", Kind::Process | Kind::Thread) => Some(facts.bound(call, 0, "timeout")),
        ("communicate" | "wait", Kind::Subprocess)
            if children::is_collected(facts, call, receiver)
                || children::is_installer(facts, receiver)
                || children::was_read_out(facts, call, receiver) =>
        {
            None
        }
        ("communicate", Kind::Subprocess) => Some(facts.bound(call, 1, "timeout")),
        ("wait", Kind::Subprocess) => Some(facts.bound(call, 0, "timeout")),
        _ => None,
    }
}

/// Something in the same function asks before whether there is anything to receive.
fn is_polled(facts: &Facts, call: &Call<'_>, end: ExprId) -> bool {
    let name = facts.dotted(end);
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let asks = |other: &Call<'_>| {
        let of = other.receiver().and_then(|of| facts.dotted(of));
        (other.method() == Some("poll") && of == name) || matches!(other.name(), "wait" | "select")
    };
    // `await self._input_is_there()` of the same object may ask as well.
    let below = |other: &Call<'_>| {
        let inner = facts.callee_scope(other);
        inner.is_some_and(|inner| facts.calls_of(inner).any(|deep| asks(&deep)))
    };
    let mut calls = facts.calls_of(function);
    calls.any(|other| other.id != call.id && (asks(&other) || below(&other)))
        || asked::is_own_name(facts, call)
}

/// `waiting = self._ready.wait()`, and `await asyncio.wait_for(waiting, timeout)` a few lines later. What is handed to
/// `asyncio.wait` is a coroutine as well.
fn is_given_later(facts: &Facts, call: &Call<'_>) -> bool {
    let hands_on = |given: &Call<'_>| {
        HANDED_ON.contains(&given.name()) || given.is(&["asyncio.wait", "asyncio.as_completed"])
    };
    let mut outer = std::iter::successors(facts.expr(call.id).parent, |&at| facts.expr(at).parent);
    if outer.any(|at| facts.call(at).is_some_and(|given| hands_on(&given))) {
        return true;
    }
    let (Keeper::Holder(holder) | Keeper::Element(holder)) = facts.keeper_of(call.id) else {
        return false;
    };
    let is_local = matches!(holder, Holder::Local { .. });
    is_local
        && facts.uses_of(&holder).iter().any(|of| match of.kind {
            HeldUseKind::Passed(given) => facts.call(given).is_some_and(|given| hands_on(&given)),
            _ => false,
        })
}

/// `await self._ready.wait()`: an event of asyncio takes no timeout, so what bounds it stands around it.
/// Waiting for the end is what a service does all the time.
fn awaited_event(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> Option<Bound> {
    let is_event = facts.kind_of(receiver) == Some(Kind::AsyncEvent)
        || facts
            .last_name(receiver)
            .is_some_and(|name| topic::has_word(name, "event"))
        || is_one_of_events(facts, receiver);
    let waits = call.method() == Some("wait") && call.args.is_empty();
    (waits
        && is_event
        && !says_end(facts, receiver)
        && !is_bounded_around(facts, call)
        && !is_set_by_reader(facts, receiver))
    .then_some(Bound::Unbounded)
}

/// `loop.add_reader(pipe, event.set)`: a file that can be read sets it, and the end of the other side makes it readable.
fn is_set_by_reader(facts: &Facts, event: ExprId) -> bool {
    let event = facts.dotted(event);
    facts.calls_named("add_reader").any(|call| {
        let callback = call.arg(1, "callback").and_then(|set| facts.attribute(set));
        callback.is_some_and(|(of, name)| name == "set" && facts.dotted(of) == event)
    })
}

/// `self._answers[key]` of a `defaultdict(asyncio.Event)`.
fn is_one_of_events(facts: &Facts, receiver: ExprId) -> bool {
    let ExprKind::Subscript { object, .. } = facts.expr(receiver).kind else {
        return false;
    };
    let made = facts.values(object).into_iter();
    made.filter_map(|value| facts.call(value)).any(|call| {
        let factory = call.positional(0).filter(|_| call.name() == "defaultdict");
        factory.is_some_and(|factory| facts.is_one_of(factory, &["asyncio.Event"]))
    })
}

/// `await answers.get()` of a queue that this coroutine sent along with its question.
fn awaited_answer(facts: &Facts, call: &Call<'_>, queue: ExprId) -> Option<Bound> {
    let gets = call.method() == Some("get") && call.args.is_empty();
    let is_queue = facts.kind_of(queue) == Some(Kind::AsyncQueue);
    (gets
        && is_queue
        && !is_subscription(facts, call, queue)
        && replies::goes_with_question(facts, call)
        && !is_bounded_around(facts, call))
    .then_some(Bound::Unbounded)
}

/// The queue of one listener, which it takes out of the listeners in the end: it idles as long as nothing happens.
fn is_subscription(facts: &Facts, call: &Call<'_>, queue: ExprId) -> bool {
    let takes_back = |other: Call<'_>| {
        let ends = matches!(other.method(), Some("remove" | "discard" | "unsubscribe"));
        ends && other
            .positional(0)
            .is_some_and(|given| facts.name(given) == facts.name(queue))
    };
    facts.in_loop(call.stmt()) && facts.calls_of(call.scope()).any(takes_back)
}

pub(super) fn says_end(facts: &Facts, event: ExprId) -> bool {
    facts.last_name(event).is_some_and(|name| {
        topic::has_word(
            name,
            "stop stopped stopping shutdown exit quit terminate termination closed \
             closing close cancel cancelled done finished wake wakeup",
        )
    })
}

/// A limit around the call, or on what it gives: `wait_for(...)`, `async with timeout(...)`.
pub(super) fn is_bounded_outside(facts: &Facts, call: &Call<'_>) -> bool {
    facts.is_given_to(call.id, &["wait_for", "wait"])
        || is_given_later(facts, call)
        || is_bounded_around(facts, call)
}

/// Inside `async with asyncio.timeout(...)`.
fn is_bounded_around(facts: &Facts, call: &Call<'_>) -> bool {
    is_limited_around(facts, call.stmt())
}

pub(super) fn is_limited_around(facts: &Facts, stmt: StmtId) -> bool {
    let bounds = |name| {
        matches!(
            name,
            "timeout" | "timeout_at" | "fail_after" | "move_on_after"
        )
    };
    facts
        .with_items(stmt)
        .filter_map(|(_, item)| facts.call(item.context))
        .any(|call| bounds(call.name()))
}

fn is_non_blocking(facts: &Facts, call: &Call<'_>, n: usize) -> bool {
    call.arg(n, "block")
        .is_some_and(|block| matches!(facts.expr_text(block), "False" | "0"))
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.function);
    Words::new(
        format!("`{what}()` blocks until the other side acts."),
        "If the thread or process that should answer has died or hangs, this path never comes back.",
        "What ends this wait when the other side is gone? A timeout, a sentinel or a liveness check would.",
    )
}
