//! What is lost where a failure leaves no trace: data, a sentinel, an item of many, or a clean-up.

use crate::facts::{BindingKind, Call, CleanupPlace, ExprId, ExprKind, Facts, StmtId, StmtKind};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    BestEffort,
    SharedCleanup,
    Data,
    /// Data for a peer that may be gone, and a comment says so.
    Farewell,
    Sentinel,
    /// One of several items or listeners is passed over.
    Item,
    /// A field is left empty.
    Field,
}

/// Whether all that is handed on goes to the other side of a connection: `transport.write(frame)`, `sock.sendall(data)`.
pub(super) fn goes_to_peer(facts: &Facts, body: &[StmtId]) -> bool {
    let is_peer = |call: &Call<'_>| {
        let name = call.receiver().and_then(|of| facts.last_name(of));
        name.is_some_and(|name| PEERS.iter().any(|word| topic::says(name, word)))
    };
    let inside = facts.statements_in(body).into_iter();
    let calls = inside.flat_map(|inner| facts.calls_in(inner));
    let mut handing = calls
        .filter(|call| stores(facts, call) || hands_on(facts, call) || changes_a_service(call))
        .peekable();
    handing.peek().is_some() && handing.all(|call| is_peer(&call))
}

/// What the other side of a connection is called.
const PEERS: &[&str] = &[
    "transport",
    "sock",
    "socket",
    "writer",
    "websocket",
    "ws",
    "conn",
    "connection",
    "peer",
];

/// What a `try` (or `with`) loses of its body without a word, if anything.
pub(super) fn lost(facts: &Facts, stmt: StmtId, body: &[StmtId]) -> Option<Lost> {
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
    let leaves_here = |call: &Call<'_>| hands_on(facts, call) || changes_a_service(call);
    if !on_the_way_out && calls.iter().any(leaves_here) {
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
    let keeps = !call.args.is_empty() && topic::has_word(call.name(), "store save persist upload");
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
        &*first,
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
    let keeps_all = call.args.is_empty() && matches!(&*first, "persist" | "save" | "store");
    (verb && carries && !mirrors) || changes_rows || keeps_all
}

/// Asks another service to keep something: `add_labels(api_key=key, labels=labels)`. What only counts or measures
/// may fail unseen.
fn changes_a_service(call: &Call<'_>) -> bool {
    let says = |words: &[&str]| words.iter().any(|word| topic::says(call.name(), word));
    let changes = topic::begins_with_word(
        call.name(),
        "add attach create insert register submit update upsert",
    );
    let reaches = ["api_key", "access_token", "auth_token", "credentials"]
        .iter()
        .any(|access| call.keyword(access).is_some());
    changes && reaches && !says(&["metric", "usage", "telemetry", "stats", "ping"])
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
    let before = || {
        facts
            .block_of(outer)
            .iter()
            .take_while(|&&stmt| stmt < outer)
    };
    let given = || {
        let mut taken = before().filter(|&&stmt| takes(facts, stmt));
        taken.any(|&stmt| body.iter().any(|&inner| is_given(facts, stmt, inner)))
    };
    in_while && (worked || given())
}

/// `job = self._queue.get()` before the `try`, and in it `self.handle(job)`.
fn is_given(facts: &Facts, taken: StmtId, inner: StmtId) -> bool {
    let StmtKind::Assign { targets, .. } = &facts.stmt(taken).kind else {
        return false;
    };
    let item = targets.first().and_then(|&target| facts.name(target));
    let mut calls = facts.calls_in(inner);
    item.is_some() && calls.any(|call| call.args.iter().any(|arg| facts.name(arg.value) == item))
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
                Some("get" | "get_nowait" | "recv" | "popleft" | "pop" | "lpop" | "rpop")
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
