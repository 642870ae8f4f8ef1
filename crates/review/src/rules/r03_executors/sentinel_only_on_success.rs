//! A producer that tells its consumer that it is done only when nothing raised.

use super::{feeders, kept, signals};
use crate::facts::{Bound, Call, ExprKind, Facts, Handler, Kind, ScopeId, Span, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "sentinel-only-on-success",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A consumer waits for a sentinel that its producer puts only when nothing raises.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for &handover in cx.facts.handovers() {
        for call in cx
            .facts
            .calls_within(cx.facts.scope(handover.function).span)
        {
            if puts_sentinel(cx.facts, &call) || put_by_helper(cx.facts, &call).is_some() {
                judge(cx, &call, handover.function, out);
            }
        }
    }
    for call in cx.facts.calls() {
        if let Some(function) = hidden_producer(cx.facts, &call) {
            judge(cx, &call, function, out);
        }
    }
    for call in cx.facts.calls() {
        let producer = producing_task(cx.facts, &call).or_else(|| signalled(cx.facts, &call));
        if let Some(function) = producer {
            judge(cx, &call, function, out);
        }
    }
    feeders::detect(cx, out);
    signals::detect(cx, out);
}

/// A coroutine that a task runs beside its consumer, and that puts a sentinel into their queue.
fn producing_task(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let function = facts.function_of(call.scope())?;
    let queue = call.receiver().and_then(|queue| facts.kind_of(queue));
    let puts = queue == Some(Kind::AsyncQueue) && says_end(facts, call);
    (puts && facts.is_async(function) && facts.runs_as_task(function)).then_some(function)
}

/// A handler of a signal that wakes the process's main loop.
fn signalled(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let function = facts.function_of(call.scope())?;
    (says_end(facts, call) && puts_sentinel(facts, call) && facts.is_end_hook(function))
        .then_some(function)
}

/// `None` or something whose name says that nothing more comes.
fn says_end(facts: &Facts, put: &Call<'_>) -> bool {
    let value = put.positional(0);
    let sentinel = value.is_some_and(|value| {
        let named = facts.last_name(value).is_some_and(|name| {
            ["sentinel", "done", "stop", "end", "eof", "poison"]
                .iter()
                .any(|word| topic::says(name, word))
        });
        named || matches!(facts.expr(value).kind, ExprKind::None)
    });
    sentinel && matches!(put.method(), Some("put" | "put_nowait"))
}

/// A function that puts a sentinel, where the text that would hand it to a thread may not be shown.
fn hidden_producer(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let function = facts.function_of(call.scope())?;
    let is_named = call.positional(0).and_then(|value| facts.last_name(value));
    let is_handed = facts
        .handovers()
        .iter()
        .any(|handover| handover.function == function);
    let class = facts.class_of(function);
    let sees_all = facts.document.whole || class.is_some_and(|class| facts.is_visible(class));
    let is_hidden = !sees_all && !is_handed;
    (is_hidden && is_named.is_some() && puts_sentinel(facts, call)).then_some(function)
}

/// `queue.put(None)` or `queue.put(SENTINEL)`.
pub(super) fn puts_sentinel(facts: &Facts, call: &Call<'_>) -> bool {
    let kind = call.receiver().and_then(|receiver| facts.kind_of(receiver));
    // Where the queue's making is not shown, a named sentinel says enough.
    let is_hidden = kind.is_none() && !facts.document.whole;
    let is_queue = kind == Some(Kind::Queue) || is_hidden || is_given_queue(facts, call);
    let value = call.positional(0);
    let sentinel = value.is_some_and(|value| {
        let named = facts.last_name(value).is_some_and(|name| {
            ["sentinel", "done", "stop", "end", "eof", "poison"]
                .iter()
                .any(|word| topic::says(name, word))
        });
        named || (!is_hidden && matches!(facts.expr(value).kind, ExprKind::None))
    });
    is_queue && sentinel && matches!(call.method(), Some("put" | "put_nowait"))
}

/// `self._offer(END)`, where `_offer` puts what it is given into a queue: that put.
fn put_by_helper<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<Call<'f>> {
    let value = call.positional(0)?;
    let named = facts.last_name(value).is_some_and(|name| {
        ["sentinel", "end", "eof", "poison"]
            .iter()
            .any(|word| topic::says(name, word))
    });
    puts_given(facts, call).filter(|_| named)
}

/// The put by which a function of this file hands its argument on to a queue.
fn puts_given<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<Call<'f>> {
    let function = facts.callee_scope(call)?;
    let hands_on = |put: &Call<'_>| {
        let is_put = matches!(put.method(), Some("put" | "put_nowait"));
        let kind = put.receiver().and_then(|queue| facts.kind_of(queue));
        let is_queue = kind == Some(Kind::Queue) || (kind.is_none() && !facts.document.whole);
        let given = put.positional(0).and_then(|item| facts.parameter(item));
        is_put && is_queue && given.is_some()
    };
    facts.calls_of(function).find(hands_on)
}

/// The parameter of a function that a thread runs, which is given a queue: `Thread(target=f, args=(source, q))`.
fn is_given_queue(facts: &Facts, put: &Call<'_>) -> bool {
    let Some((function, param)) = put.receiver().and_then(|queue| facts.parameter(queue)) else {
        return false;
    };
    let params = &facts.scope(function).params;
    let place = params.iter().position(|other| other.name == param.name);
    let gives = |call: Call<'_>| {
        let args = call.keyword("args")?;
        let given = facts.item(args, place? as u32)?;
        Some(facts.kind_of(given) == Some(Kind::Queue))
    };
    let mut handovers = facts.handovers().iter();
    handovers.any(|of| {
        let call = facts.call(of.call).filter(|_| of.function == function);
        call.and_then(gives) == Some(true)
    })
}

