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
        None => None,
    };
    if let Some(lost) = lost {
        report(
            cx,
            stmt,
            handler.span,
            handler_span(facts, handler),
            lost,
            out,
        );
    }
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
        (Lost::SharedCleanup, None) => HitVerdict::Violation,
        (Lost::Data | Lost::Sentinel | Lost::Item, None) => HitVerdict::Look,
    };
    let mut hit = Hit::new(&CHECK, Anchor { stmt, span }, verdict, word(lost));
    hit.causes.push(cause);
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lost {
    BestEffort,
    SharedCleanup,
    Data,
    Sentinel,
    /// One of several items or listeners is passed over.
    Item,
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
    // What tells the other side goodbye, or reports an error, is best effort.
    let on_the_way_out =
        facts.cleanup_place(stmt).is_some() || facts.enclosing_handler(stmt).is_some();
    if calls.iter().any(|call| stores(facts, call)) {
        return Some(Lost::Data);
    }
    if !on_the_way_out && calls.iter().any(|call| hands_on(facts, call)) {
        return Some(Lost::Data);
    }
    let each = body
        .iter()
        .any(|&inner| passes_over_item(facts, stmt, inner));
    let each = each || takes_and_works(facts, stmt, body);
    (each && !on_the_way_out).then_some(Lost::Item)
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

/// Puts data where it is meant to stay: a server, a file, a transaction.
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

/// Hands data on by its verb: a queue, a channel, a table, an upload. A constant wakes somebody up and carries
/// nothing, a stream that mirrors another loses nothing, and what is put without waiting is dropped on purpose.
fn hands_on(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(receiver) = call.receiver() else {
        return false;
    };
    let first = topic::words(call.name()).next().unwrap_or_default();
    let verb = matches!(
        first.as_str(),
        "put"
            | "send"
            | "insert"
            | "push"
            | "write"
            | "writerow"
            | "upload"
            | "save"
            | "persist"
            | "enqueue"
            | "produce"
            | "emit"
            | "broadcast"
            | "post"
            | "append"
    ) || matches!(call.name(), "executemany");
    let verb = verb
        && !matches!(call.name(), "append" | "put_nowait")
        && (first != "emit" || call.name() == "emit");
    let changes_rows = call.name() == "execute"
        && call.positional(0).is_some_and(|sql| {
            let text = facts
                .expr_text(sql)
                .trim_start_matches(['f', '"', '\'', '\n', ' ']);
            ["INSERT", "UPDATE", "DELETE", "REPLACE"]
                .iter()
                .any(|word| {
                    text.get(..word.len())
                        .is_some_and(|head| head.eq_ignore_ascii_case(word))
                })
        });
    let carries = call.args.iter().any(|arg| {
        facts.within(arg.value).any(|id| {
            matches!(
                facts.expr(id).kind,
                ExprKind::Name | ExprKind::Attribute { .. }
            )
        })
    });
    let mirrors = facts.last_name(receiver).is_some_and(|name| {
        [
            "stdout", "stderr", "stream", "original", "console", "terminal", "wakeup", "mirror",
        ]
        .iter()
        .any(|word| topic::says(name, word))
    });
    let keeps_all = call.args.is_empty() && matches!(first.as_str(), "persist" | "save" | "store");
    (verb && carries && !mirrors) || changes_rows || keeps_all
}

/// In a loop over messages, frames or listeners one that fails is passed over: `process(message)`, `handler(event)`.
fn passes_over_item(facts: &Facts, outer: StmtId, inner: StmtId) -> bool {
    let around = facts.ancestors(outer).next();
    let Some(StmtKind::For { target, .. }) = around.map(|around| &facts.stmt(around.stmt).kind)
    else {
        return false;
    };
    let Some(item) = facts.name(*target) else {
        return false;
    };
    let StmtKind::Expr(value) = facts.stmt(inner).kind else {
        return false;
    };
    let Some(call) = facts.awaited_call(value) else {
        return false;
    };
    let says = |words: &[&str]| words.iter().any(|word| topic::says(item, word));
    let listener = says(LISTENERS) && facts.name(call.function) == Some(item);
    let given = call
        .args
        .iter()
        .any(|arg| facts.name(arg.value) == Some(item));
    listener || (given && says(ITEMS))
}

/// A consumer's loop: `job = queue.get()`, and then the work with it.
fn takes_and_works(facts: &Facts, outer: StmtId, body: &[StmtId]) -> bool {
    let in_while = facts
        .ancestors(outer)
        .next()
        .is_some_and(|around| matches!(facts.stmt(around.stmt).kind, StmtKind::While { .. }));
    let taken = body.iter().position(|&stmt| takes(facts, stmt));
    let worked = taken.and_then(|at| body.get(at + 1..)).is_some_and(|rest| {
        rest.iter()
            .any(|&stmt| facts.calls_in(stmt).next().is_some())
    });
    in_while && worked
}

/// `job = self._queue.get(timeout=1)`.
fn takes(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(stmt).kind
    else {
        return false;
    };
    facts.awaited_call(value).is_some_and(|call| {
        let from = call.receiver().and_then(|from| facts.last_name(from));
        let queue = from.is_some_and(|name| {
            ["queue", "inbox", "channel", "jobs", "tasks"]
                .iter()
                .any(|word| topic::says(name, word))
        });
        queue
            && matches!(
                call.method(),
                Some("get" | "get_nowait" | "recv" | "popleft")
            )
    })
}

/// What a loop handles one by one and must not lose without a word.
const ITEMS: &[&str] = &[
    "message",
    "msg",
    "event",
    "frame",
    "payload",
    "batch",
    "job",
    "packet",
    "chunk",
    "prediction",
    "detection",
    "record",
];

/// What a loop calls one by one.
const LISTENERS: &[&str] = &[
    "handler",
    "callback",
    "listener",
    "subscriber",
    "sink",
    "hook",
];

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
        Lost::Item => (
            "One that fails is passed over without a word.",
            "What it was about is lost, and nothing says which one or why.",
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
