//! A dependency's constructor that enters a process-wide context and does not leave it.

use super::opened;
use crate::facts::{Call, Facts, Switch};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words, own_helper};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "constructor-leaks-context",
    rule: 9,
    severity: Severity::Flag,
    references: &[2363],
    summary: "A constructor that is known to leave a process-wide context entered is called without the clean-up.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(leaky) = cx.profile.leaky_constructor(call.callee()) else {
            continue;
        };
        if is_switched_off(cx, &call) {
            continue;
        }
        match cleanup_after(cx.facts, &call, &leaky.cleanup) {
            Some(cleanup) => out.evidence(9, cleanup.span(), "takes the leaked context out again"),
            None => {
                let verdict = opened::unless_cold(cx, HitVerdict::Look);
                let cleanup = leaky.cleanup.first();
                let cleanup = cleanup.map(|cleanup| own_helper::does(cx.facts, cleanup));
                let words = word(call.name(), &leaky.context, cleanup);
                out.hits
                    .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
            }
        }
    }
}

/// It enters the context with a keyword alone, which is not given or false.
fn is_switched_off(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let keyword = cx.profile.only_with(call.callee());
    let switch = keyword.map(|keyword| cx.facts.switch(call, keyword));
    matches!(switch, Some(Switch::Off | Switch::Unset))
}

/// A listed clean-up behind the call, in the same function or in one that it calls.
fn cleanup_after<'f>(facts: &'f Facts, call: &Call<'f>, cleanup: &[String]) -> Option<Call<'f>> {
    let listed = |other: &Call<'_>| {
        let written = facts.dotted(other.function).unwrap_or_default();
        cleanup.iter().any(|name| {
            topic::name_matches(name, other.callee()) || topic::name_matches(name, &written)
        })
    };
    let function = facts.function_of(call.scope());
    facts
        .calls()
        .filter(|other| {
            other.span().start > call.span().start && facts.function_of(other.scope()) == function
        })
        .find(|other| {
            let inner = facts
                .callee_scope(other)
                .map(|scope| facts.scope(scope).span);
            listed(other)
                || inner.is_some_and(|span| facts.calls_within(span).any(|inner| listed(&inner)))
        })
}

fn word(name: &str, context: &str, cleanup: Option<String>) -> Words {
    let ask = match cleanup {
        Some(cleanup) => format!(
            "Is the context left afterwards? Leave it right behind the constructor ({cleanup})."
        ),
        None => "Is the context left afterwards?".to_string(),
    };
    Words::new(
        format!("`{name}` enters {context} and does not leave it."),
        "It stays on for everything that runs in this thread afterwards, and other models quietly compute in another precision.",
        ask,
    )
}
