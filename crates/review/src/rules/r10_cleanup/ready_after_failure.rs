//! A failure is told of, and the object still says that it is ready.

use crate::facts::{ExprId, ExprKind, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "ready-after-failure",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A handler only logs that something could not be loaded or started, and the code behind it says that it was.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = &facts.stmt(stmt).kind else {
            continue;
        };
        for handler in handlers {
            if let Some(said) = said_to_be_done(facts, stmt, body, handler) {
                report(cx, stmt, handler, said, out);
            }
        }
    }
}

/// Words of fields that tell whether something is there to be used.
const DONE: &[&str] = &[
    "loaded",
    "ready",
    "initialized",
    "initialised",
    "connected",
    "started",
    "warmed",
    "registered",
    "downloaded",
];

/// Behind a `try` whose handler only tells of the failure: the statement that says that all went well.
fn said_to_be_done(
    facts: &Facts,
    stmt: StmtId,
    body: &[StmtId],
    handler: &Handler,
) -> Option<StmtId> {
    let only_tells = |stmt: &StmtId| match facts.stmt(*stmt).kind {
        StmtKind::Pass => true,
        StmtKind::Expr(_) => facts.calls_in(*stmt).count() > 0 && facts.tells(handler),
        _ => false,
    };
    let is_work = || {
        let inside = facts.statements_in(body);
        let mut calls = inside.iter().flat_map(|&inner| facts.calls_in(inner));
        calls.any(|call| topic::words(call.name()).any(|word| STARTS.contains(&&*word)))
    };
    if !facts.catches_all(handler) || !handler.body.iter().all(only_tells) || !is_work() {
        return None;
    }
    let behind = facts.following(stmt).iter().copied();
    behind
        .take_while(|&next| {
            matches!(
                facts.stmt(next).kind,
                StmtKind::Assign { .. } | StmtKind::Expr(_)
            )
        })
        .find(|&next| says_done(facts, next))
}

/// What makes the thing that the field tells of.
const STARTS: &[&str] = &[
    "load",
    "init",
    "initialize",
    "initialise",
    "connect",
    "start",
    "warmup",
    "register",
    "download",
    "setup",
    "open",
];

/// `self._ready = True`.
fn says_done(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return false;
    };
    let is_flag = |&target: &ExprId| {
        facts
            .self_attribute(target)
            .is_some_and(|name| topic::words(name).any(|word| DONE.contains(&&*word)))
    };
    matches!(facts.expr(*value).kind, ExprKind::True) && targets.iter().any(is_flag)
}

fn report(cx: &Context<'_>, stmt: StmtId, handler: &Handler, said: StmtId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody relies on it: {reason}.")),
        None => HitVerdict::Look,
    };
    let anchor = Anchor {
        stmt,
        span: handler.span,
    };
    let said = facts.stmt(said).head;
    let words = Words::new(
        format!(
            "After a failure the function goes on to `{}`.",
            facts.text(said)
        ),
        "Whoever tests that field uses something that is not there, and nothing tries again: the failure shows far from its cause.",
        "Is a failure meant to count as done? If not, set the field at the end of the `try`, or in its `else`.",
    );
    let mut hit =
        Hit::new(&CHECK, anchor, verdict, words).with_related(said, "said here in any case");
    hit.causes.push(said);
    out.hits.push(hit);
}
