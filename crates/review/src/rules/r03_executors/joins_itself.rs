//! A thread that comes to its own join: it runs a function of its class that stops and joins it.

use super::kept::{self, Kept};
use super::thread_not_joined::CHECK;
use crate::facts::{Call, Facts, Kind, Made, Resource, ScopeId, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for kept in kept::kept(cx.facts, runs_here) {
        for closing in cx.facts.closings(&kept.holder, kept.made.resource) {
            if let Some(way) = way_to(cx.facts, &kept, closing.stmt) {
                report(cx, &kept, closing.stmt, &way, out);
            }
        }
    }
}

fn runs_here(made: &Made) -> bool {
    matches!(made.resource, Resource::Object(Kind::Thread | Kind::Timer))
}

/// The call by which the thread's function comes to the method that joins the thread.
fn way_to<'f>(facts: &'f Facts, kept: &Kept, join: StmtId) -> Option<Call<'f>> {
    let joins = facts
        .calls_in(join)
        .any(|call| call.method() == Some("join"));
    let target = facts.thread_target(&facts.call(kept.made.call)?)?;
    let method = facts
        .function_of(facts.stmt(join).scope)
        .filter(|_| joins)?;
    if facts.canonical(target) == facts.canonical(method) || is_guarded(facts, method, join) {
        return None;
    }
    let leads = |call: &Call<'f>| {
        facts.callee_scope(call).map(|scope| facts.canonical(scope))
            == Some(facts.canonical(method))
    };
    let direct = facts.calls_of(target).find(leads);
    direct.or_else(|| {
        facts.calls_of(target).find(|call| {
            let inner = facts
                .callee_scope(call)
                .filter(|&inner| !is_constructor(facts, inner));
            inner.is_some_and(|inner| facts.calls_of(inner).any(|call| leads(&call)))
        })
    })
}

fn is_constructor(facts: &Facts, function: ScopeId) -> bool {
    facts.scope_name(function) == Some("__init__")
}

/// The method asks which thread it runs in, or expects that the join is refused.
fn is_guarded(facts: &Facts, method: ScopeId, join: StmtId) -> bool {
    let asks = facts.calls_of(method).any(|call| {
        matches!(
            call.name(),
            "current_thread" | "currentThread" | "get_ident" | "get_native_id" | "main_thread"
        )
    });
    let expects = facts
        .handlers_around(join)
        .any(|handler| facts.catches(handler, &["RuntimeError"]));
    asks || expects
}

fn report(cx: &Context<'_>, kept: &Kept, join: StmtId, way: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = HitVerdict::sure_if(facts.sees_all_of(join));
    let anchor = Anchor::stmt(facts, join);
    let hit = Hit::new(&CHECK, anchor, kept::unless_cold(cx, verdict), word(kept));
    let mut hit = hit.with_related(way.span(), "the thread comes here by itself");
    hit.subject = Some("joins itself".to_string());
    hit.causes.push(way.span());
    out.hits.push(hit);
}

fn word(kept: &Kept) -> Words {
    let name = kept.holder.text();
    Words::new(
        format!("The thread in `{name}` can come to this join itself."),
        "A thread cannot join itself: Python raises RuntimeError there, and what stands behind the join is never released.",
        format!(
            "Join only from outside: `if {name} is not threading.current_thread()`, or let the thread end by returning."
        ),
    )
}
