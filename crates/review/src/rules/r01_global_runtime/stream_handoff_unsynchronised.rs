//! A tensor is made on a CUDA stream of its own and used elsewhere before that stream is done.

use super::torchscript::alone;
use crate::facts::{Call, ExprId, Facts, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "stream-handoff-unsynchronised",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A tensor made under `torch.cuda.stream(...)` is used outside of it with no synchronisation in between.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let Some(region) = stream_region(facts, stmt) else {
            continue;
        };
        if synchronises(facts, &region) {
            out.evidence(
                1,
                region.span,
                "the stream is waited for before its tensors are used",
            );
        } else if let Some(used) = handed_over(facts, &region) {
            let verdict = alone(cx, stmt).map_or(HitVerdict::Look, HitVerdict::Excused);
            let anchor = Anchor {
                stmt,
                span: region.span,
            };
            let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, used))
                .with_related(used, "used here, on another stream");
            hit.causes.push(used);
            out.hits.push(hit);
        }
    }
}

struct Region {
    stmt: StmtId,
    /// The stream context.
    span: Span,
    body: Vec<StmtId>,
}

fn stream_region(facts: &Facts, stmt: StmtId) -> Option<Region> {
    let StmtKind::With { items, body, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    let context = items.iter().map(|item| item.context).find(|&context| {
        facts
            .call(context)
            .is_some_and(|call| call.is(&["torch.cuda.stream"]))
    })?;
    Some(Region {
        stmt,
        span: facts.expr(context).span,
        body: facts.statements_in(body),
    })
}

/// Anything in the region, or behind it in the same function, waits for a stream or marks the tensor for another one.
fn synchronises(facts: &Facts, region: &Region) -> bool {
    let function = facts.scope(facts.stmt(region.stmt).scope).span;
    let start = facts.stmt(region.stmt).span.start;
    let waits = |call: &Call<'_>| {
        matches!(
            call.name(),
            "synchronize"
                | "wait_stream"
                | "wait_event"
                | "record_stream"
                | "record_event"
                | "wait"
                | "query"
        ) || (call.name() == "Event" && call.callee().contains("cuda"))
    };
    facts
        .calls_within(function)
        .any(|call| call.span().start >= start && waits(&call))
}

/// The first use outside of what the region makes; `return` inside hands it to the caller.
fn handed_over(facts: &Facts, region: &Region) -> Option<Span> {
    let made: Vec<ExprId> = region
        .body
        .iter()
        .filter_map(|&stmt| made_on_device(facts, stmt))
        .collect();
    let end = facts.stmt(region.stmt).span.end;
    let scope = facts.stmt(region.stmt).scope;
    made.iter().find_map(|&target| {
        let name = facts.name(target)?;
        facts
            .exprs_named(name)
            .filter(|&id| facts.expr(id).scope == scope && facts.expr(id).span.start >= end)
            .find(|&id| facts.name(id).is_some())
            .map(|id| facts.expr(id).span)
    })
}

/// The local name that a statement gives the outcome of a call; copying to the host waits by itself.
fn made_on_device(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let mut inside = facts
        .within(*value)
        .filter_map(|id| facts.call(id))
        .peekable();
    inside.peek()?;
    let to_host = inside.any(|call| matches!(call.name(), "cpu" | "item" | "tolist" | "numpy"));
    (!to_host).then(|| targets.first().copied()).flatten()
}

fn word(facts: &Facts, used: Span) -> Words {
    let name = facts.text(used);
    Words::new(
        format!(
            "`{name}` is made on a stream of its own and used outside of it, and nothing waits for that stream."
        ),
        "Kernels run later than the Python lines that start them: the other stream, or another library, may read memory that is not written yet.",
        "Which stream reads it? Let that one wait (`wait_stream`, an event) or synchronise before handing it over, and call `record_stream` if it outlives the block.",
    )
}
