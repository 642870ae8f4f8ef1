//! Callbacks that a library calls in a thread of its own: of an MQTT client, an audio stream, a watcher of folders.

use super::foreign_loops::{Foreign, Shown};
use crate::facts::{Call, ExprId, Facts, Kind, ScopeId, ScopeKind, Span, StmtKind};

/// Classes and functions that call what they are given in a thread of theirs, by their last two names.
const CALLERS: &[&str] = &[
    "sounddevice.InputStream",
    "sounddevice.RawInputStream",
    "sounddevice.Stream",
    "websocket.WebSocketApp",
    "pynput.keyboard.Listener",
    "pynput.mouse.Listener",
    "pulsectl.Pulse",
    "RPi.GPIO.add_event_detect",
];

/// What says that the function of a call, or one that calls it, runs in a library's thread.
pub(super) fn library_callback(facts: &Facts, call: &Call<'_>) -> Option<Foreign> {
    let function = facts.function_of(call.scope())?;
    if facts.scope(call.scope()).kind != ScopeKind::Function || facts.is_async(function) {
        return None;
    }
    let callers = facts
        .calls_to(function)
        .filter(|caller| facts.scope(caller.scope()).kind == ScopeKind::Function)
        .filter_map(|caller| facts.function_of(caller.scope()))
        .filter(|&caller| !facts.is_async(caller));
    let mut all = std::iter::once(function).chain(callers);
    all.find_map(|candidate| called_by_library(facts, candidate))
}

fn called_by_library(facts: &Facts, function: ScopeId) -> Option<Foreign> {
    let registered = registration(facts, function);
    let shown_at = registered.or_else(|| handles_events(facts, function))?;
    Some(Foreign {
        shown_at,
        is_sure: true,
        shown: Shown::Library,
    })
}

/// `client.on_message = self._on_message`, `sounddevice.InputStream(callback=self._on_audio)`.
fn registration(facts: &Facts, function: ScopeId) -> Option<Span> {
    let name = facts.scope_name(function)?;
    let is_it = |id: ExprId| {
        let given = facts.function_given(id);
        given.map(|scope| facts.canonical(scope)) == Some(facts.canonical(function))
    };
    let mut named = facts.exprs_named(name);
    let given = named
        .find(|&id| is_it(id) && (is_set_on_client(facts, id) || is_given_to_caller(facts, id)))?;
    Some(facts.expr(given).span)
}

/// An MQTT client runs its callbacks in the thread that `loop_start` begins.
fn is_set_on_client(facts: &Facts, given: ExprId) -> bool {
    let starts = || facts.calls_named("loop_start").next().is_some();
    let is_client = |object: ExprId| facts.kind_of(object) == Some(Kind::Client);
    let set = match &facts.stmt(facts.expr(given).stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == given => targets.iter().any(|&target| {
            let field = facts.attribute(target);
            field.is_some_and(|(object, name)| name.starts_with("on_") && is_client(object))
        }),
        _ => false,
    };
    let added = || {
        let outer = facts.expr(given).parent.and_then(|at| facts.call(at));
        outer.is_some_and(|outer| {
            outer.name() == "message_callback_add" && outer.receiver().is_some_and(is_client)
        })
    };
    (set || added()) && starts()
}

fn is_given_to_caller(facts: &Facts, given: ExprId) -> bool {
    let outer = facts.expr(given).parent.and_then(|at| facts.call(at));
    outer.is_some_and(|call| {
        call.is(CALLERS)
            || (call.name() == "open" && call.keyword("stream_callback") == Some(given))
    })
}

/// `on_created` of a `FileSystemEventHandler`: the observer's thread calls it.
fn handles_events(facts: &Facts, function: ScopeId) -> Option<Span> {
    let class = facts.class_of(function)?;
    let watches = facts.base_names(class).any(|base| {
        matches!(
            base,
            "FileSystemEventHandler" | "PatternMatchingEventHandler" | "RegexMatchingEventHandler"
        )
    });
    let name = facts.scope_name(function)?;
    let is_hook = name.starts_with("on_") || name == "dispatch";
    let head = facts.scope(class).stmt.filter(|_| watches && is_hook)?;
    Some(facts.stmt(head).head)
}
