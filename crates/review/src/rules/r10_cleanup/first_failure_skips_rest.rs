//! Several clean-up steps in a row: the first that raises skips the others.

use super::hooks;
use crate::facts::{Call, CleanupPlace, ExprId, Facts, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "first-failure-skips-rest",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "Clean-up steps stand in a row without protection, so the first failure skips the others.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    if cx.facts.idle_file(cx.profile).is_some() {
        return;
    }
    for scope in cx.facts.scope_ids() {
        judge(cx.facts, &cx.facts.scope(scope).body, out);
    }
    hooks::detect(cx, out);
    for stmt in cx.facts.stmt_ids() {
        match &cx.facts.stmt(stmt).kind {
            StmtKind::Try { finally, .. } => judge(cx.facts, finally, out),
            StmtKind::For { target, body, .. } => judge_loop(cx.facts, stmt, *target, body, out),
            _ => {}
        }
    }
}

/// The closing statements of one block, one after the other.
fn judge(facts: &Facts, block: &[StmtId], out: &mut Outcome) {
    let steps = steps(facts, block);
    let risky = steps.iter().position(|&step| can_fail(facts, step));
    let Some((&first, later)) = risky.and_then(|at| steps.get(at..)?.split_first()) else {
        return;
    };
    // What a caller handed in can raise anything; then every later step counts.
    let closed = closed_by(facts, first);
    let mut others = later.to_vec();
    others.retain(|&step| closed_by(facts, step) != closed);
    let rest = match others.as_slice() {
        [] if closes_foreign(facts, first) => facts.following(first),
        rest => rest,
    };
    if rest.is_empty() {
        return;
    }
    if facts.cleanup_place(first).is_some() && !is_guarded(facts, first) {
        report(facts, first, rest, out);
    }
}

/// `for model in self._models.values(): model.close()` in a method that closes: the first that raises leaves the
/// others open.
fn judge_loop(facts: &Facts, stmt: StmtId, target: ExprId, body: &[StmtId], out: &mut Outcome) {
    let StmtKind::For { iter, .. } = facts.stmt(stmt).kind else {
        return;
    };
    let of_owner = facts
        .within(iter)
        .any(|id| facts.self_attribute(id).is_some());
    let in_closer = matches!(
        facts.cleanup_place(stmt),
        Some(CleanupPlace::Closer | CleanupPlace::Protocol)
    );
    let step = steps(facts, body).into_iter().find(|&step| {
        let mut calls = facts.calls_in(step);
        let closed = calls.find_map(|call| call.receiver().filter(|_| closes(&call)));
        closed.is_some_and(|closed| {
            let item = facts
                .name(closed)
                .filter(|&name| is_target(facts, target, name));
            item.is_some_and(|name| !is_calm(facts, closed, name) && is_telling(facts, step, name))
        })
    });
    if let Some(step) = step.filter(|_| of_owner && in_closer && !is_guarded(facts, stmt)) {
        let anchor = Anchor::stmt(facts, step);
        out.hits
            .push(Hit::new(&CHECK, anchor, HitVerdict::Look, word_loop()));
    }
}

fn is_target(facts: &Facts, target: ExprId, name: &str) -> bool {
    facts.within(target).any(|id| facts.name(id) == Some(name))
}

/// `stop()` alone says little: a timer has one as well as a camera. What is stopped has to have another side.
fn is_telling(facts: &Facts, step: StmtId, name: &str) -> bool {
    let only_stops = facts
        .calls_in(step)
        .any(|call| call.method() == Some("stop"));
    let more = [
        "source", "stream", "model", "session", "comm", "backend", "plugin", "detector", "camera",
        "device", "node", "server", "sink",
    ];
    let mut words = PEERS.iter().chain(&more);
    !only_stops || words.any(|word| topic::says(name, word))
}

/// Closing a file, a thread or a pool does not raise in practice.
fn is_calm(facts: &Facts, closed: ExprId, name: &str) -> bool {
    let by_kind = facts.kind_of(closed).is_some_and(|kind| {
        !matches!(
            kind,
            Kind::Client | Kind::Redis | Kind::MediaContainer | Kind::SharedMemory | Kind::Socket
        )
    });
    let calm = [
        "file", "thread", "worker", "executor", "pool", "timer", "capture", "cap", "writer",
        "event", "lock", "process", "proc", "task", "handle", "camera",
    ];
    by_kind || calm.iter().any(|word| topic::says(name, word))
}

