//! A handler that asks for one error of many and forgets the others: `if error.status == 409: return` and no `raise`.

use super::CHECK;
use crate::facts::{ExprId, Facts, Handler, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.is_test() {
        return;
    }
    for stmt in facts.stmt_ids() {
        for handler in facts.handlers(stmt) {
            if let Some(test) = forgets(facts, handler).filter(|_| ends_function(facts, stmt)) {
                report(facts, stmt, handler, test, out);
            }
        }
    }
}

/// The test that is all of the handler, where it only decides to do nothing: then the others end the same way.
fn forgets(facts: &Facts, handler: &Handler) -> Option<ExprId> {
    let [only] = handler.body.as_slice() else {
        return None;
    };
    let StmtKind::If { test, body, orelse } = &facts.stmt(*only).kind else {
        return None;
    };
    let quiet = |stmt: &StmtId| match facts.stmt(*stmt).kind {
        StmtKind::Pass | StmtKind::Return(None) => true,
        StmtKind::Return(Some(value)) => facts.expr_text(value) == "None",
        _ => false,
    };
    let error = facts
        .text(handler.span)
        .split_once(" as ")
        .map(|(_, rest)| {
            let is_end = |c: char| !c.is_alphanumeric() && c != '_';
            rest.split(is_end).next().unwrap_or_default()
        });
    let asks = facts
        .within(*test)
        .any(|id| facts.name(id).is_some() && facts.name(id) == error);
    (asks && orelse.is_empty() && body.iter().all(quiet)).then_some(*test)
}

/// Nothing behind the `try` makes up for it.
fn ends_function(facts: &Facts, stmt: StmtId) -> bool {
    let in_function = facts.function_of(facts.stmt(stmt).scope).is_some();
    let is_end = |at: StmtId| facts.following(at).is_empty();
    in_function
        && is_end(stmt)
        && !facts.in_loop(stmt)
        && facts.ancestors(stmt).all(|around| is_end(around.stmt))
        && facts.sees_all_of(stmt)
}

fn report(facts: &Facts, stmt: StmtId, handler: &Handler, test: ExprId, out: &mut Outcome) {
    let anchor = Anchor {
        stmt,
        span: handler.span,
    };
    let asked = facts.expr(test).span;
    let mut hit = Hit::new(
        &CHECK,
        anchor,
        HitVerdict::Look,
        word(facts, handler.span, test),
    );
    hit.causes.push(asked);
    out.hits.push(hit.with_related(
        asked,
        "whether it holds or not, the function ends the same way",
    ));
}

fn word(facts: &Facts, handler: Span, test: ExprId) -> Words {
    let text = facts.text(handler);
    let line = text.split([':', '#']).next().unwrap_or(text).trim();
    let test = facts.expr_text(test).lines().next().unwrap_or_default();
    Words::new(
        format!("`{line}` forgives `{test}`, and every other error of this class as well."),
        "Where the test does not hold the handler just ends: no log, no `raise`, and the caller takes the work for done.",
        "Was `raise` or a log line meant for the others? Put it behind the `if`.",
    )
}
