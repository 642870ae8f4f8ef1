//! Callbacks that a library or a pool calls in a thread of its own: of an MQTT client, an audio stream, a watcher of
//! folders, a producer of messages, work that is done.

use super::foreign_loops::{Foreign, Shown};
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, ScopeId, ScopeKind, Span, StmtKind};

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

/// Methods that call what they are given under a name in a thread of their library.
const TAKERS: &[(&str, &str)] = &[
    ("open", "stream_callback"),
    ("produce", "on_delivery"),
    ("produce", "callback"),
    ("upload_file", "Callback"),
    ("upload_fileobj", "Callback"),
    ("download_file", "Callback"),
    ("download_fileobj", "Callback"),
];

/// What says that the function of a call, or one that calls it, runs in a library's thread.
pub(super) fn library_callback(facts: &Facts, call: &Call<'_>) -> Option<Foreign> {
    if facts.scope(call.scope()).kind == ScopeKind::Lambda {
        return given_lambda(facts, call).map(by_library);
    }
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

fn by_library(shown_at: Span) -> Foreign {
    Foreign {
        shown_at,
        is_sure: true,
        shown: Shown::Library,
    }
}

/// The lambda around a call, where it is given to what calls it in another thread.
fn given_lambda(facts: &Facts, call: &Call<'_>) -> Option<Span> {
    let mut around = std::iter::successors(facts.expr(call.id).parent, |&at| facts.expr(at).parent);
    let lambda = around.find(|&at| matches!(facts.expr(at).kind, ExprKind::Lambda { scope, .. } if scope == call.scope()))?;
    is_given_to_caller(facts, lambda).then(|| facts.expr(lambda).span)
}

fn called_by_library(facts: &Facts, function: ScopeId) -> Option<Foreign> {
    let registered = registration(facts, function);
    let shown_at = registered.or_else(|| handles_events(facts, function))?;
    Some(by_library(shown_at))
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
        // `to_thread(client.download_file, ..., Callback=seen)`.
        let handed = call.positional(0).filter(|_| call.name() == "to_thread");
        let called = handed.map_or(call.method(), |handed| facts.last_name(handed));
        let takes = |&(method, name): &(&str, &str)| {
            called == Some(method) && call.keyword(name) == Some(given)
        };
        call.is(CALLERS) || TAKERS.iter().any(takes) || is_done_callback(facts, &call)
    })
}

/// `pool.submit(work).add_done_callback(...)`: the pool's thread calls it. The future of a coroutine is done in the loop.
fn is_done_callback(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(future) = call
        .receiver()
        .filter(|_| call.name() == "add_done_callback")
    else {
        return false;
    };
    let submits = |value: ExprId| {
        let made = facts.call(value);
        made.is_some_and(|made| made.method() == Some("submit"))
    };
    facts.is_proven(future, Kind::Future)
        && (submits(future) || facts.values(future).into_iter().any(submits))
}

/// `on_created` of a `FileSystemEventHandler`, which the observer's thread calls, and `put` of a streamer, which the thread
/// that generates calls.
fn handles_events(facts: &Facts, function: ScopeId) -> Option<Span> {
    let class = facts.class_of(function)?;
    let derives = |classes: &[&str]| {
        let mut bases = facts.base_names(class);
        bases.any(|base| classes.contains(&base))
    };
    let name = facts.scope_name(function)?;
    let is_hook = match name.starts_with("on_") || name == "dispatch" {
        true => derives(WATCHERS) || derives(STREAMERS),
        false => matches!(name, "put" | "end") && derives(STREAMERS),
    };
    let head = facts.scope(class).stmt.filter(|_| is_hook)?;
    Some(facts.stmt(head).head)
}

const WATCHERS: &[&str] = &[
    "FileSystemEventHandler",
    "PatternMatchingEventHandler",
    "RegexMatchingEventHandler",
];

/// Of transformers: `generate` runs in a thread of its own where its tokens are streamed.
const STREAMERS: &[&str] = &["BaseStreamer", "TextStreamer", "TextIteratorStreamer"];
