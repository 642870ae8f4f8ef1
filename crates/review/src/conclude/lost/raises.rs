//! Handlers that handed a failed save on, and that the change lets end as if all had gone well.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Call, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, FAILURE_AS_SUCCESS, Hit, HitVerdict, Words};

/// Hits at the handlers that no longer raise, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let facts = sides.new.facts;
    let mut losses = Vec::new();
    for stmt in facts.stmt_ids() {
        for handler in facts.handlers(stmt) {
            let is_told = || sides.is_told(Told::ByRuleOf(FAILURE_AS_SUCCESS), stmt);
            if ends_quietly(facts, handler)
                && !is_told()
                && let Some(store) = store_of(facts, stmt)
                && raised(sides, handler)
            {
                losses.push(Loss::gone(hit(facts, stmt, handler, &store)));
            }
        }
    }
    losses
}

/// It catches everything, and neither raises nor gives an answer.
fn ends_quietly(facts: &Facts, handler: &Handler) -> bool {
    let answers = |stmt: &StmtId| match facts.stmt(*stmt).kind {
        StmtKind::Raise | StmtKind::Return(Some(_)) => true,
        _ => facts.calls_in(*stmt).any(|call| {
            matches!(
                call.name(),
                "exit" | "_exit" | "retry" | "set_exception" | "abort"
            )
        }),
    };
    facts.catches_all(handler)
        && facts.scaffold_at(handler.span.start).is_none()
        && !facts.statements_in(&handler.body).iter().any(answers)
}

/// The call of the `try` that keeps something for good.
fn store_of(facts: &Facts, outer: StmtId) -> Option<Call<'_>> {
    let StmtKind::Try { body, .. } = &facts.stmt(outer).kind else {
        return None;
    };
    let inside = facts.statements_in(body);
    let keeps = |call: &Call<'_>| {
        let first = topic::words(call.name()).next().unwrap_or_default();
        STORES.contains(&&*first)
    };
    inside
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt))
        .find(keeps)
}

const STORES: &[&str] = &[
    "commit",
    "dump",
    "executemany",
    "flush",
    "insert",
    "persist",
    "publish",
    "put",
    "replace",
    "save",
    "store",
    "upload",
    "upsert",
    "write",
];

/// The handler stood there before, and a `raise` at its end is deleted.
fn raised(sides: &Sides<'_>, handler: &Handler) -> bool {
    let &Sides { old, new, rows, .. } = sides;
    let line = |half: &Half<'_>, handler: &Handler| {
        half.facts
            .diff_lines(handler.span)
            .next()
            .map(|(line, _)| line)
    };
    let before = line(new, handler).and_then(|line| rows.old_line(line));
    let is_deleted = |stmt: &StmtId| {
        matches!(old.facts.stmt(*stmt).kind, StmtKind::Raise)
            && old.facts.is_changed(old.facts.stmt(*stmt).head)
    };
    let mut handlers = old
        .facts
        .stmt_ids()
        .flat_map(|stmt| old.facts.handlers(stmt));
    before.is_some()
        && handlers.any(|was| line(old, was) == before && was.body.iter().any(is_deleted))
}

fn hit(facts: &Facts, stmt: StmtId, handler: &Handler, store: &Call<'_>) -> Hit {
    let text = facts.text(handler.span);
    let line = text.split([':', '#']).next().unwrap_or(text).trim();
    let words = Words::new(
        format!(
            "`{line}` no longer hands on that `{}` failed.",
            store.name()
        ),
        "Callers were told of the failure before. Now they go on as if it had been kept: they drop their copy, remove older ones, or tell that all is done.",
        "Who learns of it now? Raise again, or return an answer that each caller tests.",
    );
    let anchor = Anchor {
        stmt,
        span: handler.span,
    };
    Hit::new(FAILURE_AS_SUCCESS, anchor, HitVerdict::Look, words)
        .with_related(store.span(), "what failed")
}
