//! A timed or polling acquire whose answer nobody looks at: the code goes on as if it held the lock.

use crate::facts::{
    Call, ExprId, ExprKind, Facts, Held, Kind, Proof, Span, StmtId, StmtKind, Taken,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "ignored-acquire-result",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "An acquire can fail, and its boolean answer is not used.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        match held.taken {
            Taken::Acquire(id) => {
                if let Some(call) = cx.facts.call(id) {
                    judge_acquire(cx, held, &call, out);
                }
            }
            Taken::Context(id) => {
                if let Some(call) = cx.facts.call(id) {
                    judge_context(cx, held, &call, out);
                }
            }
            Taken::With | Taken::Decorator(_) => {}
        }
    }
}

fn judge_acquire(cx: &Context<'_>, held: &Held, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    // A file lock raises when its time is over.
    let can_fail = call.method() == Some("acquire")
        && held.lock.kind != Kind::FileLock
        && !held.lock.is_async()
        && is_limited(facts, call);
    if can_fail && is_answer_unused(facts, call) {
        let verdict = verdict(cx, held);
        let lock = facts.shown(held.lock.expr);
        out.hits
            .push(Hit::new(&CHECK, Anchor::call(call), verdict, word(&lock)));
    }
}

/// A timed context yields its answer: `with acquire_with_timeout(lock) as acquired:`.
fn judge_context(cx: &Context<'_>, held: &Held, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if !cx.profile.locks.is_timed_context(call.callee()) {
        return;
    }
    if facts.answer_is_tested(held) {
        out.evidence(
            2,
            call.span(),
            "takes the lock for a limited time and tests the answer",
        );
        return;
    }
    let anchor = Anchor {
        stmt: held.stmt,
        span: call.span(),
    };
    let lock = facts.shown(held.lock.expr);
    let words = word(&lock);
    let verdict = match verdict(cx, held) {
        HitVerdict::Look => HitVerdict::Violation,
        other => other,
    };
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

fn verdict(cx: &Context<'_>, held: &Held) -> HitVerdict {
    match (cx.facts.cold_file(cx.profile), held.lock.proof) {
        (Some(reason), _) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        (None, Proof::Proven) => HitVerdict::Violation,
        (None, Proof::Named) => HitVerdict::Look,
    }
}

/// A timeout or `blocking=False`: the answer can be False.
fn is_limited(facts: &Facts, call: &Call<'_>) -> bool {
    let limits = ["timeout", "blocking", "block", "blocking_timeout"];
    let by_name = limits
        .iter()
        .filter_map(|name| call.keyword(name))
        .any(|value| !matches!(facts.expr(value).kind, ExprKind::True | ExprKind::None));
    let endless = call
        .keyword("timeout")
        .or_else(|| call.positional(1))
        .is_some_and(|value| facts.expr_text(value).starts_with('-'));
    let polls = call
        .positional(0)
        .is_some_and(|value| matches!(facts.expr(value).kind, ExprKind::False));
    !endless && (by_name || polls || call.positional(1).is_some())
}

/// Dropped, or kept under a name that nothing reads.
fn is_answer_unused(facts: &Facts, call: &Call<'_>) -> bool {
    if call.is_dropped() {
        return true;
    }
    match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == call.id => targets.iter().all(|&target| {
            facts.name(target).is_some() && !is_heeded(facts, target, facts.expr(*value).span)
        }),
        _ => false,
    }
}

/// Read behind the acquire by more than an `if not acquired:` that tells of it and goes on all the same.
fn is_heeded(facts: &Facts, target: ExprId, after: Span) -> bool {
    reads_after(facts, target, after).any(|read| !is_only_told(facts, read))
}

/// The test of an `if not acquired:` whose body only logs.
fn is_only_told(facts: &Facts, read: ExprId) -> bool {
    let StmtKind::If {
        test, body, orelse, ..
    } = &facts.stmt(facts.expr(read).stmt).kind
    else {
        return false;
    };
    let negated = matches!(facts.expr(*test).kind, ExprKind::Not(inner) if inner == read);
    let logs = |&stmt: &StmtId| {
        let mut calls = facts.calls_in(stmt);
        matches!(facts.stmt(stmt).kind, StmtKind::Expr(_)) && calls.any(|call| is_log(facts, &call))
    };
    negated && orelse.is_empty() && body.iter().all(logs)
}

fn is_log(facts: &Facts, call: &Call<'_>) -> bool {
    let receiver = call.receiver().and_then(|of| facts.last_name(of));
    call.callee() == "print"
        || call.is_message()
            && receiver.is_some_and(|of| topic::words(of).any(|word| word.starts_with("log")))
}

fn reads_after(facts: &Facts, target: ExprId, after: Span) -> impl Iterator<Item = ExprId> {
    let (name, scope) = (facts.expr_text(target), facts.expr(target).scope);
    let end = facts.scope(scope).span.end;
    facts.exprs_named(name).filter(move |&id| {
        let span = facts.expr(id).span;
        span.start >= after.end && span.end <= end && facts.name(id).is_some()
    })
}

fn word(lock: &str) -> Words {
    Words::new(
        format!("Nobody looks at whether `{lock}` was taken."),
        "When the time is over the code behind goes on without the lock, and a later release may give back what another thread holds.",
        "Test the answer, and leave (or raise that the lock is busy) where it is false.",
    )
}
