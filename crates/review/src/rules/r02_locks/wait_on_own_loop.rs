//! A coroutine, or what it calls, blocks its event loop until that loop has done something.

use crate::facts::{Call, ExprId, Facts, Kind, ScopeId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "wait-on-own-loop",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "`run_coroutine_threadsafe(...).result()`, or a join of the loop's thread, is reachable from that very loop.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(wait) = loop_wait(facts, &call) else {
            continue;
        };
        let Some(way) = way_from_loop(facts, &call) else {
            continue;
        };
        if !matches!(way, Way::OwnThread) && tests_thread(facts, call.scope()) {
            out.evidence(2, call.span(), "waits for the loop only on another thread");
            continue;
        }
        let verdict = match (wait, way) {
            (LoopWait::Result { own: true }, _) => HitVerdict::Violation,
            _ => HitVerdict::Look,
        };
        let words = word(facts, &call, wait, way);
        out.hits
            .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
    }
}

/// How a call waits for an event loop.
#[derive(Clone, Copy)]
enum LoopWait {
    /// `run_coroutine_threadsafe(...).result()`; `own` where the loop is the one that runs here.
    Result { own: bool },
    /// A join of a thread whose target runs a loop.
    Join,
}

fn loop_wait(facts: &Facts, call: &Call<'_>) -> Option<LoopWait> {
    let receiver = call.receiver()?;
    match call.method()? {
        "result" | "exception" => {
            let scheduled = facts.scheduled_by(call)?;
            let own = scheduled
                .arg(1, "loop")
                .is_some_and(|target| facts.is_asked_loop(target));
            Some(LoopWait::Result { own })
        }
        "join" if facts.is_proven(receiver, Kind::Thread) => {
            runs_loop(facts, receiver).then_some(LoopWait::Join)
        }
        _ => None,
    }
}

/// The target of the thread runs an event loop.
fn runs_loop(facts: &Facts, thread: ExprId) -> bool {
    facts.values(thread).into_iter().any(|value| {
        let target = facts.call(value).and_then(|made| made.keyword("target"));
        target.is_some_and(|target| {
            let by_loop = facts
                .last_name(target)
                .is_some_and(|name| matches!(name, "run_forever" | "run_until_complete"));
            by_loop || target_scope(facts, target).is_some_and(|scope| starts_loop(facts, scope))
        })
    })
}

fn target_scope(facts: &Facts, target: ExprId) -> Option<ScopeId> {
    match facts.self_attribute(target) {
        Some(name) => facts.method(facts.class_of(facts.expr(target).scope)?, name),
        None => facts.definition(target),
    }
}

fn starts_loop(facts: &Facts, scope: ScopeId) -> bool {
    facts.calls_within(facts.scope(scope).span).any(|call| {
        call.is(&["asyncio.run"])
            || matches!(call.method(), Some("run_forever" | "run_until_complete"))
    })
}

/// How the loop gets to the call.
#[derive(Clone, Copy)]
enum Way {
    /// The call stands in a coroutine.
    Coroutine,
    /// A coroutine of this file calls the function it stands in.
    Called,
    /// The function is handed to the loop as a callback.
    Callback,
    /// The function asks for the loop of its own thread and waits for that one.
    OwnThread,
}

fn way_from_loop(facts: &Facts, call: &Call<'_>) -> Option<Way> {
    if facts.waits_for_own_loop(call) {
        return Some(Way::OwnThread);
    }
    if facts.is_async(call.scope()) {
        return Some(Way::Coroutine);
    }
    let function = facts.function_of(call.scope())?;
    if facts
        .calls_to(function)
        .any(|caller| facts.is_async(caller.scope()))
    {
        return Some(Way::Called);
    }
    is_callback(facts, function).then_some(Way::Callback)
}

fn is_callback(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function);
    let is_it = |given: ExprId| match facts.function_given(given) {
        Some(meant) => facts.canonical(meant) == facts.canonical(function),
        None => facts.last_name(given) == name && !is_of_loop(facts, given),
    };
    name.is_some()
        && facts.calls().any(|call| {
            let takes = matches!(
                call.method(),
                Some(
                    "call_soon"
                        | "call_soon_threadsafe"
                        | "call_later"
                        | "call_at"
                        | "add_signal_handler"
                )
            );
            takes && call.args.iter().any(|arg| is_it(arg.value))
        })
}

/// `loop.stop` is the loop's own method, whatever else in the file has the name.
fn is_of_loop(facts: &Facts, given: ExprId) -> bool {
    facts.attribute(given).is_some_and(|(object, _)| {
        let named = facts.last_name(object);
        facts.kind_of(object) == Some(Kind::EventLoop)
            || named.is_some_and(|name| topic::says(name, "loop"))
    })
}

/// The function asks which thread it runs on.
fn tests_thread(facts: &Facts, scope: ScopeId) -> bool {
    let Some(function) = facts.function_of(scope) else {
        return false;
    };
    facts.calls_within(facts.scope(function).span).any(|call| {
        call.is(&[
            "threading.current_thread",
            "threading.get_ident",
            "threading.main_thread",
        ]) || (!facts.is_async(function) && call.is(&["asyncio.get_running_loop"]))
    })
}

fn word(facts: &Facts, call: &Call<'_>, wait: LoopWait, way: Way) -> Words {
    let what = facts
        .dotted(call.function)
        .unwrap_or_else(|| call.name().to_string());
    let from = match way {
        Way::Coroutine => "a coroutine",
        Way::Called => "a function that a coroutine calls",
        Way::Callback => "a callback of the loop",
        Way::OwnThread => "the thread whose own loop it waits for",
    };
    let (why, ask) = match wait {
        LoopWait::Result { own: true } => (
            "The loop cannot run what it is asked for while this call blocks it: nothing goes on, and a timeout only turns the standstill into an error.",
            "Await the coroutine, or wrap the future with `asyncio.wrap_future` and await that.",
        ),
        _ => (
            "If the loop that runs this is the one that has to do the work, neither ends; any other loop stands still meanwhile, too.",
            "Which loop runs this, and which one does it wait for? Await it, or move the wait to a helper thread.",
        ),
    };
    Words::new(format!("`{what}` blocks {from}."), why, ask)
}
