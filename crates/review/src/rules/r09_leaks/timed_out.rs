//! Child processes that a timed wait gives up on, and that nobody kills.

use super::closed_only_on_success::CHECK;
use super::opened;
use crate::facts::{Bound, Call, Facts, HeldUseKind, Holder, Kind, Made, StmtKind};
use crate::rules::{Context, HitVerdict, Outcome, Words};

/// What a wait that takes too long raises.
const TIMED_OUT: &[&str] = &["TimeoutExpired", "SubprocessError", "TimeoutError"];

/// Reports a child of this function that goes on running when its time is up; says whether it did.
pub(super) fn report(cx: &Context<'_>, made: &Made, out: &mut Outcome) -> bool {
    let facts = cx.facts;
    let Some(holder @ Holder::Local { .. }) = made.holder() else {
        return false;
    };
    let in_with = matches!(facts.stmt(made.stmt).kind, StmtKind::With { .. });
    if !made.resource.is(Kind::Subprocess) || in_with || is_ended_else(facts, made, holder) {
        return false;
    }
    let mut calls = facts.calls_of(facts.stmt(made.stmt).scope);
    let Some(wait) = calls.find(|call| gives_up(facts, call, holder)) else {
        return false;
    };
    let sure = facts.sees_all_of(made.stmt) && facts.sees_enclosure(wait.stmt());
    let verdict = HitVerdict::sure_if(sure);
    let mut hit = opened::hit(cx, &CHECK, made, verdict, word(holder))
        .with_related(wait.span(), "gives up after a while");
    hit.causes.push(wait.span());
    out.hits.push(hit);
    true
}

/// Something in the function ends it, by whatever name, or somebody else is given it.
fn is_ended_else(facts: &Facts, made: &Made, holder: &Holder) -> bool {
    let ends = |call: Call<'_>| {
        topic::has_word(
            call.name(),
            "kill killpg terminate signal stop end cleanup reap",
        )
    };
    let is_given = facts.uses_of(holder).iter().any(|of| {
        matches!(
            of.kind,
            HeldUseKind::Passed(_)
                | HeldUseKind::Stored(_)
                | HeldUseKind::Returned
                | HeldUseKind::Yielded
                | HeldUseKind::With
        )
    });
    is_given || facts.calls_of(facts.stmt(made.stmt).scope).any(ends)
}

/// A wait with a timeout, whose handler leaves the function when the time is up. What no handler catches ends a program
/// more often than not.
fn gives_up(facts: &Facts, call: &Call<'_>, holder: &Holder) -> bool {
    let of_child = call.receiver().and_then(|of| facts.holder_of(of));
    let place = match call.method() {
        Some("communicate") => 1,
        Some("wait") => 0,
        _ => return false,
    };
    let timed = facts.bound(call, place, "timeout") != Bound::Unbounded
        || facts.is_given_to(call.id, &["wait_for"]);
    let leaves = facts
        .handlers_around(call.stmt())
        .find(|handler| facts.catches(handler, TIMED_OUT))
        .is_some_and(|handler| facts.always_leaves(&handler.body));
    let ended = facts.finally_blocks(call.stmt()).next().is_some();
    of_child.as_ref() == Some(holder) && timed && leaves && !ended && !facts.in_loop(call.stmt())
}

fn word(holder: &Holder) -> Words {
    let name = holder.text();
    Words::new(
        format!("`{name}` goes on running when the wait for it has taken too long."),
        "A timeout of the wait does not end the child: it keeps its pipes, its memory and its core, is never reaped, and the next call starts another beside it.",
        format!(
            "Call `{name}.kill()` and then wait for it once more where the timeout is handled, or in a `finally`."
        ),
    )
}
