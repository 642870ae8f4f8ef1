//! A file lock that is waited for without end.

use crate::facts::{Bound, Call, ExprId, Facts, Held, Kind, Piece, Proof, StmtKind, Taken};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "filelock-without-timeout",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A file lock is taken with no timeout, neither where it is made nor where it is taken.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if is_of_given_class(cx.facts, &call) {
            let verdict = cx.where_shared(HitVerdict::Look);
            let words = word(cx.facts, &call, &verdict);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
            continue;
        }
        if cx.facts.constructs(&call) != Some(Kind::FileLock) {
            continue;
        }
        if cx.facts.bound(&call, 1, "timeout") != Bound::Unbounded || never_waits(cx.facts, &call) {
            out.evidence(7, call.span(), "the file lock has a timeout");
            continue;
        }
        if let Some(verdict) = verdict(cx.facts, &call) {
            let verdict = cx.where_shared(verdict);
            let words = word(cx.facts, &call, &verdict);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// `with self.lock_class(path + ".lock"):`, the class of a file lock that users choose, entered with a path alone.
fn is_of_given_class(facts: &Facts, call: &Call<'_>) -> bool {
    let says_class = ["lock class", "lock cls", "lock type", "lock factory"]
        .iter()
        .any(|phrase| topic::says(call.name(), phrase));
    let [only] = call.args else {
        return false;
    };
    let pieces = facts.pieces(only.value).unwrap_or_default();
    let of_file = pieces.iter().any(|piece| match piece {
        Piece::Text(text) => facts.text(*text).contains("lock"),
        Piece::Value(_) => false,
    });
    let is_entered = match &facts.stmt(call.stmt()).kind {
        StmtKind::With { items, .. } => items.iter().any(|item| item.context == call.id),
        _ => false,
    };
    says_class && of_file && is_entered && facts.constructs(call).is_none()
}

fn never_waits(facts: &Facts, call: &Call<'_>) -> bool {
    call.keyword("blocking")
        .is_some_and(|value| facts.expr_text(value) == "False")
}

/// How the lock is taken: a shown take without a timeout proves it; one with a timeout cures it.
fn verdict(facts: &Facts, made: &Call<'_>) -> Option<HitVerdict> {
    let takes: Vec<&Held> = facts
        .held()
        .iter()
        .filter(|held| held.lock.kind == Kind::FileLock && held.lock.proof == Proof::Proven)
        .filter(|held| comes_from(facts, held.lock.expr, made.id))
        .collect();
    let timed = |held: &&&Held| match held.taken {
        Taken::Acquire(acquire) | Taken::Context(acquire) => facts
            .call(acquire)
            .is_some_and(|call| is_timed_acquire(facts, &call)),
        Taken::With | Taken::Decorator(_) => false,
    };
    match (takes.is_empty(), takes.iter().filter(timed).count()) {
        (true, _) => Some(HitVerdict::Look),
        (false, timed) if timed == takes.len() => None,
        _ => Some(HitVerdict::Violation),
    }
}

fn is_timed_acquire(facts: &Facts, call: &Call<'_>) -> bool {
    facts.bound(call, 0, "timeout") != Bound::Unbounded || never_waits(facts, call)
}

/// Whether a lock expression is the object that a call makes, directly or through a helper of the file.
fn comes_from(facts: &Facts, lock: ExprId, made: ExprId) -> bool {
    facts.values(lock).into_iter().any(|value| {
        value == made
            || facts
                .call(value)
                .and_then(|call| facts.callee_scope(&call))
                .is_some_and(|function| {
                    facts
                        .returns_of(function)
                        .any(|returned| facts.values(returned).contains(&made))
                })
    })
}

fn word(facts: &Facts, call: &Call<'_>, verdict: &HitVerdict) -> Words {
    let text = facts.expr_text(call.function);
    let ask = match verdict {
        HitVerdict::Look => {
            "Is it taken with `acquire(timeout=...)` somewhere? If not, pass `timeout=` here, and handle `filelock.Timeout`."
        }
        _ => {
            "Pass `timeout=` to the lock (or to `acquire`), and handle `filelock.Timeout` where it is taken: skip, or fall back."
        }
    };
    Words::new(
        format!("`{text}(...)` is waited for without a timeout."),
        "A worker that hangs or is stopped while it holds the lock file stops every other worker that needs the same entry, for ever.",
        ask,
    )
}
