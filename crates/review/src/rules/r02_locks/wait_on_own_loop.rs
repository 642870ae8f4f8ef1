//! A coroutine, or what it calls, blocks its event loop until that loop has done something.

use crate::facts::{Call, ExprId, Facts, Kind, ScopeId, Span};
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
        let mut hit = Hit::new(&CHECK, Anchor::call(&call), verdict, words);
        for caller in coroutine_callers(facts, &call) {
            let (head, span) = (coroutine_head(facts, &caller), caller.span());
            hit.causes.extend([head, span]);
            hit = hit.with_related(span, "a coroutine calls it here");
        }
        out.hits.push(hit);
    }
    for call in facts.calls().filter(|call| is_for_threads(facts, call)) {
        let words = word_for_threads(&call);
        let anchor = Anchor::call(&call);
        let mut hit = Hit::new(&CHECK, anchor, HitVerdict::Look, words);
        hit.causes.push(coroutine_head(facts, &call));
        out.hits.push(hit);
    }
}

/// The calls, in coroutines, of the function that waits; by its name on an object of which no more is known.
fn coroutine_callers<'f>(facts: &'f Facts, wait: &Call<'_>) -> Vec<Call<'f>> {
    let function = facts.function_of(wait.scope());
    let Some(function) = function.filter(|&function| !facts.is_async(function)) else {
        return Vec::new();
    };
    let name = facts.scope_name(function).unwrap_or("");
    let is_method = facts.class_of(function).is_some() && topic::words(name).count() > 2;
    let only = || {
        let same = |scope: &ScopeId| facts.scope_name(*scope) == Some(name);
        let alike = facts
            .scope_ids()
            .filter(|&scope| facts.canonical(scope) == scope);
        alike.filter(same).count() == 1
    };
    let by_name = |call: &Call<'_>| {
        let of_unknown = |of| facts.type_of(of).is_none() && facts.resolved(of).is_some();
        call.receiver().is_some_and(of_unknown)
    };
    let named: Vec<Call<'f>> = match is_method && only() {
        true => facts.calls_named(name).filter(by_name).collect(),
        false => Vec::new(),
    };
    let known = facts.calls_to(function).chain(named);
    known
        .filter(|caller| facts.is_async(caller.scope()))
        .collect()
}

/// The line that makes a function a coroutine.
fn coroutine_head(facts: &Facts, call: &Call<'_>) -> Span {
    let function = facts.function_of(call.scope());
    let stmt = function.and_then(|function| facts.scope(function).stmt);
    facts.stmt(stmt.unwrap_or(call.stmt())).head
}

/// `link.send_from_thread(...)` in a coroutine: a method for other threads, of a class that is not shown.
fn is_for_threads(facts: &Facts, call: &Call<'_>) -> bool {
    let shown = || {
        let mut scopes = facts.scope_ids();
        scopes.any(|scope| facts.scope_name(scope) == call.method())
    };
    call.method()
        .is_some_and(|name| topic::says(name, "from thread"))
        && facts.is_async(call.scope())
        && !call.is_awaited()
        && call
            .receiver()
            .is_some_and(|of| !facts.is_attribute_of_module(of))
        && !shown()
}

fn word_for_threads(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` is for other threads, and a coroutine calls it.",
            call.name()
        ),
        "Such a method hands work to the event loop and waits for it; on the loop's own thread the wait keeps the loop from doing it, and ends with the timeout at best.",
        "Does it wait for the loop that runs this coroutine? Await the coroutine behind it instead.",
    )
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
    if !coroutine_callers(facts, call).is_empty() {
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
