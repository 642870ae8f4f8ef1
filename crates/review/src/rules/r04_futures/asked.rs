//! Waits without a limit that are what their caller asked for: the function says that it waits.

use crate::facts::{Call, ExprId, Facts, Kind, StmtKind};

/// Whether the function's own name, parameter or place says that it waits for as long as it takes.
pub(super) fn is_asked_for(facts: &Facts, call: &Call<'_>) -> bool {
    is_callers_choice(facts, call)
        || waits_by_contract(facts, call)
        || serves_meanwhile(facts, call)
}

/// `def wait(self, timeout=None)`: a primitive of the file's own that hands its caller's timeout on. Who calls it
/// without one is judged there.
pub(super) fn is_own_wait(facts: &Facts, call: &Call<'_>) -> bool {
    let function = facts.function_of(call.scope());
    let name = function.and_then(|function| facts.scope_name(function));
    let waits = name.is_some_and(|name| {
        let verb = topic::begins_with_word(name, "wait join get put take poll recv");
        verb && !name.starts_with('_')
    });
    let is_method = function.is_some_and(|function| facts.class_of(function).is_some());
    waits && is_method
}

/// `def recv(self): return self._connection.recv()`: who calls it is judged there.
pub(super) fn is_own_name(facts: &Facts, call: &Call<'_>) -> bool {
    let function = facts.function_of(call.scope());
    let name = function.and_then(|function| facts.scope_name(function));
    function.is_some_and(|function| facts.class_of(function).is_some()) && name == call.method()
}

/// `def wait_for_completion(self)`: whoever calls something of this name asks to wait until the work has ended.
fn waits_by_contract(facts: &Facts, call: &Call<'_>) -> bool {
    let function = facts.function_of(call.scope());
    let name = function.and_then(|function| facts.scope_name(function));
    let ends = matches!(call.name(), "join" | "communicate" | "wait")
        && call
            .receiver()
            .and_then(|of| facts.kind_of(of))
            .is_some_and(|kind| matches!(kind, Kind::Thread | Kind::Process | Kind::Subprocess));
    let says = |name: &str| {
        let is_method = function.is_some_and(|function| facts.class_of(function).is_some());
        let waits = name.starts_with("wait_for_")
            || (is_method && name.starts_with("join_"))
            || matches!(name, "wait" | "wait_until_done");
        waits || is_own_name(facts, call)
    };
    ends && name.is_some_and(says)
}

/// `for server in servers: server.join()` of a `run` that ends the rest behind it: the program serves as long as that waits.
fn serves_meanwhile(facts: &Facts, call: &Call<'_>) -> bool {
    let runs = facts.function_name(call.stmt()).is_some_and(|name| {
        matches!(
            name,
            "run" | "serve" | "launch" | "run_forever" | "serve_forever"
        )
    });
    let ends_rest = || {
        let mut calls = facts.calls_of(call.scope());
        calls.any(|other| {
            let ends = matches!(other.method(), Some("terminate" | "shutdown" | "kill"));
            ends && other.span().start > call.span().end
        })
    };
    let in_try = || facts.finally_blocks(call.stmt()).next().is_some();
    runs && call.method() == Some("join") && (in_try() || ends_rest())
}

/// The `else` of `if timeout is not None:` over the function's own parameter, or `if blocking:`: waiting for ever is what
/// its caller asked for.
pub(super) fn is_callers_choice(facts: &Facts, call: &Call<'_>) -> bool {
    let asks_parameter = |test: ExprId| {
        facts.within(test).any(|id| {
            let says = |words: &[&str]| {
                let name = facts.name(id).unwrap_or_default();
                words.iter().any(|word| topic::says(name, word))
            };
            let param = facts.parameter(id).map(|(_, param)| param);
            param.is_some_and(|param| {
                let is_limit = says(&["timeout", "deadline"]) && param.default.is_some();
                is_limit || says(&["block", "blocking"])
            })
        })
    };
    facts.ancestors(call.stmt()).any(|around| {
        matches!(facts.stmt(around.stmt).kind, StmtKind::If { test, .. } if asks_parameter(test))
    })
}
