//! Threads that say that they are ready, or done, only when nothing raised before.

use super::kept;
use super::sentinel_only_on_success::{CHECK, is_quiet};
use crate::facts::{Bound, Call, Facts, Handover, Kind, ScopeId, Span, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen: Vec<ScopeId> = Vec::new();
    for &Handover { function, .. } in facts.handovers() {
        let function = facts.canonical(function);
        if seen.contains(&function) {
            continue;
        }
        seen.push(function);
        for call in facts.calls_of(function) {
            if let Some(found) = missed(facts, &call, function) {
                report(cx, &call, &found, function, out);
            }
        }
    }
}

/// The step that skips the signal, and the wait that is left then.
struct Missed {
    step: StmtId,
    wait: Span,
}

fn missed(facts: &Facts, set: &Call<'_>, function: ScopeId) -> Option<Missed> {
    let event = set.receiver().filter(|_| set.method() == Some("set"))?;
    let is_event = facts.kind_of(event) == Some(Kind::Event);
    if !is_event || facts.in_finally(set.stmt()) || is_set_elsewhere(facts, set, function) {
        return None;
    }
    let wait = untimed_wait(facts, set, function)?;
    let step = facts
        .statements_of(facts.stmt(set.stmt()).scope)
        .filter(|&stmt| stmt < set.stmt() && facts.always_before(stmt, set.stmt()))
        .find(|&stmt| !is_caught(facts, stmt) && skips_signal(facts, stmt))?;
    Some(Missed { step, wait })
}

/// A handler, a `finally` or somebody else sets it as well.
fn is_set_elsewhere(facts: &Facts, set: &Call<'_>, function: ScopeId) -> bool {
    let event = set.receiver().and_then(|event| facts.last_name(event));
    facts.calls_named("set").any(|other| {
        let same = other.receiver().and_then(|of| facts.last_name(of)) == event;
        let outside = facts
            .function_of(other.scope())
            .map(|of| facts.canonical(of))
            != Some(function);
        let on_error =
            facts.enclosing_handler(other.stmt()).is_some() || facts.in_finally(other.stmt());
        same && other.id != set.id && (outside || on_error)
    })
}

/// A wait for the same event in another function that no timeout ends.
fn untimed_wait(facts: &Facts, set: &Call<'_>, function: ScopeId) -> Option<Span> {
    let event = set.receiver().and_then(|event| facts.last_name(event));
    let mut waits = facts.calls_named("wait").filter(|wait| {
        let same = wait.receiver().and_then(|of| facts.last_name(of)) == event;
        let outside = facts
            .function_of(wait.scope())
            .map(|of| facts.canonical(of))
            != Some(function);
        same && outside && facts.bound(wait, 0, "timeout") == Bound::Unbounded
    });
    waits.next().map(|wait| wait.span())
}

/// Whatever a statement raises stays in its function; what stands in a handler is the answer to an error.
pub(super) fn is_caught(facts: &Facts, stmt: StmtId) -> bool {
    let caught = |handler| facts.catches_all(handler);
    facts.enclosing_handler(stmt).is_some() || facts.handlers_around(stmt).any(caught)
}

/// Calls what fails at times, with more than a log line: what stands behind it is not reached then.
fn skips_signal(facts: &Facts, stmt: StmtId) -> bool {
    facts.can_fail(stmt) && facts.calls_in(stmt).any(|call| !is_quiet(&call))
}

fn report(cx: &Context<'_>, set: &Call<'_>, found: &Missed, function: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    let sure = facts.is_visible(function) && facts.sees_enclosure(set.stmt());
    let verdict = HitVerdict::sure_if(sure);
    let verdict = kept::unless_cold(cx, verdict);
    let step = facts.stmt(found.step).head;
    let mut hit = Hit::new(&CHECK, Anchor::call(set), verdict, word(facts, set))
        .with_related(step, "an error here skips it")
        .with_related(found.wait, "waits for it without a timeout");
    hit.causes.extend([step, found.wait]);
    out.hits.push(hit);
}

fn word(facts: &Facts, set: &Call<'_>) -> Words {
    let event = set
        .receiver()
        .map_or_else(|| "the event".to_string(), |event| facts.shown(event));
    Words::new(
        format!("The thread sets `{event}` only when nothing raised before."),
        "If its work fails, the thread ends without a word, and whoever waits for the event waits for ever.",
        "Keep the error and set the event in a `finally`; let the waiter look at the error, and give its wait a timeout.",
    )
}
