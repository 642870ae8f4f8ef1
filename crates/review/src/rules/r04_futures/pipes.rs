//! The answer of a process that was just started, read from a pipe without a limit.

use super::handed::{Handed, handed};
use super::unbounded_queue_or_join::CHECK;
use crate::facts::{BindingKind, Call, ExprId, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if let Some(end) = received(cx.facts, &call)
            && !is_limited(cx.facts, &call, end)
        {
            let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
            let words = word(cx.facts.expr_text(end));
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// The end of a pipe of this function that a call waits at: `ours.recv()`, or `ours.recv` on another thread.
fn received(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let wait = handed(facts, call).or_else(|| Handed::itself(facts, call))?;
    let receives = matches!(wait.method, "recv" | "recv_bytes");
    (receives && is_own_pipe(facts, wait.receiver)).then_some(wait.receiver)
}

/// `ours, theirs = Pipe()` in the function that waits.
fn is_own_pipe(facts: &Facts, end: ExprId) -> bool {
    let scope = facts.expr(end).scope;
    facts.name(end).is_some()
        && facts.bindings_behind(end).into_iter().any(|binding| {
            let BindingKind::Value { value, .. } = binding.kind else {
                return false;
            };
            let made = facts.call(value);
            made.is_some_and(|made| made.name() == "Pipe" && made.scope() == scope)
        })
}

/// The function asks first whether something is there, or somebody gives up on the wait.
fn is_limited(facts: &Facts, call: &Call<'_>, end: ExprId) -> bool {
    let name = facts.name(end);
    let polls = facts.calls_of(call.scope()).any(|other| {
        let of = other.receiver().and_then(|of| facts.name(of));
        other.method() == Some("poll") && of == name
    });
    let waits_at_all = facts
        .calls_of(call.scope())
        .any(|other| other.is(&["multiprocessing.connection.wait"]) || other.name() == "wait_for");
    polls || waits_at_all
}

fn word(end: &str) -> Words {
    Words::new(
        format!("`{end}` is read until the process at its other end answers."),
        "If that process dies or hangs before it answers, this caller waits for ever, and a thread of the pool with it.",
        format!("Ask `{end}.poll(seconds)` first, and end the process when nothing came."),
    )
}
