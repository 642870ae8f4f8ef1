//! A pool that is shut down only by a method that somebody has to call.

use super::kept::{self, Kept};
use crate::facts::{Closing, Facts, Holder, How, Keeper, ScopeId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "executor-without-gc-fallback",
    rule: 3,
    severity: Severity::Flag,
    references: &[2491],
    summary: "A kept executor has a shutdown method but no `weakref.finalize` for an owner that is merely dropped.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for kept in kept::pools(cx.facts) {
        let closings = cx.facts.closings(&kept.holder, kept.made.resource);
        if let Some(fallback) = closings
            .iter()
            .find(|closing| is_fallback(cx.facts, closing))
        {
            out.evidence(3, fallback.span, "the pool ends with its owner");
        } else if let Some(place) = closings
            .iter()
            .find(|closing| kept::ends_in_place(cx.facts, &kept.made, closing))
        {
            out.evidence(
                3,
                place.span,
                "the method that makes the pool ends it on every path",
            );
        } else if let Some(explicit) = closings
            .iter()
            .find(|closing| is_explicit(cx.facts, closing))
        {
            report(cx, &kept, explicit, out);
        }
    }
}

/// Runs when the owner is collected.
fn is_fallback(facts: &Facts, closing: &Closing) -> bool {
    closing.how == How::Finalizer || facts.runs_in_del(closing)
}

/// Runs when somebody asks. A thread's own `run` needs nobody to ask.
fn is_explicit(facts: &Facts, closing: &Closing) -> bool {
    !matches!(facts.function_name(closing.stmt), Some("__init__" | "run"))
}

fn report(cx: &Context<'_>, kept: &Kept, explicit: &Closing, out: &mut Outcome) {
    let facts = cx.facts;
    let Holder::Attribute { class, .. } = kept.holder else {
        return;
    };
    let shown = class.is_some_and(|class| facts.is_visible(class));
    let verdict = if class.is_some_and(|class| lives_with_module(facts, class)) {
        HitVerdict::Excused("The only owner that is shown lives as long as its module.".to_string())
    } else if is_entered(facts, kept) {
        HitVerdict::Excused("A `with` makes and ends it.".to_string())
    } else if class.is_some_and(|class| is_only_entered(facts, class)) {
        HitVerdict::Excused("Each owner that is shown stands in a `with`.".to_string())
    } else {
        HitVerdict::sure_if(shown)
    };
    let anchor = Anchor {
        stmt: kept.made.stmt,
        span: facts.expr(kept.made.call).span,
    };
    let verdict = kept::unless_cold(cx, verdict);
    let words = word(kept, verdict == HitVerdict::Violation);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    hit.is_unseen = !shown;
    out.hits
        .push(hit.with_related(explicit.span, "ended only here"));
}

/// Made in `__enter__`: nobody gets an owner with a pool without its `with`.
fn is_entered(facts: &Facts, kept: &Kept) -> bool {
    let made = facts.function_name(kept.made.stmt);
    matches!(made, Some("__enter__" | "__aenter__"))
}

/// `MANAGER = Manager()` at module level.
fn lives_with_module(facts: &Facts, class: ScopeId) -> bool {
    let Some(name) = facts.scope_name(class) else {
        return false;
    };
    facts
        .calls_named(name)
        .filter(|call| facts.function_of(call.scope()).is_none())
        .any(|call| {
            matches!(
                facts.keeper_of(call.id),
                Keeper::Holder(Holder::Global { .. })
            )
        })
}

/// `with closing(Owner()) as owner:`, wherever the file makes one.
fn is_only_entered(facts: &Facts, class: ScopeId) -> bool {
    let name = facts.scope_name(class).unwrap_or_default();
    let mut makings = facts
        .calls_named(name)
        .filter(|call| facts.definition(call.function) == Some(class))
        .peekable();
    makings.peek().is_some() && makings.all(|call| facts.keeper_of(call.id) == Keeper::With)
}

fn word(kept: &Kept, proven: bool) -> Words {
    let name = kept.holder.text();
    let closer = kept.made.resource.closer();
    let noun = kept.made.resource.noun();
    let ask = if proven {
        format!(
            "Register `weakref.finalize(self, {name}.{closer}, wait=False)` where the {noun} is made, and detach it in the explicit shutdown."
        )
    } else {
        format!(
            "Is there a `weakref.finalize` (or a `__del__`) for `{name}` in the part of the class that is not shown?"
        )
    };
    Words::new(
        format!("The {noun} in `{name}` ends only if somebody calls the shutdown."),
        "An owner that is evicted or dropped without that call leaves its worker threads behind, and they keep what their last task referenced.",
        ask,
    )
}
