//! Metrics and bookkeeping inside the `try` of the main work, or in its handler.

use crate::facts::{Call, Facts, Heat, Part, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "side-work-shares-try",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "Metrics, usage or cache bookkeeping stands in the `try` of the main call, so its failure fails or masks it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(place) = side_place(cx.facts, &call) else {
            continue;
        };
        if matches!(cx.facts.heat(call.stmt(), cx.profile), Heat::Cold(_)) {
            continue;
        }
        let verdict = match place {
            Place::Handler => HitVerdict::Violation,
            Place::Body => HitVerdict::Look,
        };
        out.hits.push(Hit::new(
            &CHECK,
            Anchor::call(&call),
            verdict,
            word(&call, place),
        ));
    }
}

#[derive(Clone, Copy)]
enum Place {
    /// Beside the main call in the body of a `try` whose handler raises again.
    Body,
    /// In the handler: its failure replaces the error that is being handled.
    Handler,
}

/// Where a write to a cache server stands that is only bookkeeping: its result is dropped.
fn side_place(facts: &Facts, call: &Call<'_>) -> Option<Place> {
    let writes = matches!(
        call.method()?,
        "zadd" | "hset" | "incr" | "incrby" | "rpush" | "lpush" | "sadd" | "set"
    );
    if !writes || !call.is_dropped() || facts.redis_call(call).is_none() {
        return None;
    }
    let outer = facts
        .ancestors(call.stmt())
        .find(|ancestor| facts.is_try(ancestor.stmt))?;
    match outer.part {
        Part::Body => shares(facts, outer.stmt, call.stmt()).then_some(Place::Body),
        Part::Handler(n) => {
            let handler = facts.handlers(outer.stmt).get(n as usize)?;
            facts.reraises(handler).then_some(Place::Handler)
        }
        _ => None,
    }
}

/// The body has other work before it, and some handler raises or answers with an error.
fn shares(facts: &Facts, outer: StmtId, side: StmtId) -> bool {
    let StmtKind::Try { body, handlers, .. } = &facts.stmt(outer).kind else {
        return false;
    };
    let works = body
        .iter()
        .take_while(|&&stmt| stmt < side)
        .any(|&stmt| facts.calls_in(stmt).next().is_some());
    works && handlers.iter().any(|handler| facts.reraises(handler))
}

fn word(call: &Call<'_>, place: Place) -> Words {
    let name = call.name();
    match place {
        Place::Body => Words::new(
            format!("The bookkeeping `{name}` stands in the `try` of the main work."),
            "When the cache server is down, work that had succeeded is answered with an error.",
            "Move it out, or give it a `try` of its own that logs and goes on.",
        ),
        Place::Handler => Words::new(
            format!("The bookkeeping `{name}` stands in a handler and can raise there."),
            "When the cache server is down, its error replaces the one that is being handled, and the cause is lost.",
            "Give it a `try` of its own that logs, so that the first error goes on.",
        ),
    }
}