pub(super) fn is_guarded(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .handlers_around(stmt)
        .any(|handler| !facts.reraises(handler))
}

/// The unprotected closing statements of one block, in order.
fn steps(facts: &Facts, block: &[StmtId]) -> Vec<StmtId> {
    let is_step = |stmt: &StmtId| match facts.stmt(*stmt).kind {
        StmtKind::Expr(expr) => facts.awaited_call(expr).is_some_and(|call| closes(&call)),
        _ => false,
    };
    block.iter().copied().filter(is_step).collect()
}

fn closes(call: &Call<'_>) -> bool {
    let receiver = call.receiver().is_some();
    receiver
        && matches!(
            call.method(),
            Some(
                "close"
                    | "release"
                    | "stop"
                    | "terminate"
                    | "shutdown"
                    | "disconnect"
                    | "cleanup"
                    | "unlink"
                    | "aclose"
            )
        )
}

/// Closing a connection or container talks to the other side, which may be gone; what a caller handed in may do
/// anything.
fn can_fail(facts: &Facts, stmt: StmtId) -> bool {
    facts.calls_in(stmt).any(|call| {
        let leaves_peer = matches!(call.method(), Some("disconnect" | "unsubscribe" | "logout"));
        let Some(receiver) = call.receiver() else {
            return false;
        };
        let named = || {
            facts
                .last_name(receiver)
                .is_some_and(|name| PEERS.iter().any(|word| topic::says(name, word)))
        };
        match facts.kind_of(receiver) {
            _ if leaves_peer => true,
            Some(kind) => matches!(
                kind,
                Kind::Client
                    | Kind::Redis
                    | Kind::MediaContainer
                    | Kind::SharedMemory
                    | Kind::HttpSession
            ),
            None => named() || facts.is_handed_in(receiver),
        }
    })
}

/// What a step closes, as it is written.
fn closed_by(facts: &Facts, stmt: StmtId) -> Option<String> {
    let mut calls = facts.calls_in(stmt);
    calls.find_map(|call| facts.dotted(call.receiver()?))
}

fn closes_foreign(facts: &Facts, stmt: StmtId) -> bool {
    facts.calls_in(stmt).any(|call| {
        call.receiver().is_some_and(|receiver| {
            facts.kind_of(receiver).is_none() && facts.is_handed_in(receiver)
        })
    })
}

/// Names of things with another side.
const PEERS: &[&str] = &[
    "peer",
    "websocket",
    "ws",
    "connection",
    "conn",
    "client",
    "channel",
    "producer",
    "consumer",
    "broker",
    "redis",
    "mqtt",
];

fn report(facts: &Facts, first: StmtId, rest: &[StmtId], out: &mut Outcome) {
    let mut hit = Hit::new(
        &CHECK,
        Anchor::stmt(facts, first),
        HitVerdict::Look,
        word(rest.len()),
    );
    for &step in rest {
        hit.causes.push(facts.stmt(step).head);
    }
    if let Some(&next) = rest.first() {
        hit = hit.with_related(facts.stmt(next).head, "skipped when the first one raises");
    }
    out.hits.push(hit);
}

fn word_loop() -> Words {
    Words::new(
        "One item of this clean-up loop that raises ends it, and the others stay as they are.",
        "What the later items hold stays open because an earlier one met a dead peer.",
        "Can this close raise? Then give it a `try` inside the loop that logs and goes on.",
    )
}

fn word(n_rest: usize) -> Words {
    let others = if n_rest == 1 {
        "one more step".to_string()
    } else {
        format!("{n_rest} more steps")
    };
    Words::new(
        format!("This step of the clean-up can raise, and {others} would be skipped."),
        "What the later steps should release stays open whenever the first one meets a dead peer.",
        "Can it raise here? Then protect each step by itself, or register them on an ExitStack.",
    )
}
