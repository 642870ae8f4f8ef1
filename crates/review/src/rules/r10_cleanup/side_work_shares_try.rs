//! Metrics and bookkeeping inside the `try` of the main work, or in its handler.

use crate::facts::{Call, ExprId, Facts, Handler, Heat, Part, StmtId, StmtKind};
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
            Place::Body | Place::Telling => HitVerdict::Look,
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
    /// In a loop of the handler that tells each of several how it ended: its failure leaves the others without an answer.
    Telling,
}

/// Where bookkeeping stands: a write to a cache server, or a report of usage or metrics, whose result is dropped.
fn side_place(facts: &Facts, call: &Call<'_>) -> Option<Place> {
    let stores = matches!(
        call.method(),
        Some("zadd" | "hset" | "incr" | "incrby" | "rpush" | "lpush" | "sadd" | "set" | "setex")
    ) && facts.redis_call(call).is_some();
    let reports = reports_usage(facts, call);
    if !(stores || reports) || !call.is_dropped() {
        return None;
    }
    let outer = facts
        .ancestors(call.stmt())
        .find(|ancestor| facts.is_try(ancestor.stmt))?;
    match outer.part {
        Part::Body => shares(facts, outer.stmt, call.stmt(), reports).then_some(Place::Body),
        Part::Handler(n) => {
            let handler = facts.handlers(outer.stmt).get(n as usize)?;
            let masks = stores && facts.reraises(handler);
            let in_loop = facts.innermost_loop(call.stmt());
            let of_handler = in_loop.is_some_and(|of| facts.enclosing_handler(of).is_some());
            match tells_outcome(facts, call) {
                true => (masks && of_handler).then_some(Place::Telling),
                false => masks.then_some(Place::Handler),
            }
        }
        _ => None,
    }
}

/// `redis.set(STATUS_KEY.format(job_id), FAILED)`: whoever waits for the job learns how it ended. That is what the handler
/// is there for.
fn tells_outcome(facts: &Facts, call: &Call<'_>) -> bool {
    let stores = matches!(call.method(), Some("set" | "setex" | "hset"));
    let mut given = call.args.iter().map(|arg| facts.expr_text(arg.value));
    stores && given.any(|text| OUTCOMES.iter().any(|word| topic::says(text, word)))
}

/// Words of what the one who asked for the work is told.
const OUTCOMES: &[&str] = &[
    "status", "state", "result", "results", "failure", "failed", "outcome", "response", "reply",
];

/// `usage.record(...)`, `metrics_client.send(...)`, `requests.post(STATS_URL, ...)`. Counters in memory do not fail.
fn reports_usage(facts: &Facts, call: &Call<'_>) -> bool {
    let about = |name: &str| ABOUT.iter().any(|word| topic::says(name, word));
    let verb = topic::begins_with_word(
        call.name(),
        "record report send track push publish emit post flush incr",
    );
    let receiver = call
        .receiver()
        .and_then(|receiver| facts.last_name(receiver));
    let to = call
        .positional(0)
        .filter(|_| call.is(&["requests.post", "httpx.post"]))
        .is_some_and(|to| {
            facts
                .within(to)
                .any(|id| facts.last_name(id).is_some_and(about))
        });
    (verb && (receiver.is_some_and(about) || about(call.name()))) || to
}

/// Words of what is no part of the work itself.
const ABOUT: &[&str] = &[
    "usage",
    "metrics",
    "metric",
    "stats",
    "statistics",
    "telemetry",
    "statsd",
    "analytics",
    "audit",
    "billing",
    "webhook",
];

/// The body has other work before it, and some handler raises, answers with an error, or tries again.
fn shares(facts: &Facts, outer: StmtId, side: StmtId, reports: bool) -> bool {
    let StmtKind::Try { body, handlers, .. } = &facts.stmt(outer).kind else {
        return false;
    };
    let works = body
        .iter()
        .take_while(|&&stmt| stmt < side)
        .any(|&stmt| facts.calls_in(stmt).next().is_some());
    let top = body.contains(&side);
    let fails = |handler: &Handler| {
        let answers = handler
            .body
            .iter()
            .any(|&stmt| matches!(facts.stmt(stmt).kind, StmtKind::Return(Some(_))));
        let goes_on = |&stmt: &StmtId| matches!(facts.stmt(stmt).kind, StmtKind::Continue);
        let continues = || facts.statements_in(&handler.body).iter().any(goes_on);
        let repeats =
            facts.in_loop(outer) && (continues() || falls_into_next_try(facts, outer, handler));
        let ends = facts.reraises(handler)
            || (facts.catches_all(handler) && (answers || (reports && repeats)));
        ends && !is_of_imports(facts, handler)
    };
    works && top && handlers.iter().any(fails)
}

/// A loop of attempts: its body leaves it on success, and the handler's end is the next attempt.
fn falls_into_next_try(facts: &Facts, outer: StmtId, handler: &Handler) -> bool {
    let StmtKind::Try { body, .. } = &facts.stmt(outer).kind else {
        return false;
    };
    let leaves = |stmt: &StmtId| {
        matches!(
            facts.stmt(*stmt).kind,
            StmtKind::Return(_) | StmtKind::Break
        )
    };
    body.last().is_some_and(leaves)
        && !facts.always_leaves(&handler.body)
        && facts.following(outer).is_empty()
}

/// `except ImportError`: a report that fails does not raise what a missing package does.
fn is_of_imports(facts: &Facts, handler: &Handler) -> bool {
    let of_import = |&class: &ExprId| {
        let name = facts.last_name(class);
        matches!(name, Some("ImportError" | "ModuleNotFoundError"))
    };
    !handler.types.is_empty() && handler.types.iter().all(of_import)
}

fn word(call: &Call<'_>, place: Place) -> Words {
    let name = call.name();
    match place {
        Place::Body => Words::new(
            format!("The bookkeeping `{name}` stands in the `try` of the main work."),
            "When its server is down, work that had succeeded is answered with an error, or done again.",
            "Move it out, or give it a `try` of its own that logs and goes on.",
        ),
        Place::Handler => Words::new(
            format!("The bookkeeping `{name}` stands in a handler and can raise there."),
            "When the cache server is down, its error replaces the one that is being handled, and the cause is lost.",
            "Give it a `try` of its own that logs, so that the first error goes on.",
        ),
        Place::Telling => Words::new(
            format!("The first `{name}` of this handler's loop that raises ends it."),
            "When the server is down, the others are not told how their work ended, and the error that led here is replaced.",
            "Does somebody wait for each of them? Then give each its own `try` that logs and goes on.",
        ),
    }
}
