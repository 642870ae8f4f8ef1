//! Watchdogs that are started and that nothing on the active path feeds.

use super::hard_coded_watchdog::{CHECK, is_watchdog, limit};
use super::{daemons, kept};
use crate::facts::{ExprId, Facts, HeldUseKind, Holder, Made, Resource};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Reports the watchdogs of the file whose holder is shown whole and does no more than start and stop them.
pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in cx.facts.made().iter().filter(|made| waits(cx.facts, made)) {
        let Some((holder, start)) = daemons::started(cx.facts, made) else {
            continue;
        };
        if is_shown(cx.facts, made, &holder) && !is_fed(cx.facts, &holder) {
            report(cx, made, &holder, start, out);
        }
    }
}

/// Something that ends work when it hears nothing for as long as it is told.
fn waits(facts: &Facts, made: &Made) -> bool {
    made.resource == Resource::Daemon
        && facts
            .call(made.call)
            .is_some_and(|call| is_watchdog(&call) && limit(facts, &call).is_some())
}

fn is_shown(facts: &Facts, made: &Made, holder: &Holder) -> bool {
    match holder {
        Holder::Attribute { class, .. } => class.is_some_and(|class| facts.is_visible(class)),
        _ => facts.sees_all_of(made.stmt),
    }
}

/// Whether anything but its start and its end is asked of it, or somebody else has it.
fn is_fed(facts: &Facts, holder: &Holder) -> bool {
    let only_ends = |method: &str| {
        method == "start" || Resource::Daemon.closers().contains(&method) || method == "is_alive"
    };
    facts.uses_of(holder).into_iter().any(|of| match of.kind {
        HeldUseKind::Method(call) => !facts
            .call(call)
            .and_then(|call| call.method())
            .is_some_and(only_ends),
        HeldUseKind::Bound(attribute, _) => !facts
            .attribute(attribute)
            .is_some_and(|(_, method)| only_ends(method)),
        HeldUseKind::Read => false,
        _ => true,
    })
}

fn report(cx: &Context<'_>, made: &Made, holder: &Holder, start: ExprId, out: &mut Outcome) {
    let Some(start) = cx.facts.call(start) else {
        return;
    };
    let verdict = kept::unless_cold(cx, HitVerdict::Look);
    let made = cx.facts.expr(made.call).span;
    let mut hit = Hit::new(&CHECK, Anchor::call(&start), verdict, word(holder))
        .with_related(made, "made here");
    hit.causes.push(made);
    out.hits.push(hit);
}

fn word(holder: &Holder) -> Words {
    let name = holder.text();
    Words::new(
        format!("`{name}` is started, and nothing shown tells it that the work goes on."),
        "A watchdog that hears nothing ends sound work when its time is up, however busy that work is.",
        format!(
            "Who feeds `{name}` while a request or stream is active? Call its heartbeat for each frame or message, or hand it to what does."
        ),
    )
}
