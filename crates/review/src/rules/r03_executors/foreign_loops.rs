//! Event loops that the text shows to run in another thread than the function which touches them.

use crate::facts::{Call, ExprId, Facts, Kind, ScopeId, ScopeKind, Span, StmtKind};

/// What shows that a loop belongs to another thread.
pub(super) struct Foreign {
    pub(super) shown_at: Span,
    /// This very function hands work to the loop as one does from outside; else a sibling waits for the loop.
    pub(super) is_sure: bool,
    pub(super) shown: Shown,
}

/// Who is shown to use the loop from outside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// A blocking method of the same class, or this function itself.
    Waiting,
    /// A watchdog or timer is given the function to call.
    Timer,
    /// A library calls the function in a thread of its own.
    Library,
    /// The function around this one hands work to the loop as one does from outside.
    Beside,
    /// The function's own text says that other threads call it.
    Said,
}

/// What shows that the loop a call touches is one of another thread.
pub(super) fn foreign_loop(facts: &Facts, call: &Call<'_>) -> Option<Foreign> {
    let target = call.receiver()?;
    let is_loop = facts
        .type_of(target)
        .is_some_and(|found| found.is(Kind::EventLoop));
    let function = facts.function_of(call.scope())?;
    let runs_here = facts.scope(call.scope()).kind == ScopeKind::Function;
    if !is_loop || !runs_here || may_run_in_loop(facts, function) {
        return None;
    }
    let beside = handed_beside(facts, call, target, function).map(|shown_at| Foreign {
        shown_at,
        is_sure: true,
        shown: Shown::Waiting,
    });
    beside.or_else(|| {
        let shown_at = sibling_waits(facts, target, function)?;
        Some(Foreign {
            shown_at,
            is_sure: false,
            shown: Shown::Waiting,
        })
    })
}

/// `peer.data_channel.send(text)` in a plain function inside one that hands the connection's coroutines to its loop from
/// outside: a pipeline or a camera calls it, in a thread of theirs.
pub(super) fn of_foreign_channel(facts: &Facts, call: &Call<'_>) -> Option<Foreign> {
    let channel = facts.last_name(call.receiver()?)?;
    let sends = call.method() == Some("send") && !call.is_awaited();
    let says = topic::says(channel, "data channel") || topic::says(channel, "datachannel");
    let function = facts.function_of(call.scope()).filter(|_| sends && says)?;
    let runs_here = facts.scope(call.scope()).kind == ScopeKind::Function;
    if !runs_here || is_of_loop(facts, function) {
        return None;
    }
    let outer = facts.function_of(facts.scope(function).parent?)?;
    let mut calls = facts.calls_of(outer).filter(|_| !facts.is_async(outer));
    let handed = calls.find(|other| handed_to(facts, other).is_some())?;
    Some(unsure(handed.span(), Shown::Beside))
}

/// A queue whose coroutines another method hands to its loop from outside, and waits for: a method beside that one, which
/// fills the queue itself, most likely runs in the same other thread.
pub(super) fn of_foreign_queue(facts: &Facts, call: &Call<'_>) -> Option<Foreign> {
    let fills = matches!(call.method(), Some("put_nowait" | "get_nowait"));
    let queue = call.receiver().filter(|_| fills)?;
    let function = facts.function_of(call.scope())?;
    let class = facts.class_of(call.scope())?;
    facts.self_attribute(queue)?;
    let name = facts.scope_name(function)?;
    let of_loop = topic::has_word(name, "async loop");
    if of_loop || !is_public(facts, function) || may_run_in_loop(facts, function) {
        return None;
    }
    let field = facts.dotted(queue);
    let hands_over = |other: &Call<'_>| {
        let given = other.positional(0).map(|given| facts.expr(given).span);
        let is_handed = other.name() == "run_coroutine_threadsafe";
        let mut inner = facts.calls_within(given.filter(|_| is_handed).unwrap_or_default());
        inner.any(|inner| inner.receiver().and_then(|of| facts.dotted(of)) == field)
    };
    let siblings = facts
        .methods(class)
        .filter(|&method| !facts.is_async(method));
    let mut calls = siblings.flat_map(|method| facts.calls_of(method));
    if let Some(handed) = calls.find(hands_over) {
        return Some(unsure(handed.span(), Shown::Waiting));
    }
    let reader = says_thread(facts, function).then(|| reader(facts, class, field?))??;
    Some(unsure(reader, Shown::Said))
}

