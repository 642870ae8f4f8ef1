//! A timed acquire as a context of one's own, where the package has one.

use crate::facts::{Call, Facts, ScopeId};
use crate::rules::{Check, Context, HitVerdict, Outcome, own_helper};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: own_helper::ID,
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A context manager that takes a lock with a timeout, where the package has one to share.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let Some(helper) = own_helper::helper(cx, Role::TimedAcquire) else {
        return;
    };
    for function in own_helper::own_functions(cx).filter(|&scope| is_context(cx.facts, scope)) {
        let acquire = cx
            .facts
            .calls_of(function)
            .find(|call| is_timed_acquire(cx.facts, call));
        let hit = acquire.and_then(|call| {
            let place = (function, call.stmt());
            own_helper::hit(cx, &CHECK, place, helper, HitVerdict::Violation)
        });
        out.hits.extend(hit);
    }
}

/// `@contextmanager def locked(lock): ... yield`
fn is_context(facts: &Facts, function: ScopeId) -> bool {
    let decorated = facts
        .decorators(function)
        .iter()
        .any(|&decorator| facts.last_name(decorator) == Some("contextmanager"));
    decorated && facts.scope(function).is_generator
}

/// `lock.acquire(timeout=t)` of a lock that the function is given: one's own locks are one's own business.
fn is_timed_acquire(facts: &Facts, call: &Call<'_>) -> bool {
    let is_given = call
        .receiver()
        .is_some_and(|lock| facts.parameter(lock).is_some() && facts.lock(lock).is_some());
    call.method() == Some("acquire") && call.keyword("timeout").is_some() && is_given
}
