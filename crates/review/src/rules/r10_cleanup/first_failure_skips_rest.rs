//! Several clean-up steps in a row: the first that raises skips the others.

use crate::facts::{Call, CleanupPlace, Facts, Kind, StmtId, StmtKind};
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
    for scope in cx.facts.scope_ids() {
        let steps = steps(cx.facts, &cx.facts.scope(scope).body);
        let risky = steps.iter().position(|&step| can_fail(cx.facts, step));
        let Some((&first, rest)) = risky.and_then(|at| steps.get(at..)?.split_first()) else {
            continue;
        };
        let in_closer = cx
            .facts
            .cleanup_place(first)
            .is_some_and(|place| place != CleanupPlace::Finally);
        if !rest.is_empty() && in_closer && cx.facts.idle_file(cx.profile).is_none() {
            report(cx.facts, first, rest, out);
        }
    }
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

/// Closing a connection, container or process talks to the other side, which may be gone.
fn can_fail(facts: &Facts, stmt: StmtId) -> bool {
    facts.calls_in(stmt).any(|call| {
        let kind = call.receiver().and_then(|receiver| facts.kind_of(receiver));
        let leaves_peer = matches!(call.method(), Some("disconnect" | "unsubscribe" | "logout"));
        leaves_peer
            || matches!(
                kind,
                Some(
                    Kind::Client
                        | Kind::Redis
                        | Kind::MediaContainer
                        | Kind::SharedMemory
                        | Kind::HttpSession
                )
            )
    })
}

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
