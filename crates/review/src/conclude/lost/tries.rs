//! Calls that the change takes out of the `try` which caught what they raise.
//!
//! That somebody caught it before says that it fails at times. It counts where the work goes on without the call: steps of
//! a clean-up, reads of a cache, reports of metrics. A check that sees the fault itself stands, and this is silent.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Call, ExprId, Facts, Handler, ScopeId, StmtId, ends_object};
use crate::rules::{
    Anchor, CACHE_OUTAGE_PROPAGATES, CLEANUP_PROPAGATES, Check, FIRST_FAILURE_SKIPS_REST, Hit,
    HitVerdict, SIDE_WORK_SHARES_TRY, Words,
};

/// Hits at the calls that have lost their `try`, on the new side of a file: one a function.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let mut told: Vec<ScopeId> = Vec::new();
    let mut losses = Vec::new();
    for call in new.changed_calls() {
        let Some(work) = Work::of(new.facts, &call) else {
            continue;
        };
        let is_news = !told.contains(&call.scope())
            && !sides.is_told(Told::ByRuleOf(work.check()), call.stmt());
        if is_news && !may_be_caught(new.facts, &call) && was_caught(old, new, &call) {
            told.push(call.scope());
            losses.push(Loss::gone(hit(new.facts, &call, work)));
        }
    }
    losses
}

/// What a call is there for.
#[derive(Clone, Copy)]
enum Work {
    /// A step of a clean-up with others behind it.
    StepOfMany,
    /// The last step.
    LastStep,
    Cache,
    Report,
}

impl Work {
    fn of(facts: &Facts, call: &Call<'_>) -> Option<Work> {
        let receiver = call.receiver()?;
        let name = facts.last_name(receiver).unwrap_or("");
        let says = |words: &[&str]| topic::words(name).any(|word| words.contains(&&*word));
        let cleans = call.is_dropped() && ends(call);
        if cleans && facts.cleanup_place(call.stmt()).is_some() {
            return Some(match goes_on(facts, call.stmt()) {
                true => Work::StepOfMany,
                false => Work::LastStep,
            });
        }
        let of_cache = says(&["cache", "redis", "memcache", "memcached"])
            && !matches!(facts.name(receiver), Some("self" | "cls"))
            && !facts.is_in_process(receiver);
        if of_cache && ASKS.contains(&call.name()) {
            return Some(Work::Cache);
        }
        let reports = call.is_dropped()
            && says(&[
                "metrics",
                "metric",
                "statsd",
                "telemetry",
                "usage",
                "analytics",
            ])
            && !matches!(call.name(), "append" | "add" | "update" | "clear");
        reports.then_some(Work::Report)
    }

    fn check(self) -> &'static Check {
        match self {
            Work::StepOfMany => FIRST_FAILURE_SKIPS_REST,
            Work::LastStep => CLEANUP_PROPAGATES,
            Work::Cache => CACHE_OUTAGE_PROPAGATES,
            Work::Report => SIDE_WORK_SHARES_TRY,
        }
    }
}

/// Ends an object, or takes its leave of what goes on.
fn ends(call: &Call<'_>) -> bool {
    let name = call.name();
    ends_object(name)
        || matches!(
            name,
            "unsubscribe" | "cancel" | "unlink" | "kill" | "flush" | "quit" | "logout"
        )
}

const ASKS: &[&str] = &[
    "get", "set", "delete", "exists", "incr", "setex", "get_many", "set_many", "hget", "hset",
];

/// Anything behind the statement calls something: it is skipped when this raises.
fn goes_on(facts: &Facts, stmt: StmtId) -> bool {
    let around = facts.ancestors(stmt).map(|around| around.stmt);
    let mut behind = std::iter::once(stmt)
        .chain(around)
        .flat_map(|at| facts.following(at).iter().copied());
    behind.any(|next| facts.calls_in(next).any(|call| ends(&call)))
}

fn catches(facts: &Facts, stmt: StmtId) -> bool {
    let goes_on = |handler: &Handler| !facts.reraises(handler);
    facts.handlers_around(stmt).any(goes_on) || facts.is_caught(stmt, &["Exception"])
}

/// Something around the call can still catch: a `try` or a context of its own, a decorator that is new, a caller.
fn may_be_caught(facts: &Facts, call: &Call<'_>) -> bool {
    let is_new = |id: ExprId| facts.is_changed(facts.expr(id).span);
    let function = facts.function_of(call.scope());
    let by_decorator =
        || function.is_some_and(|function| facts.decorators(function).iter().any(|&id| is_new(id)));
    let by_caller = || {
        function.is_some_and(|function| {
            let mut callers = facts.calls_to(function);
            callers.any(|caller| catches(facts, caller.stmt()))
        })
    };
    let by_context = || {
        let mut items = facts.with_items(call.stmt());
        items.any(|(_, item)| is_new(item.context))
    };
    let what = facts.dotted(call.function);
    // The other way of the same step, in its handler or beside it.
    let still_caught = || {
        let mut others = facts.calls_of(call.scope());
        others.any(|other| facts.dotted(other.function) == what && catches(facts, other.stmt()))
    };
    catches(facts, call.stmt())
        || facts.enclosing_handler(call.stmt()).is_some()
        || still_caught()
        || !facts.sees_enclosure(call.stmt())
        || by_context()
        || by_decorator()
        || by_caller()
}

/// The old side has the same call in the same function, in a `try` that the change deletes.
fn was_caught(old: &Half<'_>, new: &Half<'_>, call: &Call<'_>) -> bool {
    let what = new.facts.dotted(call.function);
    let scope = new.scope_names(call.stmt());
    let facts = old.facts;
    let is_deleted = |stmt: StmtId| {
        let mut tries = facts.protecting_tries(stmt);
        tries.any(|outer| facts.is_changed(facts.stmt(outer).head))
    };
    let mut calls = old.changed_calls();
    what.is_some()
        && calls.any(|was| {
            facts.dotted(was.function) == what
                && old.scope_names(was.stmt()) == scope
                && catches(facts, was.stmt())
                && is_deleted(was.stmt())
        })
}

fn hit(facts: &Facts, call: &Call<'_>, work: Work) -> Hit {
    let what = facts.expr_text(call.function);
    let (why, ask) = match work {
        Work::StepOfMany => (
            "Somebody has seen it fail, or expects it to: now the first failure leaves the steps behind it undone, and comes out of the clean-up.",
            "Can it not fail any more? Else give the step its `try` back, or put the steps on an `ExitStack`.",
        ),
        Work::LastStep => (
            "Somebody has seen it fail, or expects it to: now its error comes out of the clean-up, in place of the outcome of the work.",
            "Can it not fail any more? Else catch and log what it raises, as before.",
        ),
        Work::Cache => (
            "An unreachable cache counted as a miss before; now it fails the request.",
            "Who catches it now? Keep the call in a `try`, log, and go on without the cache.",
        ),
        Work::Report => (
            "A report that failed was only logged before; now it fails the work that it reports of.",
            "Who catches it now? Give the report its own `try` that logs.",
        ),
    };
    let words = Words::new(format!("`{what}` has lost the `try` around it."), why, ask);
    Hit::new(work.check(), Anchor::call(call), HitVerdict::Look, words)
}
