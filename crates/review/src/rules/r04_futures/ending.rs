//! Waits that something shown brings to an end: a sentinel, a stop that was sent before, a flag that is polled.

use super::replies;
use super::worklists::{is_known_to_hold, is_worklist};
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, ScopeId, StmtId, StmtKind};

/// A consumer's loop ends on a sentinel (tested in it, or by its own head: `while (x := q.get()) is not END`), and a join follows the stop that makes the thread end.
pub(super) fn ends_by_itself(facts: &Facts, call: &Call<'_>) -> bool {
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
        Some("join") => {
            stop_was_sent(facts, call) || flag_was_set(facts, call) || was_found_dead(facts, call)
        }
        Some(
            "recv" | "recv_bytes" | "recv_multipart" | "recv_json" | "recv_string" | "recv_pyobj",
        ) => is_idling(facts, call),
        Some("wait") => matches!(facts.stmt(call.stmt()).kind, StmtKind::While { .. }),
        _ => false,
    }
}

/// A loop that takes one message after the other, as long as it is told to.
pub(super) fn is_idling(facts: &Facts, call: &Call<'_>) -> bool {
    let outer = facts.innermost_loop(call.stmt());
    outer.is_some_and(|outer| matches!(facts.stmt(outer).kind, StmtKind::While { .. }))
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
    // A loop that another thread stops by `loop.stop()` sleeps on until something else wakes it.
    let of_loop = |other: &Call<'_>| {
        let kind = other.receiver().and_then(|of| facts.kind_of(of));
        kind == Some(Kind::EventLoop)
    };
    before.into_iter().any(|other| {
        // `self._stop()` does so as well.
        let method = other.method().map(|name| name.trim_start_matches('_'));
        let stops = matches!(
            method,
            Some(
                "set"
                    | "put"
                    | "put_nowait"
                    | "terminate"
                    | "kill"
                    | "stop"
                    | "cancel"
                    | "close"
                    | "wakeup"
            )
        );
        (stops || sends_end(facts, &other)) && !of_loop(&other)
    })
}

/// `pipe.send(EXIT)`, `pipe.send(None)`, `self._request_stop()`, `engine["exit_loop"]()`.
fn sends_end(facts: &Facts, call: &Call<'_>) -> bool {
    let says = |name: &str| {
        let asks = topic::begins_with_word(name, "is was has should");
        !asks && topic::has_word(name, "exit sentinel stop shutdown quit terminate end")
    };
    let given = call.positional(0).filter(|_| call.method() == Some("send"));
    let is_sent = given.is_some_and(|given| {
        matches!(facts.expr(given).kind, ExprKind::None) || facts.last_name(given).is_some_and(says)
    });
    let by_key = || match &facts.expr(call.function).kind {
        ExprKind::Subscript { index, .. } => {
            index.iter().any(|&key| facts.string(key).is_some_and(says))
        }
        _ => says(call.name()),
    };
    is_sent || by_key()
}

/// Something in the function asked before whether it lives: the join collects what has ended.
fn was_found_dead(facts: &Facts, call: &Call<'_>) -> bool {
    let of = call.receiver().and_then(|of| facts.dotted(of));
    facts.calls_of(call.scope()).any(|other| {
        let same = of.is_some() && other.receiver().and_then(|of| facts.dotted(of)) == of;
        let asks = matches!(other.method(), Some("is_alive" | "poll"));
        same && asks && other.span().start < call.span().start
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