fn unsure(shown_at: Span, shown: Shown) -> Foreign {
    Foreign {
        shown_at,
        is_sure: false,
        shown,
    }
}

/// A docstring or comment that names a thread: "called from the main thread".
fn says_thread(facts: &Facts, function: ScopeId) -> bool {
    let text = facts.text(facts.scope(function).span);
    topic::has_word(text, "thread threads")
}

/// A coroutine of the class that waits at the same queue.
fn reader(facts: &Facts, class: ScopeId, field: String) -> Option<Span> {
    let coroutines = facts
        .methods(class)
        .filter(|&method| facts.is_async(method));
    let mut calls = coroutines.flat_map(|method| facts.calls_of(method));
    let waits = |call: &Call<'_>| {
        let of_field = call.receiver().and_then(|of| facts.dotted(of)).as_ref() == Some(&field);
        of_field && call.method() == Some("get") && call.is_awaited()
    };
    calls.find(waits).map(|call| call.span())
}

/// `watchdog.on_timeout = stop`, `Watchdog(callback=stop)`: a plain function beside a loop that a watchdog or timer calls
/// when time is up, or one that such a function calls.
pub(super) fn given_to_timer(facts: &Facts, call: &Call<'_>) -> Option<Foreign> {
    let function = facts.function_of(call.scope())?;
    let callers = facts
        .calls_to(function)
        .filter(|caller| facts.scope(caller.scope()).kind == ScopeKind::Function)
        .filter_map(|caller| facts.function_of(caller.scope()));
    let mut all = std::iter::once(function).chain(callers);
    all.find_map(|candidate| timers_callback(facts, candidate))
}

fn timers_callback(facts: &Facts, function: ScopeId) -> Option<Foreign> {
    let outer = facts.scope(function).parent?;
    // Of a function whose head is not shown, its lines stand where the text of a module would.
    let may_be_function = facts.scope(outer).kind == ScopeKind::Function || !facts.document.whole;
    let beside_loop = may_be_function && (facts.is_async(outer) || has_loop(facts, outer));
    if facts.is_async(function) || !beside_loop {
        return None;
    }
    let name = facts.scope_name(function)?;
    let is_it = |id: ExprId| {
        facts.definition(id).map(|scope| facts.canonical(scope)) == Some(facts.canonical(function))
    };
    let given = facts
        .exprs_named(name)
        .find(|&id| is_it(id) && is_timers(facts, id))?;
    Some(unsure(facts.expr(given).span, Shown::Timer))
}

/// A function that gets or makes the loop which its thread runs.
fn has_loop(facts: &Facts, function: ScopeId) -> bool {
    let mut calls = facts.calls();
    calls.any(|call| {
        let gets = matches!(
            call.name(),
            "get_running_loop" | "new_event_loop" | "get_event_loop" | "run_until_complete"
        );
        gets && call.scope() == function
    })
}

/// Whether an expression is assigned to a field of a watchdog, or is an argument of what makes one.
fn is_timers(facts: &Facts, given: ExprId) -> bool {
    let says = |name: &str| {
        let words = ["watchdog", "timer", "heartbeat", "monitor"];
        words.iter().any(|word| topic::says(name, word))
    };
    let by_field = match &facts.stmt(facts.expr(given).stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == given => targets.iter().any(|&target| {
            let object = facts
                .attribute(target)
                .and_then(|(object, _)| facts.last_name(object));
            object.is_some_and(says)
        }),
        _ => false,
    };
    let call = facts.expr(given).parent.and_then(|up| facts.call(up));
    by_field || call.is_some_and(|call| call.function != given && says(call.name()))
}

/// The loop that a call hands work to in the way that is safe from other threads.
fn handed_to(facts: &Facts, call: &Call<'_>) -> Option<String> {
    let target = match call.method() {
        Some("call_soon_threadsafe") => call.receiver(),
        _ if call.is(&["asyncio.run_coroutine_threadsafe"]) => call.arg(1, "loop"),
        _ => None,
    };
    facts.dotted(target?)
}

