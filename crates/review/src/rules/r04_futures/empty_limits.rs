//! `async with asyncio.timeout(...)` around statements that await nothing: the wait stands behind the block.

use super::misplaced_timeout::CHECK;
use crate::facts::{Call, ExprId, Facts, Heat, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for stmt in cx.facts.stmt_ids() {
        if let Some(found) = empty(cx.facts, stmt) {
            report(cx, &found, out);
        }
    }
}

/// A limit, and the wait behind its block.
struct Empty<'f> {
    limit: Call<'f>,
    wait: Span,
}

fn empty(facts: &Facts, stmt: StmtId) -> Option<Empty<'_>> {
    let StmtKind::With { items, body, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    let mut limits = items.iter().filter_map(|item| limit(facts, item.context));
    let limit = limits.next()?;
    let inside = facts.statements_in(body);
    let calls = inside
        .iter()
        .any(|&inner| facts.calls_in(inner).next().is_some());
    let is_cut = inside.iter().any(|&inner| facts.stmt(inner).scaffold);
    let block = facts.block_of(stmt);
    let behind = block.iter().filter(|&&other| other > stmt);
    let wait = behind
        .map(|&other| facts.stmt(other).span)
        .find(|&span| waits(facts, span))?;
    let waits_inside = inside
        .iter()
        .any(|&inner| waits(facts, facts.stmt(inner).span));
    let is_shown = facts.sees_all_of(stmt) || follows(facts, stmt, wait);
    let found = calls && !is_cut && !waits_inside && is_shown;
    found.then_some(Empty { limit, wait })
}

/// Limits of asyncio and of the libraries beside it.
fn limit(facts: &Facts, context: ExprId) -> Option<Call<'_>> {
    let call = facts.call(context)?;
    let limits = call.is(&[
        "asyncio.timeout",
        "asyncio.timeout_at",
        "async_timeout.timeout",
        "anyio.fail_after",
        "anyio.move_on_after",
        "trio.fail_after",
        "trio.move_on_after",
    ]);
    limits.then_some(call)
}

/// A word of the text says that something is awaited, or handed to whoever goes on.
fn waits(facts: &Facts, span: Span) -> bool {
    let text = facts.text(span);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| matches!(word, "await" | "async" | "yield"))
}

/// Nothing is hidden between the block and the wait: their lines follow each other.
fn follows(facts: &Facts, stmt: StmtId, wait: Span) -> bool {
    let span = Span {
        start: facts.stmt(stmt).span.start,
        end: wait.end,
    };
    let lines: Vec<u32> = facts.diff_lines(span).map(|(line, _)| line).collect();
    lines
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a + 1 == *b))
}

fn report(cx: &Context<'_>, found: &Empty<'_>, out: &mut Outcome) {
    let verdict = match cx.facts.heat(found.limit.stmt(), cx.profile) {
        Heat::Cold(reason) => HitVerdict::Excused(format!("Not on a hot path: {reason}.")),
        _ => HitVerdict::Violation,
    };
    let words = word(cx.facts, &found.limit);
    let mut hit = Hit::new(&CHECK, Anchor::call(&found.limit), verdict, words);
    hit = hit.with_related(found.wait, "waits outside of the limit");
    hit.causes.push(found.wait);
    out.hits.push(hit);
}

fn word(facts: &Facts, limit: &Call<'_>) -> Words {
    let what = facts.shown(limit.function);
    Words::new(
        format!("The block of `{what}` awaits nothing, so there is nothing that it limits."),
        "A coroutine that is only made runs when it is awaited. That happens behind the block, where no limit holds: a server that does not answer is waited for for ever.",
        "Move the await into the block.",
    )
}
