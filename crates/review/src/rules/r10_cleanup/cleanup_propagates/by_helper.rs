//! A removal in clean-up that a function of the file does, and lets its errors out.

use super::CHECK;
use crate::facts::{Call, CleanupPlace, Facts, REMOVAL_ERRORS};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| call.is_dropped()) {
        let place = facts.cleanup_place(call.stmt());
        let counts = matches!(place, Some(CleanupPlace::Finally | CleanupPlace::Protocol));
        if !counts || facts.is_caught(call.stmt(), REMOVAL_ERRORS) {
            continue;
        }
        if let Some(removal) = removal_in(facts, &call) {
            out.hits.push(hit(cx, &call, &removal));
        }
    }
}

/// The removal of a folder in the called function that nothing there tolerates. One in a method is the method's own matter.
fn removal_in<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<Call<'f>> {
    let helper = facts.callee_scope(call)?;
    let is_plain = facts.class_of(helper).is_none() && facts.name(call.function).is_some();
    let raises = |inner: &Call<'f>| {
        facts.deletion(*inner).is_some_and(|found| {
            found.is_tree && !found.is_tolerant && facts.parameter(found.path).is_some()
        })
    };
    facts.calls_of(helper).filter(|_| is_plain).find(raises)
}

fn hit(cx: &Context<'_>, call: &Call<'_>, removal: &Call<'_>) -> Hit {
    let verdict = match cx.facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody waits for this clean-up: {reason}.")),
        None => HitVerdict::Look,
    };
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, word(call, removal))
        .with_related(removal.span(), "this raises");
    hit.causes.push(removal.span());
    hit
}

fn word(call: &Call<'_>, removal: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` lets the errors of its `{}` out of this clean-up.",
            call.name(),
            removal.name()
        ),
        "When a file in the folder is held, or is written meanwhile, work that was done fails, or its first error is lost.",
        "Can the removal fail here? Catch `OSError` and log it: what stays behind is no reason to fail.",
    )
}
