//! Metrics and bookkeeping inside the `try` of the main work, or in its handler.

use crate::facts::{Call, Facts, Handler, Heat, Part, StmtId, StmtKind};
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
    let is_stored = writes && facts.redis_call(call).is_some();
    if !call.is_dropped() || !(is_stored || is_counted(facts, call)) {
        return None;
    }
    let outer = facts
        .ancestors(call.stmt())
        .find(|ancestor| facts.is_try(ancestor.stmt))?;
    match outer.part {
        Part::Body => shares(facts, outer.stmt, call.stmt()).then_some(Place::Body),
        Part::Handler(n) if is_stored => {
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
    let fails = |handler: &Handler| {
        facts.reraises(handler) || (facts.catches_all(handler) && answers(facts, handler))
    };
    works && handlers.iter().any(fails)
}

/// The handler gives the caller another answer than the one that the work had.
fn answers(facts: &Facts, handler: &Handler) -> bool {
    let last = handler.body.last();
    last.is_some_and(|&last| matches!(facts.stmt(last).kind, StmtKind::Return(Some(_))))
}

/// Usage and metrics that are sent somewhere: `self._metrics.record(...)`, `usage_collector.record_usage(...)`.
fn is_counted(facts: &Facts, call: &Call<'_>) -> bool {
    let of_metrics = call
        .receiver()
        .and_then(|receiver| facts.last_name(receiver))
        .is_some_and(|name| {
            topic::words(name).any(|word| {
                matches!(
                    word.as_str(),
                    "metrics" | "usage" | "telemetry" | "analytics" | "statsd"
                )
            })
        });
    let sends = topic::words(call.name()).any(|word| {
        matches!(
            word.as_str(),
            "record" | "send" | "report" | "track" | "publish" | "push" | "emit" | "incr"
        )
    });
    of_metrics && sends
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
