//! The outcome of somebody's work that a closing method asks for before it has let go of what is its own.

use super::first_failure_skips_rest::{CHECK, is_guarded};
use super::gathered_hooks;
use super::hooks::{ends_own, skipped};
use crate::facts::{
    Call, CleanupPlace, ExprId, Facts, Kind, ScopeId, StmtId, StmtKind, ends_object,
};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told: Vec<ScopeId> = Vec::new();
    for stmt in facts.stmt_ids() {
        let scope = facts.stmt(stmt).scope;
        if told.contains(&scope) || is_guarded(facts, stmt) {
            continue;
        }
        if let Some(rest) = gathered_hooks::rest_behind(facts, stmt) {
            told.push(scope);
            report(facts, stmt, Raiser::Gathered, rest, out);
            continue;
        }
        if !closes_its_object(facts, stmt) {
            continue;
        }
        if let Some(raiser) = raiser(facts, stmt)
            && let Some(release) = skipped(facts, stmt, |call| ends(facts, call))
        {
            told.push(scope);
            report(facts, stmt, raiser, release, out);
        }
    }
}

/// What raises somebody's error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Raiser {
    /// `self.trigger().result()`: whatever the work died of.
    Outcome,
    /// `await gather(*(peer.close() for peer in peers))`: the first error of them.
    Gathered,
}

fn closes_its_object(facts: &Facts, stmt: StmtId) -> bool {
    let place = facts.cleanup_place(stmt);
    let in_method = facts.class_of(facts.stmt(stmt).scope).is_some();
    in_method && matches!(place, Some(CleanupPlace::Closer | CleanupPlace::Protocol))
}

fn raiser(facts: &Facts, stmt: StmtId) -> Option<Raiser> {
    if !matches!(
        facts.stmt(stmt).kind,
        StmtKind::Expr(_) | StmtKind::Assign { .. }
    ) {
        return None;
    }
    if facts.calls_in(stmt).any(|call| gives_outcome(facts, &call)) {
        return Some(Raiser::Outcome);
    }
    gathers_ends(facts, stmt).then_some(Raiser::Gathered)
}

/// `await asyncio.gather(...)` of what ends several things, with the errors of each for the caller.
fn gathers_ends(facts: &Facts, stmt: StmtId) -> bool {
    let ends_one = |given: ExprId| {
        let mut inner = facts.within(given).filter_map(|id| facts.call(id));
        inner.any(|call| topic::words(call.name()).any(|word| ends_one_of_several(&word)))
    };
    facts.calls_in(stmt).any(|call| {
        let hands_on = call.keyword("return_exceptions").is_none() && call.is_awaited();
        call.is(&["asyncio.gather"]) && hands_on && call.args.iter().any(|arg| ends_one(arg.value))
    })
}

/// It ends, or lets what is still on its way arrive first.
fn ends_one_of_several(word: &str) -> bool {
    ends_object(word)
        || matches!(
            word,
            "leave" | "unsubscribe" | "drain" | "flush" | "logout" | "quit" | "bye"
        )
}

/// `future.result()`, or a method of the same class that ends in one and does not guard it.
fn gives_outcome(facts: &Facts, call: &Call<'_>) -> bool {
    let inside = || {
        let of_self = facts.self_attribute(call.function).is_some() && call.is_dropped();
        let method = facts.callee_scope(call).filter(|_| of_self)?;
        let mut calls = facts.calls_of(method);
        calls.find(|inner| is_outcome(facts, inner) && !is_guarded(facts, inner.stmt()))
    };
    is_outcome(facts, call) || inside().is_some()
}

fn is_outcome(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(receiver) = call.receiver().filter(|_| call.method() == Some("result")) else {
        return false;
    };
    let by_name = || {
        let name = facts.last_name(receiver).unwrap_or("");
        let fresh = facts.call(receiver).is_some();
        fresh
            || ["future", "fut", "job", "pending"]
                .iter()
                .any(|word| topic::says(name, word))
    };
    match facts.kind_of(receiver) {
        Some(kind) => matches!(kind, Kind::Future | Kind::Task),
        None => by_name(),
    }
}

/// Ends a part of the object, or the object itself: `self.stop()`, `super().close()`.
fn ends(facts: &Facts, call: &Call<'_>) -> bool {
    let of_self = call.receiver().is_some_and(|of| {
        let is_super = facts.call(of).is_some_and(|call| call.name() == "super");
        is_super || facts.name(of) == Some("self")
    });
    (of_self && call.ends_receiver()) || ends_own(facts, call)
}

fn report(facts: &Facts, stmt: StmtId, raiser: Raiser, release: StmtId, out: &mut Outcome) {
    let head = facts.stmt(release).head;
    let words = match raiser {
        Raiser::Outcome => word_of_outcome(facts.text(head)),
        Raiser::Gathered => word_of_gathered(facts.text(head)),
    };
    let mut hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), HitVerdict::Look, words)
        .with_related(head, "skipped when this raises");
    hit.causes.push(head);
    out.hits.push(hit);
}

fn word_of_outcome(release: &str) -> Words {
    Words::new(
        format!(
            "The last work's outcome is asked for before `{}`.",
            first_line(release)
        ),
        "If the work failed, its error leaves here: in an exit it hides the error of the body, and threads, sockets and pools of the object go on for ever.",
        "Can it fail? Put the release into a `finally`, or catch and log the failure of the last work.",
    )
}

fn word_of_gathered(release: &str) -> Words {
    Words::new(
        format!(
            "The first end that fails comes out of this `gather`, before `{}`.",
            first_line(release)
        ),
        "One dead peer is enough: the others are still on their way when the error leaves here, and what stands behind is never ended.",
        "Pass `return_exceptions=True`, log each error among the results, and go on.",
    )
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text).trim_end_matches('(')
}
