//! Many wait for an answer, and a failure is told to one of them.

use super::kept;
use crate::facts::{BindingKind, Call, ExprId, Facts, Part, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "error-told-to-one",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A loop answers each of several waiters, and its error handler answers only the one that the loop had last.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| answers(call)) {
        if let Some(found) = told(facts, &call) {
            report(cx, &call, &found, out);
        }
    }
}

/// What wakes somebody who waits.
fn answers(call: &Call<'_>) -> bool {
    matches!(
        call.method(),
        Some(
            "put"
                | "put_nowait"
                | "send"
                | "send_json"
                | "send_text"
                | "send_message"
                | "set_exception"
                | "set_result"
                | "set"
                | "reply"
                | "respond"
                | "publish"
                | "fail"
                | "reject"
        )
    )
}

/// An answer of a handler that names what a loop of its `try` had last.
struct Told {
    /// The loop's variable.
    name: String,
    /// The loop's head.
    walked: Span,
    /// The answer that each gets where nothing raises.
    answered: Span,
}

fn told(facts: &Facts, call: &Call<'_>) -> Option<Told> {
    let outer = facts
        .ancestors(call.stmt())
        .find(|around| matches!(around.part, Part::Handler(_)))?
        .stmt;
    // A loop in the handler tells each of them.
    let in_own_loop = facts
        .innermost_loop(call.stmt())
        .is_some_and(|at| at > outer);
    if in_own_loop {
        return None;
    }
    facts.within(call.id).find_map(|id| {
        let each = left_over(facts, id, outer)?;
        let answer = answer_in(facts, each, id, call)?;
        Some(Told {
            name: facts.expr_text(id).to_string(),
            walked: facts.stmt(each).head,
            answered: answer.span(),
        })
    })
}

/// The loop in the body of the `try` that alone gives a name its value.
fn left_over(facts: &Facts, id: ExprId, outer: StmtId) -> Option<StmtId> {
    facts.name(id)?;
    let bindings = facts.lookup(id);
    let in_body = |stmt: StmtId| {
        let mut around = facts.ancestors(stmt);
        around.any(|around| around.stmt == outer && around.part == Part::Body)
    };
    let by_loop = |kind: BindingKind| matches!(kind, BindingKind::Loop { .. });
    let mut loops = bindings
        .iter()
        .filter(|binding| in_body(binding.stmt) && is_loop(facts, binding.stmt));
    let first = loops.next()?;
    // A value from before the `try` is meant for the case that the loop never began.
    let only_loops = bindings.iter().all(|binding| by_loop(binding.kind));
    let never_around = bindings.iter().all(|binding| {
        !facts
            .stmt(binding.stmt)
            .span
            .contains(facts.stmt(outer).span)
    });
    (only_loops && never_around).then_some(first.stmt)
}

fn is_loop(facts: &Facts, stmt: StmtId) -> bool {
    matches!(facts.stmt(stmt).kind, StmtKind::For { .. })
}

/// The same answer in the loop, to the one that the loop has.
fn answer_in<'f>(
    facts: &'f Facts,
    each: StmtId,
    name: ExprId,
    told: &Call<'_>,
) -> Option<Call<'f>> {
    let is_same_kind = |call: &Call<'_>| {
        let of_future =
            |call: &Call<'_>| matches!(call.method(), Some("set_result" | "set_exception"));
        call.method() == told.method() || (of_future(call) && of_future(told))
    };
    let mentions = |call: &Call<'_>| {
        let mut inside = facts.within(call.id);
        inside.any(|id| facts.name(id) == facts.name(name))
    };
    facts
        .calls_within(facts.stmt(each).span)
        .filter(answers)
        .find(|call| is_same_kind(call) && mentions(call))
}

fn report(cx: &Context<'_>, call: &Call<'_>, told: &Told, out: &mut Outcome) {
    let verdict = HitVerdict::sure_if(cx.facts.sees_enclosure(call.stmt()));
    let verdict = kept::unless_cold(cx, verdict);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, word(told))
        .with_related(told.walked, "each of these waits")
        .with_related(told.answered, "the answer that each gets otherwise");
    hit.causes.extend([told.walked, told.answered]);
    out.hits.push(hit);
}

fn word(told: &Told) -> Words {
    let name = &told.name;
    Words::new(
        format!("The failure is told to `{name}` alone, the one that the loop had last."),
        "The others of the batch get neither a result nor the error, and whoever asked for them waits for ever; where the loop never began, the name is not even bound.",
        "Tell each of them in a loop of the handler, those that have their answer already left out.",
    )
}
