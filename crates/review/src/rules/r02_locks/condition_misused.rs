//! A condition that is waited for once and not asked again, or told of a change by somebody who does not hold it.

use crate::facts::{Call, Facts, Kind, Part, Proof, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "condition-misused",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A condition's `wait` stands in an `if` instead of a loop, or its `notify` is called without holding it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts
        .calls_named("wait")
        .filter(|call| is_on_condition(facts, call))
    {
        if is_asked_once(facts, &call) {
            push(cx, &call, word_wait(facts, &call), out);
        }
    }
    for name in ["notify", "notify_all"] {
        for call in facts
            .calls_named(name)
            .filter(|call| is_on_condition(facts, call))
        {
            if is_told_from_outside(facts, &call) {
                push(cx, &call, word_notify(facts, &call), out);
            }
        }
    }
}

fn is_on_condition(facts: &Facts, call: &Call<'_>) -> bool {
    let of = call.receiver().and_then(|receiver| facts.type_of(receiver));
    of.is_some_and(|of| {
        let kind = matches!(of.kind, Kind::Condition | Kind::AsyncCondition);
        kind && of.depth == 0 && of.proof == Proof::Proven
    })
}

/// In the body of an `if`, and in no loop that would ask again.
fn is_asked_once(facts: &Facts, call: &Call<'_>) -> bool {
    let own = facts.stmt(call.stmt()).scope;
    let around: Vec<_> = facts
        .ancestors(call.stmt())
        .filter(|around| facts.stmt(around.stmt).scope == own)
        .collect();
    let in_if = around.first().is_some_and(|first| {
        let is_if = matches!(facts.stmt(first.stmt).kind, StmtKind::If { .. });
        is_if && first.part == Part::Body
    });
    let looped = around.iter().any(|around| {
        matches!(
            facts.stmt(around.stmt).kind,
            StmtKind::While { .. } | StmtKind::For { .. }
        )
    });
    // Who gives up or returns what it knew takes nothing for granted.
    let uses_state = facts.ancestors(call.stmt()).next().is_some_and(|first| {
        let behind = facts.statements_in(facts.following(first.stmt));
        behind.into_iter().any(|stmt| uses_more(facts, stmt, call))
    });
    in_if && !looped && uses_state && facts.sees_enclosure(call.stmt())
}

/// A field other than the condition itself, or a name of the module.
fn uses_more(facts: &Facts, stmt: StmtId, call: &Call<'_>) -> bool {
    let own = call.receiver().and_then(|of| facts.dotted(of));
    facts.exprs_of(stmt).any(|id| {
        let is_state = facts.self_attribute(id).is_some() || facts.reach(id).is_process_wide();
        is_state && facts.dotted(id) != own
    })
}

/// No region of its lock is around, in this function or in all of its callers.
fn is_told_from_outside(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(lock) = call.receiver().and_then(|receiver| facts.lock(receiver)) else {
        return false;
    };
    let held = facts
        .held_at(call.stmt())
        .any(|held| held.lock.is_same(&lock) || lock.is_same(&held.lock));
    let some_other = facts.held_at(call.stmt()).next().is_some();
    let function = facts.function_of(call.scope());
    let name = function
        .and_then(|function| facts.scope_name(function))
        .unwrap_or("_");
    let is_inner = name.starts_with('_') || topic::has_word(name, "locked");
    let has_home = function.is_some_and(|function| facts.callers_hold(function) != Some(true));
    !held && !some_other && has_home && !is_inner && facts.sees_enclosure(call.stmt())
}

fn push(cx: &Context<'_>, call: &Call<'_>, words: Words, out: &mut Outcome) {
    let verdict = match cx.facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else waits: {reason}.")),
        None => HitVerdict::Violation,
    };
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

fn word_wait(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.receiver().unwrap_or(call.id));
    Words::new(
        format!("`{what}` is waited for in an `if`: what it was about is not asked again."),
        "A wait also ends by its timeout, for another reason, or after somebody else was quicker. Whoever goes on without asking takes what is not there.",
        format!("Ask in a `while`, or use `{what}.wait_for(...)` and test its answer."),
    )
}

fn word_notify(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.receiver().unwrap_or(call.id));
    let name = call.name();
    Words::new(
        format!("`{what}.{name}()` is called without holding `{what}`."),
        "It raises `RuntimeError` then, and the change that it tells of is made where no waiter is kept from missing it.",
        format!("Change the state and call it inside `with {what}:`."),
    )
}
