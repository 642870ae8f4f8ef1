//! A counter that several workers of a pool, or several requests, add to with no lock.

use super::raced_containers::CHECK;
use super::torchscript::alone;
use crate::facts::{Call, ExprId, ExprKind, Facts, Reach, ScopeId, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let Some(target) = added_to(facts, stmt) else {
            continue;
        };
        if let Some(handover) = facts.handover_of(stmt)
            && let Some(call) = facts.call(handover.call)
            && runs_often(facts, &call)
            && !is_kept_apart(facts, stmt, handover.function)
        {
            judge(cx, stmt, target, call.span(), out);
        } else if let Some(route) = served_by_threads(facts, stmt, target)
            && !is_kept_apart(facts, stmt, route)
        {
            judge(cx, stmt, target, facts.scope(route).span, out);
        }
    }
}

/// The route whose plain function adds to what the module keeps: a framework runs those in a pool of threads. What it
/// imports may be a request's own (`g`, `session`).
fn served_by_threads(facts: &Facts, stmt: StmtId, target: ExprId) -> Option<ScopeId> {
    let function = facts.function_of(facts.stmt(stmt).scope)?;
    let is_shared = facts.reach(target).is_process_wide() && facts.imported_root(target).is_none();
    let is_number = match &facts.stmt(stmt).kind {
        StmtKind::Assign { value, .. } => value.is_some_and(|value| is_added_up(facts, value)),
        _ => false,
    };
    let counts = is_shared && is_number && facts.is_route(function) && !facts.is_async(function);
    counts.then_some(function)
}

/// Not a text or list that grows.
fn is_added_up(facts: &Facts, value: ExprId) -> bool {
    !matches!(
        facts.expr(value).kind,
        ExprKind::List(_)
            | ExprKind::Tuple(_)
            | ExprKind::Str(_)
            | ExprKind::FString(_)
            | ExprKind::Comprehension { .. }
    )
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

fn is_kept_apart(facts: &Facts, stmt: StmtId, entered: ScopeId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    let by_callers = function.is_some_and(|function: ScopeId| {
        facts.callers_hold(function) == Some(true) || facts.builds(function)
    });
    facts.held_at(stmt).next().is_some()
        || by_callers
        || facts.runs_in_one_worker(entered)
        || !facts.sees_enclosure(stmt)
}

fn judge(cx: &Context<'_>, stmt: StmtId, target: ExprId, from: Span, out: &mut Outcome) {
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
        .push(hit.with_related(from, "several threads run it from here"));
}
