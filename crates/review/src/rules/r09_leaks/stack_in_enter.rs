//! An exit stack of the object that `__enter__` fills step by step: a step that raises leaves the earlier ones open.

use super::init_failure_leak::{CHECK, fails_at_times};
use super::opened;
use crate::facts::{Call, ExprId, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told = Vec::new();
    for first in facts.calls().filter(|call| fills(facts, call)) {
        if told.contains(&first.scope()) {
            continue;
        }
        if let Some(step) = failing_step(facts, &first) {
            told.push(first.scope());
            report(cx, &first, &step, out);
        }
    }
}

/// `self._stack.enter_context(open_port())` where a failure of the function means that nobody closes the stack.
fn fills(facts: &Facts, call: &Call<'_>) -> bool {
    let starts = matches!(
        facts.function_name(call.stmt()),
        Some("__enter__" | "__aenter__" | "__init__")
    );
    let of_self = call
        .receiver()
        .is_some_and(|of| facts.self_attribute(of).is_some());
    let opens = call.positional(0).is_some_and(|given| opens(facts, given));
    starts && of_self && enters(call) && opens && !is_guarded(facts, call)
}

fn enters(call: &Call<'_>) -> bool {
    matches!(call.method(), Some("enter_context" | "enter_async_context"))
}

/// Something that has to be ended, by what it is or by the name of what makes it.
fn opens(facts: &Facts, given: ExprId) -> bool {
    facts.call(given).is_some_and(|made| {
        let mut words = topic::words(made.name());
        let says = words.any(|word| {
            matches!(
                &*word,
                "open" | "connect" | "acquire" | "session" | "client"
            )
        });
        says || facts.resource_made(&made).is_some()
    })
}

fn is_guarded(facts: &Facts, call: &Call<'_>) -> bool {
    facts.protecting_tries(call.stmt()).next().is_some()
        || facts.finally_blocks(call.stmt()).next().is_some()
}

/// The next thing that is opened, or that fails at times, with nothing around that would close the stack.
fn failing_step<'f>(facts: &'f Facts, first: &Call<'f>) -> Option<Call<'f>> {
    facts.calls_of(first.scope()).find(|call| {
        let later = call.stmt() > first.stmt();
        let fails = enters(call) || fails_at_times(call) || facts.resource_made(call).is_some();
        later && fails && !is_guarded(facts, call)
    })
}

fn report(cx: &Context<'_>, first: &Call<'_>, step: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let stack = first
        .receiver()
        .map_or("the stack", |of| facts.expr_text(of));
    let function = facts.function_name(first.stmt()).unwrap_or("__enter__");
    let words = Words::new(
        format!(
            "If this step of `{function}` raises, nothing closes what `{stack}` already holds."
        ),
        format!(
            "When `{function}` fails, the object's `__exit__` is never called: what was entered before stays open."
        ),
        format!(
            "Fill a local `with ExitStack() as stack:` and keep it with `{stack} = stack.pop_all()` at the end, or close `{stack}` in an `except` that raises again."
        ),
    );
    let verdict = opened::unless_cold(cx, HitVerdict::Look);
    let hit = Hit::new(&CHECK, Anchor::call(step), verdict, words);
    let mut hit = hit.with_related(first.span(), "entered before");
    hit.causes.push(first.span());
    out.hits.push(hit);
}
