//! Queues, events, threads and processes waited for without a timeout on a hot path.

use crate::facts::{Bound, Call, ExprId, ExprKind, Facts, Heat, Kind, StmtId, StmtKind};
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
    for call in cx.facts.calls() {
        let Some(bound) = untimed(cx.facts, &call) else {
            continue;
        };
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
/// coroutine's wait: one that nobody is shown to wait for may idle as long as it likes.
fn is_sure_or_hot(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let by_use = call
        .receiver()
        .is_some_and(|receiver| cx.facts.rests_on_use(receiver));
    !(by_use || call.is_awaited()) || cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot
}

/// The bound of a blocking wait on a thread-side object. A name alone is no proof here: `process.get()` is common.
fn untimed(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    let receiver = call.receiver()?;
    if call.is_awaited() {
        return awaited_event(facts, call, receiver);
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
            is_test || outer.is_some_and(|outer| leaves_on_sentinel(facts, outer))
        }
        Some("join") => stop_was_sent(facts, call),
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

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = call
        .receiver()
        .map_or("it", |receiver| facts.expr_text(receiver));
    let method = call.method().unwrap_or("wait");
    Words::new(
        format!("`{what}.{method}()` blocks until the other side acts."),
        "If the thread or process that should answer has died or hangs, this path never comes back.",
        "What ends this wait when the other side is gone? A timeout, a sentinel or a liveness check would.",
    )
}
