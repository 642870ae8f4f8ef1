//! A resource that a constructor opens before a step that can fail.

use super::opened;
use crate::facts::{Call, Facts, Holder, Kind, Made, Resource};
use crate::rules::{Check, Context, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "init-failure-leak",
    rule: 9,
    severity: Severity::Flag,
    references: &[],
    summary: "A constructor opens a resource and then runs a step that can raise, with nothing that closes it then.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for made in opened::resources(facts).filter(|made| is_in_constructor(facts, made)) {
        let Some(field) = facts.field_of(made) else {
            continue;
        };
        // What nothing closes at all is another check's.
        if facts.field_fault(made, &field).is_some()
            || made.resource.is_memory_like()
            || made.resource.is(Kind::Client)
        {
            continue;
        }
        if let Some(step) = failing_step(facts, made, &field) {
            let words = word(made, step.name(), &field.text());
            let hit = opened::hit(cx, &CHECK, made, HitVerdict::Look, words);
            let mut hit = hit.with_related(step.span(), "can raise");
            hit.causes.push(step.span());
            out.hits.push(hit);
        }
    }
}

fn is_in_constructor(facts: &Facts, made: &Made) -> bool {
    facts.function_name(made.stmt) == Some("__init__") && made.resource != Resource::TempFolder
}

/// A later call of the constructor that is known to fail at times and that no handler stands around.
fn failing_step<'f>(facts: &'f Facts, made: &Made, field: &Holder) -> Option<Call<'f>> {
    let scope = facts.stmt(made.stmt).scope;
    facts
        .calls()
        .filter(|call| call.stmt() > made.stmt && call.scope() == scope)
        .find(|call| {
            let guarded = facts.protecting_tries(call.stmt()).next().is_some()
                || facts.finally_blocks(call.stmt()).next().is_some();
            let own = call
                .receiver()
                .is_some_and(|receiver| facts.holder_of(receiver).as_ref() == Some(field));
            let calm = own && made.resource.has_calm(call.name());
            !guarded && !calm && fails_at_times(call)
        })
}

fn fails_at_times(call: &Call<'_>) -> bool {
    let first = topic::words(call.name()).next().unwrap_or_default();
    matches!(
        first.as_str(),
        "connect"
            | "load"
            | "loads"
            | "open"
            | "parse"
            | "download"
            | "fetch"
            | "login"
            | "bind"
            | "read"
            | "from"
    ) || matches!(call.name(), "InferenceSession" | "result" | "extractall")
}

fn word(made: &Made, step: &str, name: &str) -> Words {
    let noun = made.resource.noun();
    Words::new(
        format!("If `{step}` raises, nobody can close the {noun} in `{name}`."),
        "The caller never gets the object, so its close method cannot be called.",
        "Can that step fail in practice? If so, close what is open in an `except` that raises again, or do the failing step first.",
    )
}
