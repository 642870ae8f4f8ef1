//! A coroutine that makes a future, hands it to whoever should resolve it, and awaits it without a limit.

use super::unbounded_queue_or_join::{is_limited_around, says_end};
use super::unbounded_wait::CHECK;
use crate::facts::{ExprId, ExprKind, Facts, HeldUseKind, Holder};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for id in facts.expr_ids() {
        let ExprKind::Await(future) = facts.expr(id).kind else {
            continue;
        };
        let stmt = facts.expr(id).stmt;
        let waits = is_own_future(facts, future)
            && !says_end(facts, future)
            && !is_limited_around(facts, stmt);
        if waits {
            let anchor = Anchor {
                stmt,
                span: facts.expr(id).span,
            };
            let verdict = cx.where_it_matters(stmt, HitVerdict::Look);
            out.hits
                .push(Hit::new(&CHECK, anchor, verdict, word(facts, future)));
        }
    }
}

/// `reply = loop.create_future()` of the same function, which it gives away before it waits.
fn is_own_future(facts: &Facts, future: ExprId) -> bool {
    let scope = facts.expr(future).scope;
    let makes = |value: ExprId| {
        facts.call(value).is_some_and(|call| {
            let creates = call.method() == Some("create_future") || call.is(&["asyncio.Future"]);
            creates && call.scope() == scope
        })
    };
    let values = facts.values(future);
    let is_made = !values.is_empty() && values.into_iter().all(makes);
    facts.name(future).is_some() && is_made && is_given_away(facts, future)
}

/// Stored under a key, or an element of something that others see: the answer to one of many questions. What a protocol
/// keeps in a field it resolves itself when its connection goes.
fn is_given_away(facts: &Facts, future: ExprId) -> bool {
    let Some(holder @ Holder::Local { .. }) = facts.holder_of(future) else {
        return false;
    };
    let puts = |call: ExprId| {
        facts.call(call).is_some_and(|call| {
            matches!(
                call.method(),
                Some("append" | "put" | "put_nowait" | "send" | "setdefault" | "add")
            )
        })
    };
    facts.uses_of(&holder).iter().any(|of| match of.kind {
        HeldUseKind::Stored(target) => {
            matches!(facts.expr(target).kind, ExprKind::Subscript { .. })
        }
        HeldUseKind::Passed(call) => puts(call),
        _ => false,
    })
}

fn word(facts: &Facts, future: ExprId) -> Words {
    let name = facts.shown(future);
    Words::new(
        format!("`{name}` is awaited until somebody else resolves it."),
        "If the answer is lost, or whoever should give it has died, this coroutine waits for ever, and its entry stays with it.",
        format!(
            "What resolves `{name}` when the other side is gone? `asyncio.wait_for({name}, ...)` would give up, and a close that fails all that wait."
        ),
    )
}
