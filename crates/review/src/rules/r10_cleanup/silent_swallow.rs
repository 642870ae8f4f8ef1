//! A failure that leaves no trace although something is lost with it.

use crate::facts::{
    BindingKind, Call, CleanupPlace, ExprId, ExprKind, Facts, Handler, Span, StmtId, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
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
    for stmt in cx.facts.stmt_ids() {
        if let StmtKind::Try { body, handlers, .. } = &cx.facts.stmt(stmt).kind {
            for handler in handlers {
                judge(cx, stmt, body, handler, out);
            }
        }
    }
}

fn judge(cx: &Context<'_>, stmt: StmtId, body: &[StmtId], handler: &Handler, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.tells(handler) && facts.cleanup_place(stmt).is_some() {
        out.evidence(10, handler.span, "a failed clean-up is logged or handed on");
    }
    if !facts.catches_all(handler) || !is_silent(facts, handler) {
        return;
    }
    let Some(lost) = lost(facts, stmt, body) else {
        return;
    };
    let verdict = match (lost, facts.idle_file(cx.profile)) {
        (_, Some(reason)) => HitVerdict::Excused(format!("Nothing shared is lost: {reason}.")),
        (Lost::BestEffort, None) => HitVerdict::Excused(
            "Only a best-effort close of something local fails here.".to_string(),
        ),
        (Lost::SharedCleanup, None) => HitVerdict::Violation,
        (Lost::Data | Lost::Sentinel, None) => HitVerdict::Look,
    };
    let anchor = Anchor {
        stmt,
        span: handler.span,
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(lost));
    hit.causes.push(handler_span(facts, handler));
    out.hits.push(hit);
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

/// Nothing but `pass`, `...` or `continue`.
fn is_silent(facts: &Facts, handler: &Handler) -> bool {
    handler
        .body
        .iter()
        .all(|&stmt| match &facts.stmt(stmt).kind {
            StmtKind::Pass | StmtKind::Continue => true,
            StmtKind::Expr(expr) => {
                facts.expr_text(*expr) == "..." || facts.string(*expr).is_some()
            }
            _ => false,
        })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lost {
    BestEffort,
    SharedCleanup,
    Data,
    Sentinel,
}

fn lost(facts: &Facts, stmt: StmtId, body: &[StmtId]) -> Option<Lost> {
    let calls: Vec<Call<'_>> = facts
        .statements_in(body)
        .into_iter()
        .flat_map(|inner| facts.calls_in(inner))
        .collect();
    let cleans: Vec<&Call<'_>> = calls.iter().filter(|call| is_cleanup(call)).collect();
    if !cleans.is_empty() {
        let shared = cleans.iter().any(|call| {
            call.receiver()
                .is_some_and(|receiver| is_shared(facts, receiver))
        });
        let counts = shared
            && facts
                .cleanup_place(stmt)
                .is_some_and(|place| place != CleanupPlace::Protocol);
        return Some(if counts {
            Lost::SharedCleanup
        } else {
            Lost::BestEffort
        });
    }
    if calls.iter().any(|call| ends_consumer(facts, call)) {
        return Some(Lost::Sentinel);
    }
    calls
        .iter()
        .any(|call| stores(facts, call))
        .then_some(Lost::Data)
}

fn is_cleanup(call: &Call<'_>) -> bool {
    matches!(
        call.name(),
        "close"
            | "release"
            | "stop"
            | "terminate"
            | "shutdown"
            | "disconnect"
            | "cleanup"
            | "unlink"
            | "remove"
            | "rmtree"
            | "join"
            | "kill"
            | "cancel"
            | "unload"
            | "detach"
            | "flush"
    )
}

/// One of several that the owner keeps: `for source in self._sources`. A single own handle is best effort.
fn is_shared(facts: &Facts, receiver: ExprId) -> bool {
    facts
        .bindings_behind(receiver)
        .iter()
        .any(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => facts
                .within(iter)
                .any(|id| facts.self_attribute(id).is_some()),
            _ => false,
        })
}

/// Puts data where it is meant to stay: a server, a file, a transaction. A frame that a full queue refuses is
/// dropped on purpose, and a stream that mirrors another loses nothing.
fn stores(facts: &Facts, call: &Call<'_>) -> bool {
    let lasts = matches!(
        call.name(),
        "publish" | "commit" | "write_bytes" | "write_text" | "dump" | "sendall"
    );
    let keeps = !call.args.is_empty()
        && topic::words(call.name())
            .any(|word| matches!(word.as_str(), "store" | "save" | "persist" | "upload"));
    facts.redis_call(call).is_some() || keeps || (lasts && call.receiver().is_some())
}

/// Puts the sentinel that tells a consumer to end.
fn ends_consumer(facts: &Facts, call: &Call<'_>) -> bool {
    let sentinel = call
        .positional(0)
        .is_some_and(|value| matches!(facts.expr(value).kind, ExprKind::None));
    sentinel && matches!(call.method(), Some("put" | "put_nowait"))
}

fn word(lost: Lost) -> Words {
    let (what, why) = match lost {
        Lost::SharedCleanup => (
            "A failed clean-up is swallowed without a word.",
            "What was not released stays held, and the next user of it fails with no trace of the cause.",
        ),
        Lost::Data => (
            "A failed write is swallowed without a word.",
            "The data is gone and nothing says so: neither a log nor the caller.",
        ),
        Lost::Sentinel => (
            "A sentinel that could not be put is swallowed without a word.",
            "When the queue is full its consumer is never told to end, and waits for ever.",
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
