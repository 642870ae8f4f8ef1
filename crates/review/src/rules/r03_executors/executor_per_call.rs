//! A pool for each request or frame.

use super::{kept, local_executor_not_closed as local};
use crate::facts::{ExprKind, Facts, Heat, Holder, Keeper, Made, Part, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "executor-per-call",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "An executor or pool is made for each request or frame and not in a `with`.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let hot = |made: &Made| cx.facts.heat(made.stmt, cx.profile) == Heat::Hot;
    for made in cx
        .facts
        .made()
        .iter()
        .filter(|made| made.resource.is_pool() && hot(made))
    {
        if let Some(fault) = cx.facts.local_fault(made) {
            let words = word(local::message(made, &fault));
            out.hits.push(local::hit(cx, &CHECK, made, &fault, words));
        } else if replaces_field(cx.facts, made) {
            let anchor = Anchor {
                stmt: made.stmt,
                span: cx.facts.expr(made.call).span,
            };
            let words = word(format!(
                "Each call puts a new {} into the field.",
                made.resource.noun()
            ));
            let verdict = kept::unless_cold(cx, HitVerdict::Look);
            out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
        }
    }
}

/// `self._pool = ThreadPoolExecutor()` with no test around or before of what the field holds already.
fn replaces_field(facts: &Facts, made: &Made) -> bool {
    let Keeper::Holder(holder @ Holder::Attribute { .. }) = &made.keeper else {
        return false;
    };
    if matches!(facts.function_name(made.stmt), None | Some("__init__")) {
        return false;
    }
    let closings = facts.closings(holder, made.resource);
    if closings
        .iter()
        .any(|closing| kept::ends_in_place(facts, made, closing))
    {
        return false;
    }
    let mentions = facts.mentions_of(holder);
    let tests_field = |test| {
        let span = facts.expr(test).span;
        mentions
            .iter()
            .any(|&mention| span.contains(facts.expr(mention).span))
    };
    let around = facts
        .ancestors(made.stmt)
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } => around.part == Part::Body || tests_field(test),
            _ => false,
        });
    let before = facts
        .statements_of(facts.stmt(made.stmt).scope)
        .any(|stmt| {
            stmt < made.stmt
                && match facts.stmt(stmt).kind {
                    StmtKind::If { test, .. } => tests_field(test),
                    _ => facts.exprs_of(stmt).any(|id| {
                        mentions.contains(&id) && !matches!(facts.expr(id).kind, ExprKind::None)
                    }),
                }
        });
    !around && !before
}

fn word(message: String) -> Words {
    Words::new(
        message,
        "This runs for every request or frame, so the workers that are left behind add up as fast as the traffic.",
        "Make one pool and keep it for all calls, or use this one in a `with`.",
    )
}
