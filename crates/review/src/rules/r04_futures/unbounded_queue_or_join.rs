//! Queues, events, threads and processes waited for without a timeout on a hot path.

use super::worklists::{is_known_to_hold, is_worklist};
use super::{pipes, replies};
use crate::facts::{
    Bound, Call, ExprId, ExprKind, Facts, Heat, HeldUseKind, Holder, Keeper, Kind, ScopeId, StmtId,
    StmtKind,
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
        let Some(bound) = untimed(cx.facts, &call) else {
            continue;
        };
        if bound == Bound::Forwarded && (!cx.facts.document.whole || is_own_wait(cx.facts, &call)) {
            // A caller in the lines that are not shown most likely gives the timeout.
            continue;
        }
        if bound == Bound::Unbounded && is_callers_choice(cx.facts, &call) {
            continue;
        }
        if !matches!(bound, Bound::Unbounded | Bound::Forwarded) {
            out.evidence(4, call.span(), "waits with a timeout");
        } else if !ends_by_itself(cx.facts, &call) && is_sure_or_hot(cx, &call) {
            let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word(cx.facts, &call),
            ));
        }
    }
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
    let of_task = replies::answer(cx.facts, call).is_some();
    !(by_use || of_child || of_task || call.is_awaited())
        || cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot
}

/// `def wait(self, timeout=None)`: a primitive of the file's own that hands its caller's timeout on. Who calls it
/// without one is judged there.
fn is_own_wait(facts: &Facts, call: &Call<'_>) -> bool {
    let function = facts.function_of(call.scope());
    let name = function.and_then(|function| facts.scope_name(function));
    let waits = name.is_some_and(|name| {
        let first = topic::words(name).next().unwrap_or_default();
        let verb = matches!(
            &*first,
            "wait" | "join" | "get" | "put" | "take" | "poll" | "recv"
        );
        verb && !name.starts_with('_')
    });
    let is_method = function.is_some_and(|function| facts.class_of(function).is_some());
    waits && is_method
}

/// The `else` of `if timeout is not None:` over the function's own parameter: waiting for ever is what its caller asked
/// for.
fn is_callers_choice(facts: &Facts, call: &Call<'_>) -> bool {
    let asks_parameter = |test: ExprId| {
        facts.within(test).any(|id| {
            let is_limit = facts
                .name(id)
                .is_some_and(|name| topic::says(name, "timeout") || topic::says(name, "deadline"));
            is_limit
                && facts
                    .parameter(id)
                    .is_some_and(|(_, param)| param.default.is_some())
        })
    };
    facts.ancestors(call.stmt()).any(|around| {
        matches!(facts.stmt(around.stmt).kind, StmtKind::If { test, .. } if asks_parameter(test))
    })
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
            .or_else(|| awaited_answer(facts, call, receiver));
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
    let kind = facts.kind_of(receiver)?;
    match (call.method()?, kind) {
        ("get", Kind::Queue) if !is_non_blocking(facts, call, 0) => {
            Some(facts.bound(call, 1, "timeout"))
        }
        ("wait", Kind::Event | Kind::Condition) => Some(facts.bound(call, 0, "timeout")),
        ("join", Kind::Process | Kind::Thread) => Some(facts.bound(call, 0, "timeout")),
        ("communicate", Kind::Subprocess) => Some(facts.bound(call, 1, "timeout")),
        ("wait", Kind::Subprocess) => Some(facts.bound(call, 0, "timeout")),
        _ => None,
    }
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
            .is_some_and(|name| topic::words(name).any(|word| word == "event"));
    let waits = call.method() == Some("wait") && call.args.is_empty();
    (waits && is_event && !says_end(facts, receiver) && !is_bounded_around(facts, call))
        .then_some(Bound::Unbounded)
}

/// `await answers.get()` of a queue that this coroutine sent along with its question.
fn awaited_answer(facts: &Facts, call: &Call<'_>, queue: ExprId) -> Option<Bound> {
    let gets = call.method() == Some("get") && call.args.is_empty();
    let is_queue = facts.kind_of(queue) == Some(Kind::AsyncQueue);
    (gets
        && is_queue
        && replies::goes_with_question(facts, call)
        && !is_bounded_around(facts, call))
    .then_some(Bound::Unbounded)
}

fn says_end(facts: &Facts, event: ExprId) -> bool {
    facts.last_name(event).is_some_and(|name| {
        topic::words(name).any(|word| {
            matches!(
                &*word,
                "stop"
                    | "stopped"
                    | "stopping"
                    | "shutdown"
                    | "exit"
                    | "quit"
                    | "terminate"
                    | "termination"
                    | "closed"
                    | "closing"
                    | "close"
                    | "cancel"
                    | "cancelled"
                    | "done"
                    | "finished"
                    | "wake"
                    | "wakeup"
            )
        })
    })
}

/// Inside `async with asyncio.timeout(...)`.
fn is_bounded_around(facts: &Facts, call: &Call<'_>) -> bool {
    let bounds = |name| {
        matches!(
            name,
            "timeout" | "timeout_at" | "fail_after" | "move_on_after"
        )
    };
    facts
        .with_items(call.stmt())
        .filter_map(|(_, item)| facts.call(item.context))
        .any(|call| bounds(call.name()))
}

fn is_non_blocking(facts: &Facts, call: &Call<'_>, n: usize) -> bool {
    call.arg(n, "block")
        .is_some_and(|block| facts.expr_text(block) == "False")
}