fn judge(cx: &Context<'_>, call: &Call<'_>, producer: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.in_finally(call.stmt()) || is_in_both_paths(facts, call, producer) {
        out.evidence(3, call.span(), "the sentinel is put on every path");
        return;
    }
    let walk = || feeders::walk_before(facts, call);
    let known = work_before(facts, call);
    let (Some(work), Some(wait)) = (known.or_else(walk), waiting_consumer(facts, call, producer))
    else {
        return;
    };
    let shown = facts.is_visible(producer) && facts.sees_enclosure(call.stmt());
    let sure = shown && known.is_some();
    let verdict = HitVerdict::sure_if(sure);
    let hit = Hit::new(
        &CHECK,
        Anchor::call(call),
        kept::unless_test(cx, verdict),
        word(facts, call),
    );
    let mut hit = hit
        .with_related(facts.stmt(work).head, "an error here skips the sentinel")
        .with_related(wait, "waits for it without a timeout");
    hit.causes.push(wait);
    out.hits.push(hit);
}

/// Another sentinel in a handler of the same function.
pub(super) fn is_in_both_paths(facts: &Facts, call: &Call<'_>, producer: ScopeId) -> bool {
    facts
        .calls_within(facts.scope(producer).span)
        .filter(|other| other.id != call.id)
        .filter(|other| {
            puts_sentinel(facts, other)
                || says_end(facts, other)
                || put_by_helper(facts, other).is_some()
        })
        .any(|other| {
            facts.enclosing_handler(other.stmt()).is_some() || facts.in_finally(other.stmt())
        })
        || facts.enclosing_handler(call.stmt()).is_some()
}

/// A call before the sentinel whose error nothing in the function catches, or only a handler that leaves it out as well.
fn work_before(facts: &Facts, call: &Call<'_>) -> Option<StmtId> {
    facts
        .statements_of(facts.stmt(call.stmt()).scope)
        .filter(|&stmt| stmt < call.stmt())
        .filter(|&stmt| !is_made_up_for(facts, stmt, call))
        .find(|&stmt| {
            let fails = |other: Call<'_>| !is_quiet(&other) && puts_given(facts, &other).is_none();
            facts.calls_in(stmt).any(fails)
        })
}

/// Whether the sentinel is reached although a statement raised: what catches it lets the function go on before the
/// sentinel, or tells the consumer itself.
fn is_made_up_for(facts: &Facts, stmt: StmtId, put: &Call<'_>) -> bool {
    let around_both = |handler: &Handler| {
        let mut shared = facts.handlers_around(put.stmt());
        shared.any(|other| other.span == handler.span)
    };
    let mut all = facts.handlers_around(stmt);
    all.any(|handler| {
        let skips =
            around_both(handler) && !tells(facts, handler, put) && !is_put_later(facts, put);
        facts.catches_all(handler) && !skips
    })
}

/// A handler that puts the error into the queue, or leaves the process.
fn tells(facts: &Facts, handler: &Handler, put: &Call<'_>) -> bool {
    let queue = put.receiver().and_then(|queue| facts.last_name(queue));
    let body = facts.statements_in(&handler.body);
    let mut calls = body.into_iter().flat_map(|stmt| facts.calls_in(stmt));
    calls.any(|call| {
        let puts = matches!(call.method(), Some("put" | "put_nowait"));
        let of_queue = call.receiver().and_then(|of| facts.last_name(of)) == queue;
        (puts && of_queue) || matches!(call.name(), "exit" | "_exit" | "abort" | "kill")
    })
}

/// The same queue is told once more, behind the `try`.
fn is_put_later(facts: &Facts, put: &Call<'_>) -> bool {
    let queue = put.receiver().and_then(|queue| facts.last_name(queue));
    let mut calls = facts.calls_of(put.scope());
    calls.any(|call| {
        let of_queue = call.receiver().and_then(|of| facts.last_name(of)) == queue;
        let puts = matches!(call.method(), Some("put" | "put_nowait"));
        puts && of_queue && call.stmt() > put.stmt()
    })
}

/// Logging, counting and handing over do not raise in practice.
pub(super) fn is_quiet(call: &Call<'_>) -> bool {
    call.is_message()
        || matches!(
            call.name(),
            "len" | "range" | "is_set" | "put" | "put_nowait"
        )
}

/// A `get` of the same queue, elsewhere in the file, that waits without a timeout.
fn waiting_consumer(facts: &Facts, put: &Call<'_>, producer: ScopeId) -> Option<Span> {
    let through = put_by_helper(facts, put);
    let put = through.as_ref().unwrap_or(put);
    let name = put
        .receiver()
        .and_then(|receiver| facts.last_name(receiver))?;
    let producer = facts.scope(producer).span;
    facts
        .calls()
        .filter(|call| {
            call.method() == Some("get") && call.args.is_empty() && !producer.contains(call.span())
        })
        .filter(|call| facts.bound(call, 1, "timeout") == Bound::Unbounded)
        .find(|call| {
            let of = call.receiver();
            let same_name = of.and_then(|of| facts.last_name(of)) == Some(name);
            let is_queue = || of.is_some_and(|of| facts.kind_of(of) == Some(Kind::Queue));
            same_name || (is_given_queue(facts, put) && is_queue())
        })
        .map(|call| call.span())
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let through = put_by_helper(facts, call);
    let put = through.as_ref().unwrap_or(call);
    let queue = put
        .receiver()
        .map_or("the queue", |receiver| facts.expr_text(receiver));
    Words::new(
        format!("`{queue}` is told that the work is done only when nothing raised."),
        "If the producer fails, its thread ends without a word, and the consumer waits for ever.",
        "Put the sentinel in a `finally`, and hand the error over with it.",
    )
}
