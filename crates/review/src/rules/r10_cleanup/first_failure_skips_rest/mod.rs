//! Several clean-up steps in a row: the first that raises skips the others.

mod items;
mod narrow_sweep;
mod swallowed;

use super::{hooks, last_work};
use crate::facts::{Call, ExprId, ExprKind, Facts, Handler, Kind, StmtId, StmtKind};
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
    last_work::detect(cx, out);
    for stmt in cx.facts.stmt_ids() {
        match &cx.facts.stmt(stmt).kind {
            StmtKind::Try {
                body,
                finally,
                handlers,
                ..
            } => {
                judge(cx.facts, finally, out);
                swallowed::judge_try(cx.facts, body, handlers, out);
                for handler in handlers.iter().filter(|one| hands_on(cx.facts, one)) {
                    judge(cx.facts, &handler.body, out);
                }
            }
            StmtKind::With { items, body, .. } => {
                swallowed::judge_with(cx.facts, items, body, out);
            }
            StmtKind::For { target, body, .. } => {
                items::judge(cx.facts, stmt, *target, body, out);
                narrow_sweep::judge(cx.facts, stmt, body, out);
            }
            _ => {}
        }
    }
}

/// The closing statements of one block, one after the other.
fn judge(facts: &Facts, block: &[StmtId], out: &mut Outcome) {
    let steps = steps(facts, block);
    // A step that asks first is no risk, but one that can be skipped.
    let acts = |step| matches!(facts.stmt(step).kind, StmtKind::Expr(_));
    let risky = steps
        .iter()
        .position(|&step| acts(step) && can_fail(facts, step));
    let Some((&first, later)) = risky.and_then(|at| steps.get(at..)?.split_first()) else {
        return;
    };
    // What a caller handed in can raise anything; then every later step counts.
    let closed = closed_by(facts, first);
    let mut others = later.to_vec();
    others.retain(|&step| closed_by(facts, step) != closed || lets_go(facts, first, step));
    let rest = match others.as_slice() {
        [] if closes_foreign(facts, first) => facts.following(first),
        rest => rest,
    };
    if rest.is_empty() {
        return;
    }
    let cleans = facts.cleanup_place(first).is_some()
        || is_close_without_head(facts, block, first)
        || facts
            .enclosing_handler(first)
            .is_some_and(|handler| hands_on(facts, handler));
    if cleans && !is_guarded(facts, first) {
        report(facts, first, rest, out);
    }
}

/// The function's head is not shown, and a field that says so was set before: `self._closed = True`,
/// `self._running = False`.
fn is_close_without_head(facts: &Facts, block: &[StmtId], first: StmtId) -> bool {
    let says = |target: &ExprId, words: &[&str]| {
        facts
            .self_attribute(*target)
            .is_some_and(|field| topic::words(field).any(|word| words.contains(&&*word)))
    };
    let notes = |stmt: &StmtId| match &facts.stmt(*stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => match facts.expr(*value).kind {
            ExprKind::True => targets.iter().any(|target| says(target, ENDED)),
            ExprKind::False => targets.iter().any(|target| says(target, ALIVE)),
            _ => false,
        },
        _ => false,
    };
    facts.function_name(first).is_none()
        && block.iter().take_while(|&&stmt| stmt < first).any(notes)
}

/// Words of fields that are set where something ends.
const ENDED: &[&str] = &[
    "closed",
    "closing",
    "stopped",
    "stopping",
    "disposed",
    "shutdown",
    "terminated",
];

/// Words of fields that are taken back there.
const ALIVE: &[&str] = &[
    "running",
    "started",
    "active",
    "connected",
    "opened",
    "alive",
    "open",
];

/// A handler for all errors that tidies up and raises again.
fn hands_on(facts: &Facts, handler: &Handler) -> bool {
    facts.catches_all(handler) && facts.reraises(handler)
}

pub(super) fn is_guarded(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .handlers_around(stmt)
        .any(|handler| !facts.reraises(handler))
}

/// The unprotected closing statements of one block, in order.
fn steps(facts: &Facts, block: &[StmtId]) -> Vec<StmtId> {
    let is_step = |stmt: &StmtId| match &facts.stmt(*stmt).kind {
        StmtKind::Expr(expr) => facts.awaited_call(*expr).is_some_and(|call| closes(&call)),
        _ => false,
    };
    // `if not channel.closed(): channel.close()`.
    let is_asked_step = |stmt: &StmtId| match &facts.stmt(*stmt).kind {
        StmtKind::If { body, orelse, .. } => {
            orelse.is_empty() && body.len() == 1 && body.iter().all(is_step)
        }
        _ => false,
    };
    let is_step = |stmt: &StmtId| is_step(stmt) || is_asked_step(stmt);
    block.iter().copied().filter(is_step).collect()
}

fn closes(call: &Call<'_>) -> bool {
    let of_many = matches!(
        call.method(),
        Some("unlink" | "stop_on_recv" | "loop_stop" | "stop_all" | "close_all" | "disconnect_all")
    );
    call.ends_receiver() || call.leaves_peer() || of_many
}

/// Closing a connection or container talks to the other side, which may be gone; what a caller handed in may do
/// anything.
fn can_fail(facts: &Facts, stmt: StmtId) -> bool {
    facts.calls_in(stmt).any(|call| {
        let leaves_peer = matches!(
            call.method(),
            Some("disconnect" | "unsubscribe" | "unsubscribe_all" | "disconnect_all" | "logout")
        );
        let Some(receiver) = call.receiver() else {
            return false;
        };
        let named = || {
            facts
                .last_name(receiver)
                .is_some_and(|name| PEERS.iter().any(|word| topic::says(name, word)))
        };
        match facts.kind_of(receiver) {
            _ if facts.answers_by_code(&call) => false,
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
    let acting = match &facts.stmt(stmt).kind {
        StmtKind::If { body, .. } => body.first().copied().unwrap_or(stmt),
        _ => stmt,
    };
    let mut calls = facts.calls_in(acting);
    calls.find_map(|call| facts.dotted(call.receiver()?))
}

/// `client.disconnect()` and then `client.loop_stop()`, `pubsub.unsubscribe()` and then `close()`: the goodbye fails with
/// the other side, and what the object holds by itself, its thread or its connection, stays.
fn lets_go(facts: &Facts, first: StmtId, later: StmtId) -> bool {
    let says = |step: StmtId, names: &[&str]| {
        let acting = match &facts.stmt(step).kind {
            StmtKind::If { body, .. } => body.first().copied().unwrap_or(step),
            _ => step,
        };
        let mut calls = facts.calls_in(acting);
        calls.any(|call| call.method().is_some_and(|name| names.contains(&name)))
    };
    let thread_stays = says(first, &["disconnect"]) && says(later, &["loop_stop"]);
    let leaves = says(first, &["unsubscribe", "logout"]);
    thread_stays || (leaves && says(later, &["close", "aclose", "shutdown"]))
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