/// A consumer's loop ends on a sentinel (tested in it, or by its own head: `while (x := q.get()) is not END`), and a join follows the stop that makes the thread end.
fn ends_by_itself(facts: &Facts, call: &Call<'_>) -> bool {
    match call.method() {
        Some("get") => {
            let is_test = matches!(facts.stmt(call.stmt()).kind, StmtKind::While { test, .. }
                if matches!(facts.expr(test).kind, ExprKind::Compare { .. }));
            let outer = facts.innermost_loop(call.stmt());
            is_test
                || outer.is_some_and(|outer| {
                    leaves_on_sentinel(facts, outer)
                        && !replies::waits_for_reply(facts, call, outer)
                        && !replies::goes_with_question(facts, call)
                })
                || outer.is_some_and(|outer| is_worklist(facts, call, outer))
                || waits_for_work(facts, call)
                || is_known_to_hold(facts, call)
        }
        Some("join") => stop_was_sent(facts, call) || flag_was_set(facts, call),
        Some("wait") => matches!(facts.stmt(call.stmt()).kind, StmtKind::While { .. }),
        _ => false,
    }
}

/// The loop has an `if x is None: break` or the like.
fn leaves_on_sentinel(facts: &Facts, outer: StmtId) -> bool {
    let blocks = facts.blocks(outer);
    blocks
        .into_iter()
        .flat_map(|(_, block)| facts.statements_in(block))
        .any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => {
                facts.always_leaves(body)
                    && matches!(facts.expr(*test).kind, ExprKind::Compare { .. })
            }
            _ => false,
        })
}

/// In the same function an event was set, a sentinel put, or the process told to end, before the join.
fn stop_was_sent(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let before = facts
        .calls_within(facts.scope(function).span)
        .take_while(|other| other.span().start < call.span().start);
    before.into_iter().any(|other| {
        matches!(
            other.method(),
            Some("set" | "put" | "put_nowait" | "terminate" | "kill" | "stop" | "cancel" | "close")
        )
    })
}

/// The loop of a worker's own function idles at its queue: nobody waits for it, and how it ends is R3's matter.
/// Behind the loop it waits for the word to go, where the file shows who gives it. The loop may call another function for
/// each step.
fn waits_for_work(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let gives_word = || {
        let puts = |put: Call<'_>| {
            let given = put.positional(0).map(|given| &facts.expr(given).kind);
            matches!(given, Some(ExprKind::None)) && put.method().is_some()
        };
        facts.calls_named("put").any(puts) || facts.calls_named("put_nowait").any(puts)
    };
    let is_step = || {
        let of_worker = |call: Call<'_>| {
            let caller = facts.function_of(call.scope());
            let is_body = caller.is_some_and(|caller| facts.is_thread_body(caller));
            is_body && facts.in_loop(call.stmt())
        };
        let mut calls = facts.calls_to(function).peekable();
        calls.peek().is_some() && calls.all(of_worker)
    };
    let is_body = facts.is_thread_body(function);
    (is_body && (facts.in_loop(call.stmt()) || gives_word())) || is_step()
}

/// A flag of the object was set before, and the loop that asks for it never waits for long.
fn flag_was_set(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(class) = facts.class_of(call.scope()) else {
        return false;
    };
    let earlier = facts
        .statements_of(call.scope())
        .take_while(|&stmt| stmt < call.stmt());
    let flags: Vec<&str> = earlier.flat_map(|stmt| flags_set(facts, stmt)).collect();
    let polls = |method: ScopeId| {
        let asks = facts
            .statements_of(method)
            .any(|stmt| asks_for(facts, stmt, &flags));
        let sleeps = facts
            .calls_of(method)
            .any(|call| matches!(call.name(), "sleep" | "wait") && facts.in_loop(call.stmt()));
        // `should_stop` of the thread's function.
        let is_asked = facts
            .returns_of(method)
            .any(|value| reads_one(facts, value, &flags));
        is_asked || (asks && sleeps && facts.unbounded_wait_in(method).is_none())
    };
    !flags.is_empty() && facts.methods(class).any(polls)
}

/// The fields that a statement sets to a constant truth value.
fn flags_set(facts: &Facts, stmt: StmtId) -> Vec<&str> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if matches!(facts.expr(*value).kind, ExprKind::True | ExprKind::False) => {
            // `self._ending[source] = True` is a flag for each.
            let field = |&target: &ExprId| match facts.expr(target).kind {
                ExprKind::Subscript { object, .. } => facts.self_attribute(object),
                _ => facts.self_attribute(target),
            };
            targets.iter().filter_map(field).collect()
        }
        _ => Vec::new(),
    }
}

/// A loop's head, or a test in a loop, that reads one of the fields.
fn asks_for(facts: &Facts, stmt: StmtId, flags: &[&str]) -> bool {
    let test = match facts.stmt(stmt).kind {
        StmtKind::While { test, .. } => test,
        StmtKind::If { test, .. } if facts.in_loop(stmt) => test,
        _ => return false,
    };
    reads_one(facts, test, flags)
}

fn reads_one(facts: &Facts, id: ExprId, flags: &[&str]) -> bool {
    facts.within(id).any(|part| {
        let field = facts.self_attribute(part);
        field.is_some_and(|name| flags.contains(&name))
    })
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.function);
    Words::new(
        format!("`{what}()` blocks until the other side acts."),
        "If the thread or process that should answer has died or hangs, this path never comes back.",
        "What ends this wait when the other side is gone? A timeout, a sentinel or a liveness check would.",
    )
}
