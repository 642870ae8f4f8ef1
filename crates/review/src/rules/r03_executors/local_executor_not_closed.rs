//! A pool that a function makes for itself and does not end on every path.

use super::kept;
use crate::facts::{Escape, Fault, FaultKind, Heat, Keeper, Made};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "local-executor-not-closed",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A local executor or pool is not in a `with`, and not shut down when something raises.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in cx
        .facts
        .made()
        .iter()
        .filter(|made| made.resource.is_pool())
    {
        match cx.facts.local_fault(made) {
            Some(fault) if cx.facts.heat(made.stmt, cx.profile) != Heat::Hot => {
                out.hits
                    .push(hit(cx, &CHECK, made, &fault, word(made, &fault)));
            }
            None if matches!(made.keeper, Keeper::With) => {
                out.evidence(3, cx.facts.expr(made.call).span, "a `with` ends the pool");
            }
            None if is_local(made) => {
                out.evidence(
                    3,
                    cx.facts.expr(made.call).span,
                    "the pool is ended on every path",
                );
            }
            _ => {}
        }
    }
}

fn is_local(made: &Made) -> bool {
    matches!(made.holder(), Some(crate::facts::Holder::Local { .. }))
}

/// A hit of this check or of its hot sister, with the way out that matters beside it.
pub(super) fn hit(
    cx: &Context<'_>,
    check: &'static Check,
    made: &Made,
    fault: &Fault,
    words: Words,
) -> Hit {
    let verdict = HitVerdict::sure_if(fault.proven);
    let anchor = Anchor {
        stmt: made.stmt,
        span: cx.facts.expr(made.call).span,
    };
    let anchor = kept::anchor(cx.facts, anchor, fault);
    let hit = Hit::new(check, anchor, kept::unless_cold(cx, verdict), words);
    match &fault.kind {
        FaultKind::Skipped(leak, closing) => {
            let mut hit = hit
                .with_related(cx.facts.stmt(leak.stmt).head, "leaves before the shutdown")
                .with_related(closing.span, "the shutdown");
            if hit.anchor.stmt != made.stmt {
                hit = hit.with_related(cx.facts.expr(made.call).span, "made here");
            }
            hit.causes.push(closing.span);
            hit
        }
        _ => hit,
    }
}

fn word(made: &Made, fault: &Fault) -> Words {
    let noun = made.resource.noun();
    let closer = made.resource.closer();
    Words::new(
        message(made, fault),
        format!(
            "Each call that leaves it behind leaves the {noun}'s workers behind: idle threads, or processes, until the process ends."
        ),
        if fault.proven {
            format!("Use the {noun} in a `with`, or call `{closer}` in a `finally`.")
        } else {
            format!(
                "Is the {noun} ended when something raises? A `with`, or `{closer}` in a `finally`, would show it."
            )
        },
    )
}

/// What stands there, for both sister checks.
pub(super) fn message(made: &Made, fault: &Fault) -> String {
    let noun = made.resource.noun();
    match &fault.kind {
        FaultKind::Skipped(leak, _) if leak.escape == Escape::Leave => {
            format!("The {noun} is shut down only if no earlier exit is taken.")
        }
        FaultKind::Skipped(..) => {
            format!("The {noun} is shut down only when nothing raises before.")
        }
        FaultKind::Inline | FaultKind::ReadBy | FaultKind::Dropped => {
            format!("The {noun} is made on the spot and nobody keeps it to shut it down.")
        }
        _ => format!("Nothing shown shuts this local {noun} down."),
    }
}
