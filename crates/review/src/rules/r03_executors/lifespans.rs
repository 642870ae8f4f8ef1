//! Looping tasks that a server's lifespan starts before its `yield`, and does not end behind it.

use super::kept;
use super::task_not_cancelled::{CHECK, endless, makes_task};
use crate::facts::{Call, ExprId, Facts, ScopeId, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| makes_task(call)) {
        let lifespan = facts
            .function_of(call.scope())
            .filter(|&function| is_lifespan(facts, function) && call.scope() == function);
        let Some((outer, stop)) = lifespan.and_then(|function| left(facts, &call, function)) else {
            continue;
        };
        report(cx, &call, outer, stop, out);
    }
}

/// `@asynccontextmanager async def lifespan(app): ... yield ...`.
fn is_lifespan(facts: &Facts, function: ScopeId) -> bool {
    let manages =
        |&decorator: &ExprId| facts.is_one_of(decorator, &["contextlib.asynccontextmanager"]);
    facts.is_async(function)
        && facts.scope(function).is_generator
        && facts.decorators(function).iter().any(manages)
}

/// The loop of the task, and the `yield` behind which nobody deals with it.
fn left(facts: &Facts, call: &Call<'_>, function: ScopeId) -> Option<(StmtId, Span)> {
    let outer = endless(facts, call)?;
    let stop = facts
        .statements_of(function)
        .find(|&stmt| stmt > call.stmt() && facts.yields(stmt))?;
    let name = kept_as(facts, call)?;
    let mentioned = facts.exprs_named(&name).any(|id| {
        let stmt = facts.expr(id).stmt;
        let in_function = facts.function_of(facts.expr(id).scope) == Some(function);
        in_function && stmt > call.stmt()
    });
    let is_grouped = call.receiver().is_some_and(|group| {
        facts
            .last_name(group)
            .is_some_and(|name| matches!(name, "tg" | "group" | "task_group"))
    });
    let shown = facts.is_visible(function);
    (shown && !mentioned && !is_grouped).then(|| (outer, facts.stmt(stop).head))
}

/// The last name of what keeps the task: `app.state.refresher`, `task`.
fn kept_as(facts: &Facts, call: &Call<'_>) -> Option<String> {
    match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == call.id => facts.last_name(*targets.first()?).map(str::to_owned),
        _ => None,
    }
}

fn report(cx: &Context<'_>, call: &Call<'_>, outer: StmtId, stop: Span, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = kept::unless_cold(cx, HitVerdict::Violation);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, word())
        .with_related(facts.stmt(outer).head, "the loop that nothing ends")
        .with_related(stop, "behind this nobody cancels it");
    hit.causes.extend([facts.stmt(outer).head, stop]);
    out.hits.push(hit);
}

fn word() -> Words {
    Words::new(
        "The lifespan starts a task that loops for ever, and does not cancel it behind its `yield`.",
        "At shutdown the task works on with what is being closed, and is torn down somewhere in the middle when the event loop ends.",
        "Behind the `yield`, in a `finally`: cancel the task, and await it with its `CancelledError` suppressed.",
    )
}
