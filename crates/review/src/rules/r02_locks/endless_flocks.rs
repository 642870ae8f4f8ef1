//! A lock on an open file that is waited for without an end, and held for as long as others like.

use super::acquire_without_timeout::{CHECK, quiet};
use crate::facts::{Call, LockMode, ScopeId, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let locks = cx.facts.system_locks();
    // Who only reads waits for one writer at most.
    for lock in locks.filter(|lock| lock.mode == LockMode::Exclusive && lock.waits) {
        let call = lock.call;
        if is_held_for_long(cx, &call) {
            let verdict = match quiet(cx, &call) {
                Some(reason) => HitVerdict::Excused(format!("Nobody waits here: {reason}.")),
                None => HitVerdict::Look,
            };
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call)));
        }
    }
}

/// What its holder does meanwhile is not over in a moment: it waits itself, or hands the lock on to a caller.
fn is_held_for_long(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let later = |stmt: StmtId| facts.expr(call.id).stmt < stmt;
    let mut behind = facts.statements_of(function).filter(|&stmt| later(stmt));
    facts.is_async(function)
        || facts.is_acquirer(call.stmt())
        || behind.any(|stmt| facts.yields(stmt) || is_slow(cx, function, stmt))
}

fn is_slow(cx: &Context<'_>, function: ScopeId, stmt: StmtId) -> bool {
    let facts = cx.facts;
    let mut calls = facts.calls_in(stmt).filter(|call| call.scope() == function);
    calls.any(|call| facts.blocking(&call).is_some() || facts.fetches(&call, cx.profile))
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` waits for the file's lock without a limit.",
            call.name()
        ),
        "A holder that hangs, in this process or in another, stops everyone who comes here, and nothing in a log says why.",
        "How long can a holder take? Try with `LOCK_NB` until a deadline and report that the lock is busy, or use a file lock with a timeout.",
    )
}
