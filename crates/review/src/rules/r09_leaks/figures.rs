//! Figures of pyplot, which keeps each one by itself until somebody closes it.

use super::opened;
use super::resource_not_closed::CHECK;
use crate::facts::{Call, Facts, Heat, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

const MAKERS: &[&str] = &[
    "matplotlib.pyplot.figure",
    "matplotlib.pyplot.subplots",
    "matplotlib.pyplot.subplot_mosaic",
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let shows_close = || {
        facts
            .calls_named("close")
            .any(|call| call.is(&["matplotlib.pyplot.close"]))
    };
    for call in facts.calls().filter(|call| call.is(MAKERS)) {
        let kept = is_kept(facts, &call) || is_shown(facts, &call);
        if !kept
            && !shows_close()
            && facts.function_of(call.scope()).is_some()
            && !is_cold(cx, call.stmt())
        {
            let verdict = match facts.heat(call.stmt(), cx.profile) {
                Heat::Hot if facts.sees_all_of(call.stmt()) => HitVerdict::Violation,
                _ => HitVerdict::Look,
            };
            let verdict = opened::unless_cold(cx, verdict);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call)));
        }
    }
}

fn is_cold(cx: &Context<'_>, stmt: StmtId) -> bool {
    matches!(cx.facts.heat(stmt, cx.profile), Heat::Cold(_))
}

/// Returned to the caller, or put into a field: others close it.
fn is_kept(facts: &Facts, call: &Call<'_>) -> bool {
    let StmtKind::Assign { targets, .. } = &facts.stmt(call.stmt()).kind else {
        return matches!(
            facts.stmt(call.stmt()).kind,
            StmtKind::Return(_) | StmtKind::With { .. }
        );
    };
    let named: Vec<&str> = targets
        .iter()
        .flat_map(|&target| facts.within(target))
        .filter_map(|id| facts.name(id))
        .collect();
    let on_self = targets
        .iter()
        .flat_map(|&target| facts.within(target))
        .any(|id| facts.self_attribute(id).is_some());
    let Some(function) = facts.function_of(call.scope()) else {
        return true;
    };
    let given = |id| {
        facts
            .within(id)
            .any(|part| facts.name(part).is_some_and(|name| named.contains(&name)))
    };
    let returned = facts.returns_of(function).any(given);
    on_self || returned || facts.scope(function).is_generator
}

/// An interactive window, or the figure is cleared and used again.
fn is_shown(facts: &Facts, call: &Call<'_>) -> bool {
    let scope = call.scope();
    facts
        .calls_of(scope)
        .any(|other| matches!(other.name(), "show" | "clf" | "cla" | "ion"))
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "Nothing shown closes the figure that `{}` makes.",
            call.name()
        ),
        "Pyplot keeps every figure until it is closed, whether or not somebody still has it: each call leaves one more with all that is drawn on it.",
        "Call `plt.close(figure)` in a `finally` behind the saving, or make a `matplotlib.figure.Figure` without pyplot.",
    )
}
