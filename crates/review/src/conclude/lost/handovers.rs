//! Work that was handed to where it belongs, and that the change does on the spot: calls on an event loop's objects, which
//! went through `call_soon_threadsafe`, and functions that ran in their caller's context in another thread.
//!
//! Who handed a call to the loop stood in another thread. Where the same function makes that call itself now, it most
//! likely still stands there.

use super::{Loss, Sides};
use crate::conclude::seen::Half;
use crate::facts::{Call, ExprId, Facts, ScopeId};
use crate::rules::{
    Anchor, Hit, HitVerdict, LOOP_TOUCHED_FROM_THREAD, THREAD_LOCAL_IN_SHORT_POOL, Words,
};

/// Hits at what is no longer handed over, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let handed = old
        .changed_calls()
        .filter_map(|call| Handed::of(old, &call));
    let mut hits: Vec<Hit> = handed.filter_map(|handed| handed.missed(new)).collect();
    hits.dedup_by_key(|hit| hit.anchor);
    hits.into_iter().map(Loss::gone).collect()
}

/// What a deleted statement handed over.
struct Handed {
    /// The scopes around it, innermost first.
    scope: Vec<String>,
    /// What was to be called, as it is written.
    function: String,
    to: To,
    /// Calling it only makes a coroutine.
    is_coroutine: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    /// The thread of an event loop.
    Loop,
    /// Another thread, with the context of this one.
    Context,
}

impl Handed {
    fn of(old: &Half<'_>, call: &Call<'_>) -> Option<Handed> {
        let facts = old.facts;
        let (given, to) = match call.name() {
            "call_soon_threadsafe" => (call.positional(0)?, To::Loop),
            "run_coroutine_threadsafe" => (facts.call(call.positional(0)?)?.function, To::Loop),
            _ => (carried(facts, call)?, To::Context),
        };
        let scope = old.scope_names(call.stmt());
        let is_plain = facts
            .function_of(call.scope())
            .is_some_and(|function| !facts.is_async(function));
        let handed = Handed {
            scope: scope.into_iter().map(str::to_owned).collect(),
            function: facts.dotted(given)?,
            to,
            is_coroutine: call.name() == "run_coroutine_threadsafe",
        };
        (to == To::Context || is_plain).then_some(handed)
    }

    /// The call of the new side that does it on the spot, in the same function.
    fn missed(&self, new: &Half<'_>) -> Option<Hit> {
        let facts = new.facts;
        let mut calls = new
            .changed_calls()
            .filter(|call| new.scope_names(call.stmt()) == self.scope);
        match self.to {
            To::Loop => {
                let call = calls.find(|call| self.is_done(facts, call))?;
                (!self.is_safe(new, &call)).then(|| loop_hit(facts, &call))
            }
            To::Context => {
                let call = calls.find(|call| self.is_submitted(facts, call))?;
                let keeps = facts.calls_named("copy_context").next().is_some();
                (!keeps).then(|| context_hit(&call))
            }
        }
    }

    /// `self._offer(item)`, or a task made of it, outside of what is handed on.
    fn is_done(&self, facts: &Facts, call: &Call<'_>) -> bool {
        let is_it = |id: ExprId| facts.dotted(id).as_deref() == Some(&*self.function);
        let makes_task = matches!(call.name(), "create_task" | "ensure_future");
        let coroutine = call.positional(0).filter(|_| makes_task);
        let coroutine = coroutine.and_then(|given| facts.call(given));
        let is_made = coroutine.is_some_and(|inner| is_it(inner.function));
        let is_handed = facts.is_given_to(
            call.id,
            &["run_coroutine_threadsafe", "call_soon_threadsafe"],
        );
        let is_plain = is_it(call.function) && !self.is_coroutine && !is_coroutine(facts, call);
        (is_made || is_plain) && !is_handed
    }

    /// `pool.submit(work, x)`, without the context that carried it.
    fn is_submitted(&self, facts: &Facts, call: &Call<'_>) -> bool {
        let given = match call.name() {
            "submit" => call.positional(0),
            "run_in_executor" => call.positional(1),
            "Thread" | "Timer" => call.keyword("target").or_else(|| call.positional(1)),
            _ => None,
        };
        given.and_then(|given| facts.dotted(given)).as_deref() == Some(&*self.function)
    }

    /// The function runs in the loop now, asks where it runs, or what it calls does the hand-over itself.
    fn is_safe(&self, new: &Half<'_>, call: &Call<'_>) -> bool {
        let facts = new.facts;
        let Some(function) = facts.function_of(call.scope()) else {
            return true;
        };
        let name = facts.scope_name(function);
        let hands = |inner: Call<'_>| {
            matches!(
                inner.name(),
                "call_soon_threadsafe" | "run_coroutine_threadsafe"
            )
        };
        let callee = facts.callee_scope(call);
        let is_handed = new.changed_calls().any(|other| {
            let given = other.positional(0).filter(|_| hands(other));
            given.is_some_and(|given| facts.last_name(given) == name)
        });
        facts.is_async(function)
            || asks_where(facts, function)
            || is_handed
            || callee.is_some_and(|inner| facts.calls_of(inner).any(hands))
    }
}

/// A coroutine that is only called does nothing where it is called.
fn is_coroutine(facts: &Facts, call: &Call<'_>) -> bool {
    let callee = facts.callee(call);
    callee.is_some_and(|(home, function)| home.is_async(function)) || call.is_awaited()
}

/// The function that `context.run` carries: `pool.submit(context.run, work, x)`.
fn carried(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let place = match call.name() {
        "submit" => 0,
        "run_in_executor" => 1,
        _ => return None,
    };
    let (context, method) = facts.attribute(call.positional(place)?)?;
    let copied = |value| {
        let made = facts.call(value);
        made.is_some_and(|made| made.name() == "copy_context")
    };
    let copies = facts.values(context).into_iter().any(copied);
    let says = facts.last_name(context).is_some_and(|name| {
        matches!(
            &*topic::words(name).last().unwrap_or_default(),
            "context" | "ctx"
        )
    });
    let is_run = method == "run" && (copies || says);
    call.positional(place + 1).filter(|_| is_run)
}

fn asks_where(facts: &Facts, function: ScopeId) -> bool {
    facts.calls_of(function).any(|call| {
        matches!(
            call.name(),
            "current_thread"
                | "get_ident"
                | "main_thread"
                | "get_running_loop"
                | "_get_running_loop"
        )
    })
}

fn loop_hit(facts: &Facts, call: &Call<'_>) -> Hit {
    let what = facts.expr_text(call.function);
    let words = Words::new(
        format!("`{what}` is called on the spot now; before, it was handed to the event loop."),
        "Whoever hands work to a loop stands in another thread. asyncio objects are not thread-safe: called from there, the loop does not wake up for the change, or is changed while it runs.",
        format!(
            "Does the loop's own thread run this function now? If not, keep `call_soon_threadsafe` or `run_coroutine_threadsafe` around `{what}`."
        ),
    );
    let anchor = Anchor::call(call);
    Hit::new(LOOP_TOUCHED_FROM_THREAD, anchor, HitVerdict::Look, words)
}

fn context_hit(call: &Call<'_>) -> Hit {
    let words = Words::new(
        "The work goes to its thread without the caller's context now.",
        "Pool threads begin with an empty context: a request id, a tenant or a locale that the work reads has its default there.",
        "Does nothing that runs there read a context variable? If anything does, keep `copy_context().run`.",
    );
    let anchor = Anchor::call(call);
    Hit::new(THREAD_LOCAL_IN_SHORT_POOL, anchor, HitVerdict::Look, words)
}
