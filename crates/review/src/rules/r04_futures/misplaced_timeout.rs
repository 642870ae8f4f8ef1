//! A timeout that stands where it limits nothing: where a call takes whether to block at all, or around no wait.

use super::empty_limits;
use super::handed::{Handed, handed};
use crate::facts::{Call, ExprId, ExprKind, Facts, Heat, Kind, Proof};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "misplaced-timeout",
    rule: 4,
    severity: Severity::Flag,
    references: &[],
    summary: "A timeout stands where it limits nothing: as the `block` argument of a queue's `get` or `put`, or around a block that awaits nothing.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if let Some(found) = misplaced(cx.facts, &call) {
            report(cx, &call, &found, out);
        }
    }
    empty_limits::detect(cx, out);
}

/// A timeout in the wrong place.
struct Misplaced<'f> {
    queue: ExprId,
    method: &'f str,
    limit: ExprId,
    proof: Proof,
}

fn misplaced<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<Misplaced<'f>> {
    let given = handed(facts, call).or_else(|| Handed::itself(facts, call))?;
    let place = match given.method {
        "get" => 0,
        "put" => 1,
        _ => return None,
    };
    let found = facts
        .type_of(given.receiver)
        .filter(|found| found.is(Kind::Queue))?;
    let limit = *given.positional.get(place)?;
    let has_own = given.positional.get(place + 1).is_some() || given.keyword("timeout").is_some();
    let is_limit = !has_own && is_time(facts, limit, found.proof);
    is_limit.then_some(Misplaced {
        queue: given.receiver,
        method: given.method,
        limit,
        proof: found.proof,
    })
}

/// Seconds by their look: a number that is no truth value, or a name that says so. Where only its name makes the queue
/// one, `get(3)` may be a look-up.
fn is_time(facts: &Facts, limit: ExprId, proof: Proof) -> bool {
    let text = facts.expr_text(limit);
    let says_time = |id: ExprId| {
        let name = facts.last_name(id).unwrap_or("");
        topic::has_word(name, "timeout seconds secs interval deadline")
    };
    match facts.expr(limit).kind {
        ExprKind::Number => {
            let is_truth = matches!(text, "0" | "1" | "0.0");
            !is_truth && (proof == Proof::Proven || text.contains('.'))
        }
        ExprKind::Name | ExprKind::Attribute { .. } => says_time(limit),
        ExprKind::Binary { .. } => facts.within(limit).any(says_time),
        _ => false,
    }
}

fn report(cx: &Context<'_>, call: &Call<'_>, found: &Misplaced<'_>, out: &mut Outcome) {
    let verdict = match (cx.facts.heat(call.stmt(), cx.profile), found.proof) {
        (Heat::Cold(reason), _) => HitVerdict::Excused(format!("Not on a hot path: {reason}.")),
        (_, Proof::Proven) => HitVerdict::Violation,
        (_, Proof::Named) => HitVerdict::Look,
    };
    let words = word(cx.facts, found);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

fn word(facts: &Facts, found: &Misplaced<'_>) -> Words {
    let (queue, method) = (facts.shown(found.queue), found.method);
    let limit = facts.shown(found.limit);
    Words::new(
        format!(
            "`{limit}` is taken as the `block` argument of `{queue}.{method}`, not as its timeout."
        ),
        "Anything but zero means that the call may block, and with no timeout it does so for ever: what handles `Empty` or `Full` behind it never runs.",
        format!("Name it: `timeout={limit}`."),
    )
}
