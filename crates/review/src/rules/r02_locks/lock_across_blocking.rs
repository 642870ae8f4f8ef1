//! A lock is held while its holder waits for something slow, and everybody else waits for the lock.

use super::entries::made_at_length;
use super::generators::generator_under_lock;
use super::purpose::{Purpose, purpose};
use super::stopped_loop::{stops_loop, verdict_on_loop, word_loop};
use crate::facts::{Call, ExprId, Facts, Held, Home, Kind, Proof, Span, StmtId, Taken, Wait};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-across-blocking",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A lock is held across a network call, a sleep, a subprocess, or a wait for a queue, future or thread.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        // A lock of this call alone keeps nobody waiting.
        if held.lock.home == Home::Call || is_told_inside(cx.facts, held) {
            continue;
        }
        match slowest(cx, held) {
            Some(slow) => judge(cx, held, &slow, out),
            None if matches!(held.taken, Taken::With) => {
                out.evidence(2, held.span, "a `with` gives the lock back on every path");
            }
            None => {}
        }
    }
}

/// Where the change brings the decorator's own `with`, that tells of all functions that it wraps.
fn is_told_inside(facts: &Facts, held: &Held) -> bool {
    match held.taken {
        Taken::Decorator(decorator) => facts
            .lock_in_decorator(decorator)
            .is_some_and(|inside| facts.is_changed(inside)),
        _ => false,
    }
}

/// Something slow that runs while a lock is held.
pub(super) struct Slow {
    /// The call, or the context expression of a second lock.
    pub(super) at: ExprId,
    stmt: StmtId,
    pub(super) what: What,
    pub(super) proof: Proof,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Waits(Wait),
    /// The call runs a function of the diff that waits; where, if it is one of this file.
    Deeper(Wait, Option<ExprId>),
    /// A second lock that is shared with other processes.
    SecondLock,
    /// An entry of the table that the lock guards is made at length.
    MakesEntry,
    /// A generator of others is run step by step.
    Generates,
}

/// The slow call of a region that is best proven; the first of them.
fn slowest(cx: &Context<'_>, held: &Held) -> Option<Slow> {
    let facts = cx.facts;
    let mut found: Vec<Slow> = Vec::new();
    for &stmt in &held.body {
        let scope = facts.stmt(stmt).scope;
        let own = facts.calls_in(stmt).filter(|call| call.scope() == scope);
        found.extend(own.filter_map(|call| slow_call(cx, &call)));
    }
    found.extend(second_lock(facts, held));
    found.extend(made_at_length(facts, held).map(|call| Slow {
        at: call.id,
        stmt: call.stmt(),
        what: What::MakesEntry,
        proof: Proof::Named,
    }));
    found.extend(generator_under_lock(facts, held).map(|at| Slow {
        at,
        stmt: facts.expr(at).stmt,
        what: What::Generates,
        proof: Proof::Named,
    }));
    let weight = |slow: &Slow| match (slow.what, slow.proof) {
        (What::Waits(_), Proof::Proven) => 0,
        (What::Waits(_), Proof::Named) => 1,
        (What::SecondLock, _) => 2,
        (What::Deeper(..), _) => 3,
        (What::MakesEntry | What::Generates, _) => 4,
    };
    // Of several alike the one that the change brings is told.
    let is_old = |slow: &Slow| !facts.is_changed(facts.expr(slow.at).span);
    found
        .into_iter()
        .min_by_key(|slow| (weight(slow), is_old(slow)))
}

fn slow_call(cx: &Context<'_>, call: &Call<'_>) -> Option<Slow> {
    let facts = cx.facts;
    let slow = |what, proof| Slow {
        at: call.id,
        stmt: call.stmt(),
        what,
        proof,
    };
    if let Some((wait, proof)) = facts.blocking(call) {
        return Some(slow(What::Waits(wait), proof));
    }
    if waits_for_base_lock(facts, call) {
        return Some(slow(What::SecondLock, Proof::Proven));
    }
    if cx.profile.futures.is_resolver(call.callee()) && call.name().contains("resolve") {
        return Some(slow(What::Waits(Wait::Future), Proof::Proven));
    }
    let Some((home, function)) = facts.callee(call) else {
        let mut wrapped = facts.wrapped_by(call);
        if let Some((at, wait)) = wrapped.find_map(|of| facts.blocks_inside(of, cx.profile)) {
            return Some(slow(What::Deeper(wait, Some(at)), Proof::Named));
        }
        return facts
            .fetches(call, cx.profile)
            .then(|| slow(What::Waits(Wait::Network), Proof::Named));
    };
    let (at, wait) = home.blocks_inside(function, cx.profile)?;
    let at = std::ptr::eq(home, facts).then_some(at);
    Some(slow(What::Deeper(wait, at), Proof::Named))
}

/// `super().acquire(...)` in a class that derives from a file lock.
fn waits_for_base_lock(facts: &Facts, call: &Call<'_>) -> bool {
    let on_base = call.receiver().and_then(|receiver| facts.call(receiver));
    let of_file_lock = facts
        .class_of(call.scope())
        .and_then(|class| facts.class_kind(class))
        == Some(Kind::FileLock);
    call.method() == Some("acquire")
        && of_file_lock
        && on_base.is_some_and(|base| base.callee() == "super")
}

