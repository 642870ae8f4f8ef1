//! A helper thread that a function starts and stops itself, unless the work in between raises.

use super::kept;
use super::thread_without_stop_flag::is_thread;
use crate::facts::{Call, Facts, Fault, FaultKind, Made, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "thread-stopped-only-on-success",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A function's looping helper thread is told to stop only when the work beside it does not raise.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in cx.facts.made().iter().filter(|made| is_thread(made)) {
        let Some(target) = looping_target(cx.facts, made) else {
            continue;
        };
        match cx.facts.local_fault(made) {
            Some(fault) => report(cx, made, target, &fault, out),
            None if matches!(made.holder(), Some(crate::facts::Holder::Local { .. })) => {
                let span = cx.facts.expr(made.call).span;
                out.evidence(3, span, "the helper thread is stopped on every path");
            }
            None => {}
        }
    }
}

/// The target of the thread, where it loops until an event is set.
fn looping_target(facts: &Facts, made: &Made) -> Option<StmtId> {
    let target = facts.thread_target(&facts.call(made.call)?)?;
    facts
        .statements_of(target)
        .find(|&stmt| asks_for_end(facts, stmt, target))
}

/// `while not stop.is_set():`, `while not stop.wait(1):`, and `if stop.is_set(): break` in a loop.
fn asks_for_end(facts: &Facts, stmt: StmtId, target: ScopeId) -> bool {
    let test = match &facts.stmt(stmt).kind {
        StmtKind::While { test, .. } => *test,
        StmtKind::If { test, body, .. } if facts.in_loop(stmt) && facts.always_leaves(body) => {
            *test
        }
        _ => return false,
    };
    let asks = |call: Call<'_>| matches!(call.method(), Some("is_set" | "wait" | "isSet"));
    facts.stmt(stmt).scope == target && facts.within(test).filter_map(|id| facts.call(id)).any(asks)
}

fn report(cx: &Context<'_>, made: &Made, target: StmtId, fault: &Fault, out: &mut Outcome) {
    let FaultKind::Skipped(leak, closing) = &fault.kind else {
        return;
    };
    let facts = cx.facts;
    let verdict = HitVerdict::sure_if(fault.proven);
    let anchor = Anchor {
        stmt: made.stmt,
        span: facts.expr(made.call).span,
    };
    let anchor = kept::anchor(facts, anchor, fault);
    let mut hit = Hit::new(&CHECK, anchor, kept::unless_cold(cx, verdict), word(fault))
        .with_related(
            facts.stmt(leak.stmt).head,
            "leaves before the thread is stopped",
        )
        .with_related(closing.span, "stopped only here")
        .with_related(facts.stmt(target).head, "goes on until it is told");
    hit.causes.push(facts.stmt(leak.stmt).head);
    hit.causes.push(closing.span);
    out.hits.push(hit);
}

fn word(fault: &Fault) -> Words {
    let ask = if fault.proven {
        "Set the event and join in a `finally` around the work."
    } else {
        "Is the thread told to stop when the work raises? Setting the event and joining in a `finally` would show it."
    };
    Words::new(
        "The helper thread is stopped only when nothing raises in between.",
        "After an error it goes on for as long as the process lives, as a daemon, too: it works or reports for something that has ended long ago, and each failure adds another one.",
        ask,
    )
}
