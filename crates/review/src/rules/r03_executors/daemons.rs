//! Objects with a thread of their own, by their class's name, that are started and not stopped.

use super::kept;
use super::thread_without_stop_flag::CHECK;
use crate::facts::{ExprId, Facts, Fault, FaultKind, HeldUseKind, Holder, Keeper, Made, Resource};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Reports daemons that something shown starts and nothing shown stops.
pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in cx
        .facts
        .made()
        .iter()
        .filter(|made| made.resource == Resource::Daemon)
    {
        let Some((holder, start)) = started(cx.facts, made) else {
            continue;
        };
        let fault = match holder {
            Holder::Attribute { .. } => cx.facts.field_fault(made, &holder),
            _ => cx.facts.local_fault(made),
        };
        if let Some(fault) = fault {
            report(cx, made, &holder, start, &fault, out);
        }
    }
}

/// Who keeps the daemon, and the call that starts it.
pub(super) fn started(facts: &Facts, made: &Made) -> Option<(Holder, ExprId)> {
    let holder = match &made.keeper {
        Keeper::Holder(holder) => facts.field_of(made).unwrap_or_else(|| holder.clone()),
        _ => return None,
    };
    let start = facts
        .uses_of(&holder)
        .into_iter()
        .find_map(|of| match of.kind {
            HeldUseKind::Method(call) => facts
                .call(call)
                .filter(|call| call.method() == Some("start"))
                .map(|call| call.id),
            _ => None,
        })?;
    Some((holder, start))
}

fn report(
    cx: &Context<'_>,
    made: &Made,
    holder: &Holder,
    start: ExprId,
    fault: &Fault,
    out: &mut Outcome,
) {
    let Some(start) = cx.facts.call(start) else {
        return;
    };
    // The class is known by its name alone, so what `start` starts is not proven.
    let verdict = kept::unless_cold(cx, HitVerdict::Look);
    let made = cx.facts.expr(made.call).span;
    let anchor = kept::anchor(cx.facts, Anchor::call(&start), fault);
    let mut hit =
        Hit::new(&CHECK, anchor, verdict, word(holder, fault)).with_related(made, "made here");
    hit.causes.push(made);
    if let FaultKind::Skipped(leak, closing) = &fault.kind {
        hit.causes.push(closing.span);
        hit = hit
            .with_related(cx.facts.stmt(leak.stmt).head, "leaves before the stop")
            .with_related(closing.span, "stopped here");
        if hit.anchor != Anchor::call(&start) {
            hit = hit.with_related(start.span(), "started here");
        }
    }
    out.hits.push(hit);
}

fn word(holder: &Holder, fault: &Fault) -> Words {
    let name = holder.text();
    let message = match fault.kind {
        FaultKind::Skipped(..) => {
            format!("`{name}` is stopped only on the path where nothing leaves before.")
        }
        _ => format!("`{name}` is started, and nothing shown stops it."),
    };
    Words::new(
        message,
        "Its thread goes on after the work that it watches is done, and acts on things that are gone or that belong to the next job.",
        format!(
            "Does each way out of this code stop `{name}`, the early returns and the errors too? A `finally`, or the owner's shutdown, is the place."
        ),
    )
}
