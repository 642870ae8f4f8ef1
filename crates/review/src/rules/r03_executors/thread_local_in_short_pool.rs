//! Things of one thread in pool threads that end, or context that does not reach them.

use super::kept;
use crate::facts::{Call, Facts, Handover, Keeper, Kind, Span};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "thread-local-in-short-pool",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A thread-local session lives in pool threads that end without closing it, or a context variable is not carried into them.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for &handover in cx.facts.handovers() {
        let Some(call) = cx.facts.call(handover.call) else {
            continue;
        };
        if let Some(session) =
            thread_local_session(cx.facts, handover).filter(|_| is_short_lived(cx.facts, &call))
        {
            report(
                cx,
                &call,
                session,
                "made for each thread, closed by none",
                session_words(),
                out,
            );
        } else if let Some(read) =
            context_read(cx.facts, handover).filter(|_| !copies_context(cx.facts, &call))
        {
            report(
                cx,
                &call,
                read,
                "reads a context variable",
                context_words(),
                out,
            );
        }
    }
}

/// A session that the function, or one that it calls, puts on a `threading.local()`.
fn thread_local_session(facts: &Facts, handover: Handover) -> Option<Span> {
    facts
        .made()
        .iter()
        .filter(|made| {
            made.resource.is(Kind::HttpSession)
                || made.resource.is(Kind::Client)
                || made.resource.is(Kind::Redis)
        })
        .filter(|made| {
            matches!(made.keeper, Keeper::Elsewhere) && is_on_thread_local(facts, made.stmt)
        })
        .find(|made| runs_in(facts, handover, facts.expr(made.call).span))
        .map(|made| facts.expr(made.call).span)
}

/// `_local.session = ...`.
fn is_on_thread_local(facts: &Facts, stmt: crate::facts::StmtId) -> bool {
    facts.exprs_of(stmt).any(|id| {
        facts.attribute(id).is_some_and(|(object, _)| {
            let by_name = facts
                .name(object)
                .is_some_and(|name| matches!(name, "_local" | "_thread_local" | "_tls"));
            facts.kind_of(object) == Some(Kind::ThreadLocal)
                || (by_name && facts.bindings_behind(object).is_empty())
        })
    })
}

/// Whether a span lies in the handed function or in one that it calls in this file.
fn runs_in(facts: &Facts, handover: Handover, span: Span) -> bool {
    let own = facts.scope(handover.function).span;
    own.contains(span)
        || facts
            .calls_within(own)
            .filter_map(|call| facts.callee_scope(&call))
            .any(|scope| facts.scope(scope).span.contains(span))
}

/// The pool ends with the function that hands the work over.
fn is_short_lived(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(pool) = call.receiver() else {
        return false;
    };
    facts.with_items(call.stmt()).any(|(_, item)| {
        item.target
            .is_some_and(|target| facts.dotted(target) == facts.dotted(pool))
    })
}

/// A `ContextVar` of this file that the function reads.
fn context_read(facts: &Facts, handover: Handover) -> Option<Span> {
    facts
        .calls_within(facts.scope(handover.function).span)
        .filter(|call| call.method() == Some("get"))
        .find(|call| {
            call.receiver()
                .is_some_and(|receiver| is_context_variable(facts, receiver))
        })
        .map(|call| call.span())
}

fn is_context_variable(facts: &Facts, id: crate::facts::ExprId) -> bool {
    facts
        .values(id)
        .into_iter()
        .filter_map(|value| facts.call(value))
        .any(|call| call.is(&["contextvars.ContextVar"]))
}

/// `asyncio.to_thread` carries the context over; others need `copy_context().run`.
fn copies_context(facts: &Facts, call: &Call<'_>) -> bool {
    let text = facts.text(call.span());
    call.is(&["asyncio.to_thread"])
        || facts.calls_named("copy_context").next().is_some()
        || text.contains("copy_context")
}

fn report(
    cx: &Context<'_>,
    call: &Call<'_>,
    span: Span,
    note: &str,
    words: Words,
    out: &mut Outcome,
) {
    let verdict = kept::unless_cold(cx, HitVerdict::Look);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words).with_related(span, note);
    hit.causes.push(span);
    out.hits.push(hit);
}

fn session_words() -> Words {
    Words::new(
        "The threads of this short-lived pool each open a session of their own and do not close it.",
        "A thread-local value goes when its thread does, without being closed: each use of the pool leaves its connections to the collector.",
        "Who closes the sessions when the pool ends? One session for the whole pool, or a long-lived pool, would do without the question.",
    )
}

fn context_words() -> Words {
    Words::new(
        "The function reads a context variable in a thread that does not have the caller's context.",
        "Pool threads and new threads begin with an empty context, so the variable has its default there: a request id or tenant is lost.",
        "Is the default meant here? If not, hand over `contextvars.copy_context().run` with the function, or pass the value.",
    )
}
