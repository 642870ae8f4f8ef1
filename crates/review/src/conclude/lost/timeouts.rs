//! Waits that the change leaves without the timeout which they had.
//!
//! What is waited for need not be shown: that somebody gave the wait a limit says enough. Where a check sees the wait
//! itself, it stands, and this is silent.

use super::limits::{bound, check, is_named, is_of_module};
use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Bound, Call, ExprId, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Hit, HitVerdict, UNBOUNDED_WAIT, Words};

/// Hits at the waits that have lost their limit, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let waits = new.changed_calls();
    waits
        .filter_map(|wait| {
            let check = if is_unlimited(old, new, &wait) {
                check(new.facts, &wait)
            } else {
                is_unwrapped(old, new, &wait).then_some(UNBOUNDED_WAIT)?
            };
            let is_told = sides.is_told(Told::ByRuleOf(check), wait.stmt());
            (!is_told).then(|| Loss::gone(hit(sides, &wait, check)))
        })
        .collect()
}

/// `worker.join()` where `worker.join(timeout=5)` stood.
fn is_unlimited(old: &Half<'_>, new: &Half<'_>, wait: &Call<'_>) -> bool {
    bound(new.facts, wait) == Some(Bound::Unbounded) && had_limit(old, new, wait)
}

/// `await self._next()` where `await asyncio.wait_for(self._next(), 5)` stood.
fn is_unwrapped(old: &Half<'_>, new: &Half<'_>, wait: &Call<'_>) -> bool {
    let scope = new.scope_names(wait.stmt());
    let waited = new.facts.dotted(wait.function);
    let wraps = |half: &Half<'_>| {
        let is_it = |call: &Call<'_>| {
            let inner = call.positional(0).and_then(|inner| half.facts.call(inner));
            let limits = half.facts.bound(call, 1, "timeout") != Bound::Unbounded;
            let same = inner.and_then(|inner| half.facts.dotted(inner.function)) == waited;
            call.name() == "wait_for" && limits && same
        };
        let mut calls = half.changed_calls();
        calls.any(|call| half.scope_names(call.stmt()) == scope && is_it(&call))
    };
    let is_bounded = new.facts.with_items(wait.stmt()).any(|(_, item)| {
        let call = new.facts.call(item.context);
        call.is_some_and(|call| {
            matches!(
                call.name(),
                "timeout" | "fail_after" | "move_on_after" | "CancelScope"
            )
        })
    });
    let takes_limit = wait.keyword("timeout").is_some() || wait.has_splat();
    let is_bounded = is_bounded || takes_limit;
    wait.is_awaited() && waited.is_some() && !is_bounded && wraps(old) && !wraps(new)
}

/// Whether a deleted statement of the same function waits for the same with a limit, and no added one does.
fn had_limit(old: &Half<'_>, new: &Half<'_>, wait: &Call<'_>) -> bool {
    let scope = new.scope_names(wait.stmt());
    !scope.is_empty()
        && limited(old, new.facts, wait, &scope)
        && !limited(new, new.facts, wait, &scope)
        && !is_limited_otherwise(new, wait, &scope)
}

/// A limit that only moved: an added line of the same function speaks of one, or what is waited at is made with one.
fn is_limited_otherwise(new: &Half<'_>, wait: &Call<'_>, scope: &[&str]) -> bool {
    let facts = new.facts;
    let object = wait.receiver().and_then(|of| facts.dotted(of));
    let makes = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => {
            let mut targets = targets.iter();
            object.is_some() && targets.any(|&target| facts.dotted(target) == object)
        }
        _ => false,
    };
    new.changed_stmts().any(|stmt| {
        let is_here = new.scope_names(stmt) == scope || makes(stmt);
        is_here && speaks_of_limit(facts, stmt)
    })
}

fn speaks_of_limit(facts: &Facts, stmt: StmtId) -> bool {
    let says = |name: &str| {
        let words = ["timeout", "settimeout", "deadline"];
        words.iter().any(|word| topic::says(name, word))
    };
    let named = |id: ExprId| facts.last_name(id).is_some_and(says);
    let given = |call: Call<'_>| {
        let mut names = call.args.iter().filter_map(|arg| arg.name);
        names.any(|name| says(facts.text(name)))
    };
    facts.exprs_of(stmt).any(named) || facts.calls_in(stmt).any(given)
}

fn limited(half: &Half<'_>, facts: &Facts, wait: &Call<'_>, scope: &[&str]) -> bool {
    let waited = facts.dotted(wait.function);
    // Of a module's functions the first argument says what is waited for: another address is another wait.
    let object = |facts: &Facts, call: &Call<'_>| {
        let first = call.positional(0).filter(|_| is_of_module(call));
        first.map(|first| facts.expr_text(first).to_owned())
    };
    let is_it = |call: &Call<'_>| {
        let same = object(half.facts, call) == object(facts, wait);
        same && half.facts.dotted(call.function) == waited && {
            let bound = bound(half.facts, call);
            bound.is_some_and(|bound| bound != Bound::Unbounded) && is_named(half.facts, call)
        }
    };
    let mut calls = half.changed_calls();
    waited.is_some() && calls.any(|call| half.scope_names(call.stmt()) == scope && is_it(&call))
}

fn hit(sides: &Sides<'_>, wait: &Call<'_>, check: &'static Check) -> Hit {
    let context = sides.context();
    let verdict = context.where_it_matters(wait.stmt(), HitVerdict::Look);
    let what = context.facts.expr_text(wait.function);
    let words = Words::new(
        format!("`{what}()` has lost its timeout."),
        "Somebody gave this wait a limit before; without one it lasts as long as the other side hangs, and so does whoever waits for this function.",
        "What ends the wait now? If nothing always does, keep the timeout and handle that it ran out.",
    );
    let anchor = Anchor::call(wait);
    Hit::new(check, anchor, verdict, words)
}
