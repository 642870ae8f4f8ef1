//! A looping task that an object keeps, and that its stop method does not end.

use super::thread_not_joined::stop_method;
use super::{kept, lifespans};
use crate::facts::{
    Call, ExprId, ExprKind, Facts, HeldUseKind, Holder, Keeper, ScopeId, StmtId, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "task-not-cancelled",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A task that loops for ever is kept in a field, and the owner's stop method does not cancel it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| makes_task(call)) {
        let keeper = facts.keeper_of(call.id);
        let (Keeper::Holder(holder) | Keeper::Element(holder)) = &keeper else {
            continue;
        };
        let Holder::Attribute {
            class: Some(class), ..
        } = *holder
        else {
            continue;
        };
        let Some((stop, outer)) = stop_method(facts, class).zip(endless(facts, &call)) else {
            continue;
        };
        let is_ended = match &keeper {
            Keeper::Element(_) => is_walked(facts, &call, holder),
            _ => is_ended(facts, holder),
        };
        if is_ended {
            out.evidence(3, call.span(), "the task is cancelled or awaited");
        } else {
            report(cx, &call, holder, (class, stop, outer), out);
        }
    }
    lifespans::detect(cx, out);
}

pub(super) fn makes_task(call: &Call<'_>) -> bool {
    call.is(&["asyncio.create_task", "asyncio.ensure_future"])
        || call.method() == Some("create_task")
}

/// The loop without a way out of the coroutine that becomes the task.
pub(super) fn endless(facts: &Facts, call: &Call<'_>) -> Option<StmtId> {
    let coroutine = facts.call(call.positional(0)?)?;
    let function = facts.callee_scope(&coroutine)?;
    facts.endless_loop(function).map(|endless| endless.stmt)
}

/// Somebody deals with the container of tasks, beside making it and putting this one in.
fn is_walked(facts: &Facts, call: &Call<'_>, tasks: &Holder) -> bool {
    let makes = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            value: Some(value), ..
        } => matches!(
            facts.expr(*value).kind,
            ExprKind::List(_) | ExprKind::Set(_) | ExprKind::Dict(_) | ExprKind::Call { .. }
        ),
        StmtKind::Assign { value: None, .. } => true,
        _ => false,
    };
    // `task.add_done_callback(self._tasks.discard)` takes out what is done.
    let forgets = |stmt: StmtId| {
        let mut calls = facts.calls_in(stmt);
        calls.any(|call| call.name() == "add_done_callback")
    };
    let mentions = facts.mentions_of(tasks);
    let mut stmts = mentions.into_iter().map(|id| facts.expr(id).stmt);
    stmts.any(|stmt| stmt != call.stmt() && !makes(stmt) && !forgets(stmt))
}

/// Somebody cancels it, waits for it, or is given it to do so.
fn is_ended(facts: &Facts, holder: &Holder) -> bool {
    let awaited = |id: ExprId| {
        let up = facts.expr(id).parent;
        up.is_some_and(|up| matches!(facts.expr(up).kind, ExprKind::Await(_)))
    };
    facts.mentions_of(holder).into_iter().any(awaited)
        || facts.uses_of(holder).into_iter().any(|of| match of.kind {
            HeldUseKind::Method(call) => facts
                .call(call)
                .is_some_and(|call| call.method() == Some("cancel")),
            HeldUseKind::Bound(..)
            | HeldUseKind::Passed(_)
            | HeldUseKind::Stored(_)
            | HeldUseKind::Returned
            | HeldUseKind::Yielded => true,
            HeldUseKind::With | HeldUseKind::Read => false,
        })
}

fn report(
    cx: &Context<'_>,
    call: &Call<'_>,
    holder: &Holder,
    (class, stop, outer): (ScopeId, ScopeId, StmtId),
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let verdict = HitVerdict::sure_if(facts.is_visible(class));
    let verdict = kept::unless_cold(cx, verdict);
    let name = facts.scope_name(stop).unwrap_or("the stop method");
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, word(holder, name))
        .with_related(facts.stmt(outer).head, "the loop that nothing ends");
    if let Some(head) = facts.scope(stop).stmt.map(|stmt| facts.stmt(stmt).head) {
        hit = hit.with_related(head, "stops without it");
        hit.causes.push(head);
    }
    hit.causes.push(facts.stmt(outer).head);
    out.hits.push(hit);
}

fn word(holder: &Holder, stop: &str) -> Words {
    let name = holder.text();
    Words::new(
        format!("`{stop}` does not cancel the task in `{name}`."),
        "The task loops on after its owner has stopped, with connections and models that are being closed, until the event loop itself ends and complains.",
        format!("Cancel `{name}` in `{stop}`, and await it with its `CancelledError` suppressed."),
    )
}
