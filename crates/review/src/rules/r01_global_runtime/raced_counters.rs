//! A counter that several workers of a pool add to with no lock.

use super::raced_containers::CHECK;
use super::torchscript::alone;
use crate::facts::{Call, ExprId, ExprKind, Facts, Handover, Reach, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.handovers().is_empty() {
        return;
    }
    for stmt in facts.stmt_ids() {
        if let Some(target) = added_to(facts, stmt)
            && let Some(handover) = facts.handover_of(stmt)
            && let Some(call) = facts.call(handover.call)
            && runs_often(facts, &call)
            && !is_kept_apart(facts, stmt, &handover)
        {
            judge(cx, stmt, target, &call, out);
        }
    }
}

/// `self.done += 1`, `TOTALS[kind] += n`: read, added and stored in three steps.
fn added_to(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let StmtKind::Assign {
        targets,
        augmented: true,
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let target = targets.first().copied()?;
    let is_shared = facts.reach(target) != Reach::Local;
    (is_shared && !is_of_worker(facts, target)).then_some(target)
}

/// An entry under a key that each worker has alone: its own parameter.
fn is_of_worker(facts: &Facts, target: ExprId) -> bool {
    match &facts.expr(target).kind {
        ExprKind::Subscript { index, .. } => index.iter().any(|&key| {
            facts
                .within(key)
                .any(|part| facts.parameter(part).is_some())
        }),
        _ => false,
    }
}

/// Handed over for each of many: by `map`, or in a loop.
fn runs_often(facts: &Facts, call: &Call<'_>) -> bool {
    let in_comprehension = || {
        let mut parents =
            std::iter::successors(facts.expr(call.id).parent, |&at| facts.expr(at).parent);
        parents.any(|at| matches!(facts.expr(at).kind, ExprKind::Comprehension { .. }))
    };
    let by_process = call
        .receiver()
        .is_some_and(|pool| is_of_processes(facts, pool));
    !by_process
        && (call.method() == Some("map") || facts.in_loop(call.stmt()) || in_comprehension())
}

/// Processes have each a counter of their own.
fn is_of_processes(facts: &Facts, pool: ExprId) -> bool {
    facts.makers_of(pool).into_iter().any(|made| {
        let callee = made.callee();
        let is_pool = callee.starts_with("multiprocessing.") && !callee.contains("dummy");
        callee.contains("Process") || is_pool
    })
}

fn is_kept_apart(facts: &Facts, stmt: StmtId, handover: &Handover) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    let by_callers = function.is_some_and(|function: ScopeId| {
        facts.callers_hold(function) == Some(true) || facts.builds(function)
    });
    facts.held_at(stmt).next().is_some()
        || by_callers
        || facts.runs_in_one_worker(handover.function)
        || !facts.sees_enclosure(stmt)
}

fn judge(cx: &Context<'_>, stmt: StmtId, target: ExprId, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = alone(cx, stmt).map_or(HitVerdict::Violation, HitVerdict::Excused);
    let what = facts.expr_text(target);
    let words = Words::new(
        format!("`{what}` is added to by several threads at once, with no lock."),
        "Adding reads, adds and stores in three steps: of two threads that read the same value one is lost, so the sum comes out too small, and not each time.",
        "Take a lock around it, or let each call return what it counted and add up where the results come together.",
    );
    let hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), verdict, words);
    out.hits
        .push(hit.with_related(call.span(), "several threads run it from here"));
}
