//! What limits a wait, and which check speaks of a wait that has none.

use crate::facts::{Bound, Call, CleanupPlace, Facts};
use crate::rules::{
    ACQUIRE_WITHOUT_TIMEOUT, Check, REQUEST_WITHOUT_TIMEOUT, THREAD_NOT_JOINED,
    UNBOUNDED_QUEUE_OR_JOIN, UNBOUNDED_RESULT,
};

/// What bounds a wait, if the call is one that takes a limit.
pub(super) fn bound(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    if is_of_module(call) {
        return Some(facts.bound_named(call, "timeout")).filter(|_| !call.has_splat());
    }
    let place = place(call.method()?)?;
    // Without a limit `get` and `join` take no other argument: those of dictionaries and strings do.
    let is_bare = call.args.iter().all(|arg| {
        let name = arg.name.map(|name| facts.text(name));
        matches!(name, Some("timeout" | "block" | "blocking"))
    });
    let is_plain = !matches!(call.method(), Some("get" | "join"));
    let block = call.keyword("block").or_else(|| call.keyword("blocking"));
    let polls = block.is_some_and(|block| facts.expr_text(block) == "False");
    if polls {
        return None;
    }
    let bound = match place {
        Place::At(place) => facts.bound(call, place, "timeout"),
        Place::ByName if call.has_splat() || has_default(facts, call) => return None,
        Place::ByName => facts.bound_named(call, "timeout"),
    };
    (is_plain || is_bare || bound != Bound::Unbounded).then_some(bound)
}

/// Where a method takes its limit.
enum Place {
    At(usize),
    ByName,
}

/// The place of a method's limit among its arguments: `sync_get(timeout=5)` of somebody's own queue takes it by name.
fn place(method: &str) -> Option<Place> {
    match method {
        "join" | "result" | "exception" | "wait" => Some(Place::At(0)),
        "get" | "communicate" | "acquire" | "wait_for" => Some(Place::At(1)),
        "put" => Some(Place::At(2)),
        _ => topic::words(method)
            .any(|word| WAITS.contains(&&*word))
            .then_some(Place::ByName),
    }
}

/// Words of methods that wait for something to come.
const WAITS: &[&str] = &[
    "get", "recv", "receive", "wait", "take", "dequeue", "join", "read", "accept", "result", "grab",
];

/// A function of the diff whose limit is something else than `None` where its caller gives none.
fn has_default(facts: &Facts, call: &Call<'_>) -> bool {
    facts.callee(call).is_some_and(|(home, function)| {
        let mut params = home.scope(function).params.iter();
        let limit = params.find(|param| home.text(param.name) == "timeout");
        let default = limit.and_then(|param| param.default);
        default.is_some_and(|value| home.expr_text(value) != "None")
    })
}

/// A function that asks a server or runs a child process.
pub(super) fn is_of_module(call: &Call<'_>) -> bool {
    is_request(call) || runs_child(call)
}

/// A request by a client that waits for ever unless it is told otherwise.
fn is_request(call: &Call<'_>) -> bool {
    call.request().is_some_and(|request| request.endless)
}

fn runs_child(call: &Call<'_>) -> bool {
    let runs = [
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
    ];
    call.callee().contains('.') && call.is(&runs)
}

/// `timeout=5` or a place that only a limit takes: `record.get("key", 5)` is no wait.
pub(super) fn is_named(facts: &Facts, call: &Call<'_>) -> bool {
    let sole = matches!(
        call.method(),
        Some("join" | "result" | "exception" | "wait")
    );
    let number = call.positional(0).is_some_and(|value| {
        let is_string = facts.string(value).is_some();
        !is_string && call.args.len() == 1
    });
    call.keyword("timeout").is_some() || (sole && number)
}

/// The check whose hit the loss of a limit makes.
pub(super) fn check(facts: &Facts, wait: &Call<'_>) -> &'static Check {
    let ends = matches!(
        facts.cleanup_place(wait.stmt()),
        Some(CleanupPlace::Closer | CleanupPlace::Protocol | CleanupPlace::Finally)
    );
    match wait.name() {
        "join" if ends => THREAD_NOT_JOINED,
        "result" | "exception" => UNBOUNDED_RESULT,
        "acquire" => ACQUIRE_WITHOUT_TIMEOUT,
        _ if is_request(wait) => REQUEST_WITHOUT_TIMEOUT,
        _ => UNBOUNDED_QUEUE_OR_JOIN,
    }
}
