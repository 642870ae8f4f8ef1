//! The idle limit of a long-running worker as a number in the code.

use super::{idle_limits, kept, unfed};
use crate::facts::{Call, ExprId, ExprKind, Facts};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "hard-coded-watchdog",
    rule: 3,
    severity: Severity::Flag,
    references: &[1769],
    summary: "The timeout of a watchdog or the idle limit of a long-running worker is a literal.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls().filter(is_watchdog) {
        let Some((name, value)) = limit(cx.facts, &call) else {
            continue;
        };
        if is_literal(cx.facts, value) {
            let verdict = kept::unless_cold(cx, HitVerdict::Violation);
            let words = word(&call, name, cx.facts.expr_text(value));
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        } else {
            out.evidence(3, call.span(), "the watchdog's limit is a setting");
        }
    }
    idle_limits::detect(cx, out);
    unfed::detect(cx, out);
}

/// The construction of something that ends work when it hears nothing for a while.
pub(super) fn is_watchdog(call: &Call<'_>) -> bool {
    let name = call.name();
    let constructs = name.trim_start_matches('_').starts_with(char::is_uppercase);
    constructs
        && [
            "watchdog",
            "watch dog",
            "idle monitor",
            "idle timer",
            "inactivity monitor",
        ]
        .iter()
        .any(|word| topic::says(name, word))
}

/// The argument that says how long it waits; without names the first that is a number.
pub(super) fn limit<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<(&'f str, ExprId)> {
    let named = call.args.iter().find_map(|arg| {
        let name = facts.text(arg.name?);
        let says = [
            "timeout",
            "limit",
            "idle",
            "inactivity",
            "grace",
            "deadline",
        ]
        .iter()
        .any(|word| topic::says(name, word));
        says.then_some((name, arg.value))
    });
    named.or_else(|| {
        let first = call.positional(0)?;
        is_literal(facts, first).then_some(("limit", first))
    })
}

/// A number, or arithmetic on numbers.
pub(super) fn is_literal(facts: &Facts, value: ExprId) -> bool {
    match facts.expr(value).kind {
        ExprKind::Number => true,
        ExprKind::Binary { left, right, .. } => is_literal(facts, left) && is_literal(facts, right),
        _ => false,
    }
}

fn word(call: &Call<'_>, name: &str, value: &str) -> Words {
    Words::new(
        format!("`{}` has the number {value} as its `{name}`.", call.name()),
        "A limit that fits one workload ends sound work of another: slow start-ups, quiet streams, big files. In production nobody can change it.",
        "Take the limit from a setting or from the request, with this number as its default.",
    )
}
