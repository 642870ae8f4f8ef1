//! A task that only the event loop knows, and the loop holds it weakly.

use super::kept;
use crate::facts::{Call, ExprId, ExprKind, Facts, Holder, Keeper, Kind, Proof, ScopeId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "task-reference-dropped",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "The task that `create_task` or `ensure_future` returns is neither kept nor awaited.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(proof) = makes_task(cx.facts, &call) else {
            continue;
        };
        if !is_forgotten(cx.facts, &call) {
            out.evidence(3, call.span(), "the task is kept");
            continue;
        }
        if coroutine(cx.facts, &call).is_some_and(|runs| ends_at_once(cx.facts, runs)) {
            continue;
        }
        let verdict = match proof {
            Proof::Proven => HitVerdict::Violation,
            Proof::Named => HitVerdict::Look,
        };
        let verdict = kept::unless_cold(cx, verdict);
        let mut hit = Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call));
        hit.subject = started(cx.facts, &call);
        out.hits.push(hit);
    }
}

/// A call that starts a task and leaves its keeping to the caller. A task group keeps its own.
fn makes_task(facts: &Facts, call: &Call<'_>) -> Option<Proof> {
    if call.is(&["asyncio.create_task", "asyncio.ensure_future"]) {
        return Some(Proof::Proven);
    }
    let receiver = call.receiver()?;
    let found = facts.type_of(receiver)?;
    (call.method() == Some("create_task") && found.is(Kind::EventLoop)).then_some(found.proof)
}

/// The name of what the task runs: where a rewritten line starts another coroutine, it was not so before.
fn started(facts: &Facts, call: &Call<'_>) -> Option<String> {
    let coroutine = facts.call(call.positional(0)?)?;
    Some(coroutine.name().to_string())
}

/// The coroutine of this file that the task runs.
fn coroutine(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let made = facts.call(call.positional(0)?)?;
    let function = facts.function_called(&made)?;
    facts.is_async(function).then_some(function)
}

/// It waits for nothing but room in a queue that has no limit, so it never suspends: the loop's list of what is ready
/// holds the task until it is done.
fn ends_at_once(facts: &Facts, function: ScopeId) -> bool {
    let puts = |awaited: ExprId| {
        let put = facts
            .call(awaited)
            .filter(|put| put.method() == Some("put"));
        put.and_then(|put| put.receiver()).is_some_and(|queue| {
            facts.kind_of(queue) == Some(Kind::AsyncQueue) && !facts.has_maximum(queue)
        })
    };
    let suspends = |stmt| {
        let mut awaited = facts
            .exprs_of(stmt)
            .filter_map(|id| match facts.expr(id).kind {
                ExprKind::Await(awaited) => Some(awaited),
                _ => None,
            });
        let enters = matches!(
            facts.stmt(stmt).kind,
            StmtKind::For { is_async: true, .. } | StmtKind::With { is_async: true, .. }
        );
        enters || awaited.any(|awaited| !puts(awaited))
    };
    facts.is_visible(function) && !facts.statements_of(function).any(suspends)
}

/// Its result is dropped, or bound to a local name that nothing reads.
fn is_forgotten(facts: &Facts, call: &Call<'_>) -> bool {
    if call.is_awaited() {
        return false;
    }
    match facts.keeper_of(call.id) {
        Keeper::Dropped => true,
        Keeper::Inline(method) => facts.call(method).is_some_and(|method| {
            method.is_dropped() && method.method() == Some("add_done_callback")
        }),
        Keeper::Holder(holder @ Holder::Local { .. }) => {
            let reads_are_seen = facts.sees_all_of(call.stmt()) || is_thrown_away(facts, call);
            !lives_over_yield(facts, call)
                && reads_are_seen
                && facts.mentions_of(&holder).len() == 1
                && is_plain(facts, call)
        }
        _ => false,
    }
}

/// A generator that yields later keeps its locals until it goes on: a lifespan's task is alive while the server runs.
fn lives_over_yield(facts: &Facts, call: &Call<'_>) -> bool {
    let scope = call.scope();
    let mut later = facts.statements_of(scope);
    facts.scope(scope).is_generator
        && later.any(|stmt| stmt > call.stmt() && facts.yields(stmt))
        && !is_thrown_away(facts, call)
}

/// `_ = asyncio.create_task(...)`: the name itself says that nothing reads it.
fn is_thrown_away(facts: &Facts, call: &Call<'_>) -> bool {
    match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign { targets, .. } => targets
            .first()
            .and_then(|&target| facts.name(target))
            .is_some_and(|name| matches!(name, "_" | "__")),
        _ => false,
    }
}

fn is_plain(facts: &Facts, call: &Call<'_>) -> bool {
    matches!(&facts.stmt(call.stmt()).kind, StmtKind::Assign { targets, .. } if targets.len() == 1)
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!("Nobody keeps the task that `{}` starts.", call.name()),
        "The event loop holds tasks weakly: this one can be collected before it is done, and its error is never seen. Nothing can cancel it at shutdown either.",
        "Keep the task in a field or a set that its done callback clears, and cancel it where the owner stops.",
    )
}
