//! A failure that leaves no trace although something is lost with it.

mod lost;
mod others;

use crate::facts::{ExprId, ExprKind, Facts, Handler, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use lost::{Lost, goes_to_peer, lost};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "silent-swallow",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "`except Exception: pass` without a log where state, data or a failed clean-up of a shared thing is lost.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    others::detect(cx, out);
    for stmt in cx.facts.stmt_ids() {
        match &cx.facts.stmt(stmt).kind {
            StmtKind::Try { body, handlers, .. } => {
                for handler in handlers {
                    judge_handler(cx, stmt, body, handler, out);
                }
            }
            StmtKind::With { items, body, .. } => {
                for item in items {
                    judge_suppress(cx, stmt, body, item.context, out);
                }
            }
            _ => {}
        }
    }
}

fn judge_handler(
    cx: &Context<'_>,
    stmt: StmtId,
    body: &[StmtId],
    handler: &Handler,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    if facts.tells(handler) && facts.cleanup_place(stmt).is_some() {
        out.evidence(10, handler.span, "a failed clean-up is logged or handed on");
    }
    if !facts.catches_all(handler) {
        return;
    }
    let lost = match silence(facts, handler) {
        Some(Silence::Full) => lost(facts, stmt, body),
        Some(Silence::Returns) => lost(facts, stmt, body).filter(|&lost| lost == Lost::Data),
        None => leaves_empty(facts, body, handler).then_some(Lost::Field),
    };
    let lost = lost.map(|lost| match lost {
        Lost::Data if is_explained(facts, handler) && goes_to_peer(facts, body) => Lost::Farewell,
        lost => lost,
    });
    if let Some(lost) = lost {
        let silence = handler_span(facts, handler);
        report(cx, stmt, handler.span, silence, lost, out);
    }
}

/// A comment of its own line in the handler says why nothing is done.
fn is_explained(facts: &Facts, handler: &Handler) -> bool {
    let text = facts.text(handler_span(facts, handler));
    let mut comments = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('#'));
    comments.any(|comment| comment.split_whitespace().count() > 2)
}

/// `with suppress(Exception):` around the same.
fn judge_suppress(
    cx: &Context<'_>,
    stmt: StmtId,
    body: &[StmtId],
    context: ExprId,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let Some(call) = facts.call(context).filter(|call| call.name() == "suppress") else {
        return;
    };
    let all = call.args.iter().any(|arg| {
        let class = facts.last_name(arg.value);
        matches!(class, Some("Exception" | "BaseException"))
    });
    if let Some(lost) = lost(facts, stmt, body).filter(|_| all) {
        let head = facts.stmt(stmt).head;
        report(cx, stmt, head, head, lost, out);
    }
}

fn report(cx: &Context<'_>, stmt: StmtId, span: Span, cause: Span, lost: Lost, out: &mut Outcome) {
    let verdict = match (lost, cx.facts.idle_file(cx.profile)) {
        (_, Some(reason)) => HitVerdict::Excused(format!("Nothing shared is lost: {reason}.")),
        (Lost::BestEffort, None) => HitVerdict::Excused(
            "Only a best-effort close of something local fails here.".to_string(),
        ),
        (Lost::Farewell, None) => HitVerdict::Excused(
            "A comment says why this write to the other side may fail.".to_string(),
        ),
        (Lost::SharedCleanup, None) => HitVerdict::Violation,
        (Lost::Data | Lost::Sentinel | Lost::Item | Lost::Field, None) => HitVerdict::Look,
    };
    let mut hit = Hit::new(&CHECK, Anchor { stmt, span }, verdict, word(lost));
    hit.causes.push(cause);
    out.hits.push(hit);
}

/// `self.names = []` for whatever went wrong in `self.names = read()`: from then on the object works without it.
fn leaves_empty(facts: &Facts, body: &[StmtId], handler: &Handler) -> bool {
    let field = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => Some((facts.self_attribute(*targets.first()?)?, *value)),
        _ => None,
    };
    let [only] = handler.body.as_slice() else {
        return false;
    };
    let is_empty = |value: ExprId| match &facts.expr(value).kind {
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Dict(_) => facts.within(value).count() == 1,
        _ => false,
    };
    field(*only).is_some_and(|(name, value)| {
        is_empty(value)
            && body
                .iter()
                .any(|&stmt| field(stmt).is_some_and(|(of, _)| of == name))
    })
}

/// The `except` line with its `pass`.
fn handler_span(facts: &Facts, handler: &Handler) -> Span {
    let end = handler
        .body
        .last()
        .map_or(handler.span.end, |&last| facts.stmt(last).span.end);
    Span {
        start: handler.span.start,
        end,
    }
}

/// How a handler says nothing.
#[derive(Clone, Copy)]
enum Silence {
    /// Nothing but `pass`, `...` or `continue`.
    Full,
    /// It only returns, without a result that could tell.
    Returns,
}

fn silence(facts: &Facts, handler: &Handler) -> Option<Silence> {
    let quiet = |stmt: &StmtId| match &facts.stmt(*stmt).kind {
        StmtKind::Pass | StmtKind::Continue => true,
        StmtKind::Expr(expr) => facts.expr_text(*expr) == "..." || facts.string(*expr).is_some(),
        _ => false,
    };
    let (last, rest) = handler.body.split_last()?;
    let returns = match facts.stmt(*last).kind {
        StmtKind::Return(None) => true,
        StmtKind::Return(Some(value)) => matches!(facts.expr(value).kind, ExprKind::None),
        _ => false,
    };
    match (rest.iter().all(quiet), quiet(last), returns) {
        (true, true, _) => Some(Silence::Full),
        (true, false, true) => Some(Silence::Returns),
        _ => None,
    }
}

fn word(lost: Lost) -> Words {
    let (what, why) = match lost {
        Lost::SharedCleanup => (
            "A failed clean-up is swallowed without a word.",
            "What was not released stays held, and the next user of it fails with no trace of the cause.",
        ),
        Lost::Data | Lost::Farewell => (
            "A failed write is swallowed without a word.",
            "The data is gone and nothing says so: neither a log nor the caller.",
        ),
        Lost::Sentinel => (
            "A sentinel that could not be put is swallowed without a word.",
            "When the queue is full its consumer is never told to end, and waits for ever.",
        ),
        Lost::Item => (
            "One that fails is passed over without a word.",
            "What it was about is lost, and nothing says which one or why.",
        ),
        Lost::Field => (
            "A failed read is swallowed without a word, and an empty value stands in its place.",
            "The object answers with it for as long as it lives, and nothing says why.",
        ),
        Lost::BestEffort => (
            "A failed close is swallowed without a word.",
            "Whatever made it fail leaves no trace.",
        ),
    };
    Words::new(
        what,
        why,
        "Catch what can be expected, and log it with the name of what failed.",
    )
}