/// A file or distributed lock that is waited for inside. Taken with a timeout it lets go again.
fn second_lock(facts: &Facts, held: &Held) -> Option<Slow> {
    let inner = facts.held().iter().find(|inner| {
        let is_shared = matches!(inner.lock.kind, Kind::FileLock | Kind::DistributedLock);
        let is_other = inner.stmt != held.stmt && !inner.lock.is_same(&held.lock);
        is_shared && is_other && held.holds(inner.stmt) && !is_timed(facts, inner)
    })?;
    Some(Slow {
        at: inner.lock.expr,
        stmt: inner.stmt,
        what: What::SecondLock,
        proof: inner.lock.proof,
    })
}

fn is_timed(facts: &Facts, held: &Held) -> bool {
    let names = ["timeout", "blocking_timeout", "blocking"];
    let made = facts.values(held.lock.expr);
    let taken = match held.taken {
        Taken::Acquire(id) | Taken::Context(id) => Some(id),
        Taken::With | Taken::Decorator(_) => None,
    };
    made.into_iter().chain(taken).any(|id| {
        facts.call(id).is_some_and(|call| {
            names.iter().any(|name| call.keyword(name).is_some()) || call.positional(1).is_some()
        })
    })
}

fn judge(cx: &Context<'_>, held: &Held, slow: &Slow, out: &mut Outcome) {
    let facts = cx.facts;
    if held.lock.is_async() && stops_loop(facts, slow) {
        let verdict = verdict_on_loop(cx, slow);
        out.hits.push(hit(
            facts,
            held,
            slow,
            verdict,
            word_loop(facts, held, slow),
        ));
        return;
    }
    match purpose(facts, held, slow) {
        Purpose::ThisWork => {
            out.evidence(
                2,
                held.span,
                "one lock a key: only those wait who want the same thing",
            );
        }
        Purpose::Loop => {}
        purpose @ (Purpose::State | Purpose::Unclear) => {
            let verdict = verdict(cx, held, slow, purpose);
            let words = word(facts, held, slow);
            out.hits.push(hit(facts, held, slow, verdict, words));
        }
    }
}

fn verdict(cx: &Context<'_>, held: &Held, slow: &Slow, purpose: Purpose) -> HitVerdict {
    if let Some(reason) = cx.facts.cold_file(cx.profile) {
        return HitVerdict::Excused(format!("Nobody else needs the lock: {reason}."));
    }
    let is_direct = matches!(slow.what, What::Waits(_));
    let proven = held.lock.proof == Proof::Proven && slow.proof == Proof::Proven;
    // While the process ends, those who wait for the lock end with it.
    let function = cx.facts.function_of(held.scope);
    if function.is_some_and(|function| cx.facts.is_end_hook(function)) {
        return HitVerdict::Look;
    }
    HitVerdict::sure_if(is_direct && proven && purpose == Purpose::State && !held.lock.is_async())
}

/// Anchored at the lock where the change brings it, else at the call that waits.
fn hit(facts: &Facts, held: &Held, slow: &Slow, verdict: HitVerdict, words: Words) -> Hit {
    let call = facts.expr(slow.at).span;
    let at_lock = facts.is_changed(held.span);
    let anchor = if at_lock {
        Anchor {
            stmt: held.stmt,
            span: held.span,
        }
    } else {
        Anchor {
            stmt: slow.stmt,
            span: call,
        }
    };
    let (other, note): (Span, &str) = if at_lock {
        (call, "waits here")
    } else {
        (held.span, "the lock is taken here")
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words).with_related(other, note);
    hit.causes.push(other);
    if let What::Deeper(_, Some(at)) = slow.what {
        hit = hit.with_related(facts.expr(at).span, "and waits in here");
    }
    if matches!(slow.what, What::Waits(Wait::Future)) {
        hit.also.push(4);
    }
    hit
}

fn word(facts: &Facts, held: &Held, slow: &Slow) -> Words {
    let lock = facts.shown(held.lock.expr);
    let call = facts.call(slow.at).map_or(slow.at, |call| call.function);
    let call = facts.shown(call);
    let message = match slow.what {
        What::Waits(wait) => {
            format!("`{lock}` is held while `{call}` waits for {}.", wait.noun())
        }
        What::Deeper(wait, _) => format!(
            "`{lock}` is held while `{call}` runs, which waits for {}.",
            wait.noun()
        ),
        What::SecondLock => {
            format!("`{lock}` is held while `{call}`, a second lock, is waited for.")
        }
        What::Generates => {
            format!("`{lock}` is held from the first step of `{call}` to its last.")
        }
        What::MakesEntry => {
            format!("`{lock}` guards a whole table, and is held while `{call}` makes one entry.")
        }
    };
    Words::new(
        message,
        "Whoever needs the lock waits as long, also for work that has nothing to do with it; if the slow side hangs, all of them do.",
        "Do the slow part outside and hold the lock only to publish its outcome. If the lock is there to let one caller at a time do just this, use one lock a key and a timeout, and say so.",
    )
}
