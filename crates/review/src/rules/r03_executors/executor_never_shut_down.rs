//! A pool that an object keeps, and that no method of it ends.

use super::in_parameters;
use super::kept::{self, Kept};
use crate::facts::{Facts, FaultKind, Holder, Keeper, Made};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "executor-never-shut-down",
    rule: 3,
    severity: Severity::Flag,
    references: &[2491],
    summary: "An executor or pool that an object, class or module keeps is never shut down.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for kept in kept::pools(cx.facts) {
        let fault = cx.facts.field_fault(&kept.made, &kept.holder);
        let fault = fault.filter(|fault| {
            let asks = fault.proven || !is_ended_by_hidden_exit(cx.facts, &kept);
            asks && matches!(fault.kind, FaultKind::NeverEnded)
        });
        if let Some(fault) = fault {
            let verdict = HitVerdict::sure_if(fault.proven);
            report(cx, &kept, verdict, out);
        }
    }
    for made in cx
        .facts
        .made()
        .iter()
        .filter(|made| made.resource.is_pool())
    {
        shared(cx, made, out);
    }
    in_parameters::detect(cx, out);
}

/// Made in `__enter__`, whose `__exit__` no line shows: there must be one, and it was written for this.
fn is_ended_by_hidden_exit(facts: &Facts, kept: &Kept) -> bool {
    let exit = match facts.function_name(kept.made.stmt) {
        Some("__enter__") => "__exit__",
        Some("__aenter__") => "__aexit__",
        _ => return false,
    };
    let class = facts.class_of(facts.stmt(kept.made.stmt).scope);
    class.is_some_and(|class| facts.method(class, exit).is_none())
}

/// A pool of the module or the class lives as long as the process, unless it is made anew at run time.
fn shared(cx: &Context<'_>, made: &Made, out: &mut Outcome) {
    let Keeper::Holder(holder @ (Holder::Global { .. } | Holder::ClassName { .. })) = &made.keeper
    else {
        return;
    };
    if !cx.facts.closings(holder, made.resource).is_empty() {
        return out.evidence(3, cx.facts.expr(made.call).span, "the pool is shut down");
    }
    let at_import = cx
        .facts
        .function_of(cx.facts.stmt(made.stmt).scope)
        .is_none();
    let verdict = if at_import {
        HitVerdict::Excused(
            "A pool made at import lives as long as the process, and ends with it.".to_string(),
        )
    } else {
        HitVerdict::Look
    };
    let kept = Kept {
        made: made.clone(),
        holder: holder.clone(),
    };
    report(cx, &kept, verdict, out);
}

fn report(cx: &Context<'_>, kept: &Kept, verdict: HitVerdict, out: &mut Outcome) {
    let verdict = kept::unless_cold(cx, verdict);
    let anchor = Anchor {
        stmt: kept.made.stmt,
        span: cx.facts.expr(kept.made.call).span,
    };
    let words = word(kept, verdict == HitVerdict::Violation);
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

fn word(kept: &Kept, proven: bool) -> Words {
    let name = kept.holder.text();
    let noun = kept.made.resource.noun();
    let closer = kept.made.resource.closer();
    let ask = if proven {
        format!(
            "Give the owner a `close` that calls `{name}.{closer}(...)`, and tie the {noun} to it with `weakref.finalize(self, {name}.{closer}, wait=False)` for when nobody calls it."
        )
    } else {
        format!(
            "Where is `{name}.{closer}()` called when its owner goes away? Look for it in the rest of the class and in its shutdown path."
        )
    };
    Words::new(
        format!("Nothing shown shuts down the {noun} in `{name}`."),
        "Its workers idle on for the life of the process, with everything that their last task referenced, once for each owner that was ever made.",
        ask,
    )
}
