//! A timer that starts itself anew, or that an object keeps, and that its stop method does not cancel.

use super::kept;
use super::thread_not_joined::stop_method;
use crate::facts::{Facts, Holder, Kind, Made, Resource, ScopeId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "timer-not-cancelled",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A timer that is kept in a field is not cancelled where its owner stops.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let is_timer = |made: &Made| made.resource == Resource::Object(Kind::Timer);
    for kept in kept::kept(facts, is_timer) {
        let Holder::Attribute {
            class: Some(class), ..
        } = kept.holder
        else {
            continue;
        };
        let closings = facts.closings(&kept.holder, kept.made.resource);
        if let Some(closing) = closings.first() {
            out.evidence(3, closing.span, "the timer is cancelled");
        } else if facts.is_visible(class) {
            judge(cx, &kept.made, &kept.holder, class, out);
        }
    }
}

fn judge(cx: &Context<'_>, made: &Made, holder: &Holder, class: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    let stop = stop_method(facts, class);
    let again = is_made_anew(facts, made);
    let verdict = match (stop, again) {
        (Some(_), true) => HitVerdict::Violation,
        (None, false) => return,
        _ => HitVerdict::Look,
    };
    let anchor = Anchor {
        stmt: made.stmt,
        span: facts.expr(made.call).span,
    };
    let verdict = kept::unless_cold(cx, verdict);
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(holder, again));
    let head = stop.and_then(|stop| facts.scope(stop).stmt);
    if let Some(head) = head.map(|stmt| facts.stmt(stmt).head) {
        hit = hit.with_related(head, "stops without it");
    }
    out.hits.push(hit);
}

/// What the timer runs makes the next one: itself, or through the method that made this one.
fn is_made_anew(facts: &Facts, made: &Made) -> bool {
    let Some(target) = facts
        .call(made.call)
        .and_then(|call| facts.thread_target(&call))
    else {
        return false;
    };
    let own = facts.function_of(facts.stmt(made.stmt).scope);
    let own = own.map(|function| facts.canonical(function));
    let calls_own = || {
        facts.calls_of(target).any(|call| {
            let called = facts.callee_scope(&call);
            own.is_some() && called.map(|scope| facts.canonical(scope)) == own
        })
    };
    own == Some(facts.canonical(target)) || calls_own()
}

fn word(holder: &Holder, again: bool) -> Words {
    let name = holder.text();
    let why = match again {
        true => {
            "It starts itself anew each time: its thread goes on for as long as the process lives, and works on an owner that has stopped."
        }
        false => {
            "When its time is up it works on an owner that has stopped; until then its thread keeps the owner, and the process, alive."
        }
    };
    Words::new(
        format!("Nothing cancels the timer in `{name}`."),
        why,
        format!(
            "Call `{name}.cancel()` where the owner stops, and let the timer ask a stop flag before it starts the next."
        ),
    )
}