/// `run_coroutine_threadsafe(session.close(), loop)` right before or behind `loop.stop()`.
fn handed_beside(
    facts: &Facts,
    call: &Call<'_>,
    target: ExprId,
    function: ScopeId,
) -> Option<Span> {
    let target = facts.dotted(target)?;
    let on_same_way = |other: &Call<'_>| {
        facts.always_before(other.stmt(), call.stmt())
            || facts.always_before(call.stmt(), other.stmt())
    };
    let beside = facts
        .calls_of(function)
        .find(|other| handed_to(facts, other).as_ref() == Some(&target) && on_same_way(other));
    beside.map(|other| other.span())
}

/// Another public method of the class blocks until the loop has done something, so the object serves other threads.
fn sibling_waits(facts: &Facts, target: ExprId, function: ScopeId) -> Option<Span> {
    let class = facts.class_of(facts.expr(target).scope)?;
    facts.self_attribute(target)?;
    if !is_public(facts, function) {
        return None;
    }
    let target = facts.dotted(target)?;
    let waits = |method: ScopeId| {
        let waits = facts
            .calls_of(method)
            .any(|call| call.method() == Some("result"));
        let mut calls = facts.calls_of(method).filter(|_| waits);
        let hands_over = |call: &Call<'_>| {
            call.name() == "run_coroutine_threadsafe"
                && handed_to(facts, call).as_ref() == Some(&target)
        };
        calls.find(hands_over).map(|call| call.span())
    };
    let siblings = facts.methods(class).filter(|&method| {
        method != function
            && is_public(facts, method)
            && !facts.is_async(method)
            && !facts.is_thread_body(method)
    });
    siblings.into_iter().find_map(waits)
}

/// What anybody may call; callbacks of protocols and transports run in the loop.
fn is_public(facts: &Facts, function: ScopeId) -> bool {
    facts.scope_name(function).is_some_and(|name| {
        let calls_back = [
            "on_",
            "connection_",
            "data_",
            "datagram_",
            "error_",
            "eof_",
            "pause_",
            "resume_",
            "pipe_",
            "process_exited",
        ];
        !name.starts_with('_') && !calls_back.iter().any(|start| name.starts_with(start))
    })
}

/// The loop may run the function itself: it is a coroutine, one calls it, the loop is given it as a callback,
/// or it asks which thread or loop it runs in.
fn may_run_in_loop(facts: &Facts, function: ScopeId) -> bool {
    let asks = || {
        facts.calls_of(function).any(|call| {
            matches!(
                call.name(),
                "current_thread"
                    | "get_ident"
                    | "get_native_id"
                    | "main_thread"
                    | "get_running_loop"
                    | "get_event_loop"
                    | "new_event_loop"
                    | "set_event_loop"
                    | "run_forever"
                    | "run_until_complete"
            )
        })
    };
    asks() || is_of_loop(facts, function)
}

/// A coroutine, what one calls, and what the loop is given to call.
fn is_of_loop(facts: &Facts, function: ScopeId) -> bool {
    let from_coroutine = || {
        facts
            .calls_to(function)
            .any(|call| facts.is_async(call.scope()))
    };
    facts.is_async(function) || from_coroutine() || is_callback(facts, function)
}

const TAKES_CALLBACK: &[&str] = &[
    "call_soon",
    "call_soon_threadsafe",
    "call_later",
    "call_at",
    "add_done_callback",
    "add_signal_handler",
    "add_reader",
    "add_writer",
];

fn is_callback(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function);
    let gives = |call: &Call<'_>| {
        let mut args = call.args.iter();
        args.any(|arg| {
            facts.name(arg.value) == name
                || facts
                    .function_given(arg.value)
                    .map(|scope| facts.canonical(scope))
                    == Some(facts.canonical(function))
        })
    };
    name.is_some()
        && TAKES_CALLBACK
            .iter()
            .any(|taker| facts.calls_named(taker).any(|call| gives(&call)))
}
