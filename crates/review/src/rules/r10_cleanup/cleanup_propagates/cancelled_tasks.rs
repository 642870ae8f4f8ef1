//! A task that is cancelled and then awaited: the cancellation comes out of the clean-up that asked for it.

use super::CHECK;
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for stmt in facts.stmt_ids() {
        let Some(task) = awaited(facts, stmt).filter(|_| facts.cleanup_place(stmt).is_some())
        else {
            continue;
        };
        let is_met = || facts.is_caught(stmt, &["CancelledError", "BaseException"]);
        if let Some(cancel) = cancelled_before(facts, stmt, task).filter(|_| !is_met()) {
            report(facts, stmt, task, &cancel, out);
        }
    }
}

/// What `await task`, `await wait_for(task, 5)` or `await gather(*tasks)` waits for.
fn awaited(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let StmtKind::Expr(value) = facts.stmt(stmt).kind else {
        return None;
    };
    let ExprKind::Await(inner) = facts.expr(value).kind else {
        return None;
    };
    match facts.call(inner) {
        None => Some(inner),
        Some(call) if matches!(call.name(), "wait_for" | "gather") => {
            let tolerant = call.keyword("return_exceptions").is_some();
            call.args.first().map(|arg| arg.value).filter(|_| !tolerant)
        }
        Some(_) => None,
    }
}

/// `task.cancel()` on the way to the wait, or `for task in tasks: task.cancel()`.
fn cancelled_before<'f>(facts: &'f Facts, stmt: StmtId, task: ExprId) -> Option<Call<'f>> {
    let name = facts.dotted(task)?;
    let is_it = |of: ExprId| {
        let walked = |iter: ExprId| facts.dotted(iter).as_ref() == Some(&name);
        facts.dotted(of).as_ref() == Some(&name)
            || facts.bindings_behind(of).iter().any(
                |binding| matches!(binding.kind, BindingKind::Loop { iter, .. } if walked(iter)),
            )
    };
    let leads_here = |at: StmtId| {
        let around = facts.ancestors(at).map(|around| around.stmt);
        !facts.always_leaves(facts.following(at))
            && around
                .chain([at])
                .any(|outer| facts.always_before(outer, stmt))
    };
    let scope = facts.stmt(stmt).scope;
    let mut calls = facts.calls_named("cancel");
    calls.find(|call| {
        call.method().is_some()
            && call.scope() == scope
            && call.receiver().is_some_and(is_it)
            && leads_here(call.stmt())
    })
}

/// The coroutine that the task runs, if it is shown.
fn coroutine(facts: &Facts, task: ExprId) -> Option<ScopeId> {
    let mut makers = facts
        .values(task)
        .into_iter()
        .filter_map(|value| facts.call(value));
    makers.find_map(|maker| {
        let run = facts.call(maker.positional(0)?)?;
        facts.callee_scope(&run)
    })
}

/// It ends by itself when it is cancelled.
fn ends_quietly(facts: &Facts, coroutine: ScopeId) -> bool {
    facts.statements_of(coroutine).any(|stmt| {
        facts
            .handlers(stmt)
            .iter()
            .any(|handler| facts.catches_cancel(handler) && !facts.reraises(handler))
    })
}

fn report(facts: &Facts, stmt: StmtId, task: ExprId, cancel: &Call<'_>, out: &mut Outcome) {
    let verdict = match coroutine(facts, task) {
        Some(run) if ends_quietly(facts, run) => return,
        Some(run) if facts.is_visible(run) && facts.sees_enclosure(stmt) => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    let words = word(&facts.shown(task));
    let hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), verdict, words);
    let mut hit = hit.with_related(cancel.span(), "cancelled here");
    hit.causes.push(cancel.span());
    out.hits.push(hit);
}

fn word(task: &str) -> Words {
    Words::new(
        format!("Waiting for `{task}` raises the cancellation that was just asked for."),
        "`CancelledError` is no `Exception`: it comes out of this clean-up, skips what follows, and the caller takes itself for cancelled.",
        "Does the task end without it? If not, wait in `suppress(asyncio.CancelledError)`, or gather with `return_exceptions=True`.",
    )
}
