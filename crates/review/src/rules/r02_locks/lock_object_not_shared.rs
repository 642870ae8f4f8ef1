//! A lock that its rivals never see: made for each call, by an unguarded get-then-set, or kept where it is evicted.

use super::fetched_locks::{Fetched, fetched};
use super::forgotten_locks::{Forgets, forgets};
use crate::facts::{
    Bound, Call, ExprId, ExprKind, Facts, Held, Home, Kind, Proof, Reach, StmtId, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-object-not-shared",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "Each caller gets a lock object of its own, so the lock excludes nobody.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    super::process_copies::detect(cx, out);
    super::replaced_locks::detect(cx, out);
    for held in facts.held().iter().filter(|held| is_own(facts, held)) {
        let anchor = Anchor {
            stmt: held.stmt,
            span: held.span,
        };
        push(
            cx,
            anchor,
            HitVerdict::Violation,
            word_call(facts, held),
            out,
        );
    }
    for call in facts.calls() {
        if makes_lock(facts, &call)
            && let Some(place) = forgets(facts, &call)
        {
            judge_forgetful(cx, &call, &place, out);
        } else if makes_thread_lock(facts, &call)
            && let Some(found) = fetched(facts, &call)
        {
            judge_fetched(cx, &call, &found, out);
        } else if makes_thread_lock(facts, &call) {
            judge_store(cx, &call, out);
        }
    }
}

fn makes_lock(facts: &Facts, call: &Call<'_>) -> bool {
    makes_thread_lock(facts, call) || facts.constructs(call) == Some(Kind::AsyncLock)
}

/// An expiry that is `None` unless a caller gives one is worth a question.
fn judge_forgetful(cx: &Context<'_>, call: &Call<'_>, place: &Forgets<'_>, out: &mut Outcome) {
    let verdict = match place {
        Forgets::Entry(_, Bound::Forwarded) => HitVerdict::Look,
        _ => HitVerdict::Violation,
    };
    let words = word_forgets(place);
    push(cx, Anchor::call(call), verdict, words, out);
}

/// Two callers can find none in the store; where entries expire, one finds none while the lock is held.
fn judge_fetched(cx: &Context<'_>, call: &Call<'_>, found: &Fetched, out: &mut Outcome) {
    let facts = cx.facts;
    if is_guarded(facts, call.stmt(), found.test) && !found.expires {
        return;
    }
    let verdict = HitVerdict::sure_if(facts.sees_enclosure(call.stmt()));
    let span = facts.stmt(found.test).head;
    let words = word_fetched(facts, found);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), excuse(cx, verdict), words)
        .with_related(span, "none is found here")
        .with_related(found.stored, "and kept here");
    hit.causes.extend([span, found.stored]);
    out.hits.push(hit);
}

/// Made by the call that takes it. Around TorchScript this is a matter of R1.
fn is_own(facts: &Facts, held: &Held) -> bool {
    let of_threads = matches!(
        held.lock.kind,
        Kind::ThreadLock | Kind::ReentrantLock | Kind::Semaphore | Kind::AsyncLock
    );
    let of_torchscript = held.body.iter().any(|&stmt| {
        facts
            .calls_in(stmt)
            .any(|call| call.is(&["torch.jit.load", "torch.jit.script"]))
    });
    held.lock.home == Home::Call
        && held.lock.proof == Proof::Proven
        && of_threads
        && !of_torchscript
}

fn makes_thread_lock(facts: &Facts, call: &Call<'_>) -> bool {
    matches!(
        facts.constructs(call),
        Some(Kind::ThreadLock | Kind::ReentrantLock | Kind::Semaphore | Kind::Condition)
    )
}

fn judge_store(cx: &Context<'_>, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if let Some(outer) = default_of_get(facts, call) {
        let words = word_get(facts, &outer);
        push(cx, Anchor::call(&outer), HitVerdict::Violation, words, out);
        return;
    }
    let Some(target) = stored_at(facts, call) else {
        return;
    };
    if let Some(store) = evicting_store(cx, target) {
        let words = word_evicted(facts, target, store);
        push(cx, Anchor::call(call), HitVerdict::Violation, words, out);
    } else if let Some(test) = raced_test(facts, call.stmt(), target) {
        let verdict = HitVerdict::sure_if(facts.sees_enclosure(call.stmt()));
        let verdict = excuse(cx, verdict);
        let span = facts.stmt(test).head;
        let mut hit = Hit::new(
            &CHECK,
            Anchor::call(call),
            verdict,
            word_race(facts, target),
        )
        .with_related(span, "tested here");
        hit.causes.push(span);
        out.hits.push(hit);
    }
}

/// `locks.get(key, Lock())`: the new lock is never stored.
fn default_of_get<'f>(facts: &'f Facts, call: &Call<'_>) -> Option<Call<'f>> {
    let outer = facts.call(facts.expr(call.id).parent?)?;
    let is_default = outer.method() == Some("get") && outer.positional(1) == Some(call.id);
    is_default.then_some(outer)
}

fn stored_at(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == call.id => targets
            .iter()
            .copied()
            .find(|&target| facts.reach(target) != Reach::Local),
        _ => None,
    }
}

/// A cache that drops its entries: another caller then makes a second lock while the first is held.
fn evicting_store<'f>(cx: &Context<'f>, target: ExprId) -> Option<&'f str> {
    let facts = cx.facts;
    let ExprKind::Subscript { object, .. } = facts.expr(target).kind else {
        return None;
    };
    facts
        .values(object)
        .into_iter()
        .filter_map(|value| facts.call(value))
        .find(|made| cx.profile.containers.is_bounded(made.callee()))
        .map(|made| made.name())
}

/// The test that two threads can pass at once, if no lock is held over test and creation.
fn raced_test(facts: &Facts, stmt: StmtId, target: ExprId) -> Option<StmtId> {
    let test = facts.tested_before(stmt, target)?;
    (!is_guarded(facts, stmt, test)).then_some(test)
}

/// Nobody else can be between test and creation: a lock is held, or the object is just being made.
fn is_guarded(facts: &Facts, stmt: StmtId, test: StmtId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    let in_constructor = function.is_none_or(|function| facts.builds(function));
    let held = facts.held_at(stmt).any(|held| held.holds(test))
        || function.and_then(|function| facts.callers_hold(function)) == Some(true);
    let retested = facts.held_at(stmt).next().is_some();
    in_constructor || held || retested
}

fn push(cx: &Context<'_>, anchor: Anchor, verdict: HitVerdict, words: Words, out: &mut Outcome) {
    out.hits
        .push(Hit::new(&CHECK, anchor, excuse(cx, verdict), words));
}

fn excuse(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    match cx.facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        None => verdict,
    }
}

const ASK: &str = "Make the lock once, where all rivals find the same object: with the module or class, or under a lock of the registry.";

fn word_call(facts: &Facts, held: &Held) -> Words {
    Words::new(
        format!(
            "`{}` is made by the very call that takes it.",
            facts.shown(held.lock.expr)
        ),
        "Each caller locks an object of its own, so nobody ever waits and nothing is serialised.",
        ASK,
    )
}

fn word_get(facts: &Facts, outer: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` returns a new lock that is stored nowhere.",
            facts.dotted(outer.function).unwrap_or_default()
        ),
        "Each caller that finds the key missing gets a lock of its own and locks out nobody.",
        "Use `setdefault`, or create and store it under a lock of the registry.",
    )
}

fn word_evicted(facts: &Facts, target: ExprId, store: &str) -> Words {
    Words::new(
        format!(
            "`{}` keeps the lock in a `{store}`, which drops entries.",
            facts.expr_text(target)
        ),
        "When the entry is dropped while somebody holds the lock, the next caller makes a second one and walks in.",
        "Keep locks in a dict that forgets only those that nobody holds.",
    )
}

fn word_forgets(place: &Forgets<'_>) -> Words {
    let message = match place {
        Forgets::Entry(store, _) => format!(
            "`{}` keeps the lock in an entry that expires.",
            store.callee()
        ),
        Forgets::Memo(function) => {
            format!("The memo of `{function}` keeps the lock only until other keys push it out.")
        }
    };
    Words::new(
        message,
        "Once the entry is gone the next caller makes a second lock and walks in, while the first one is still held.",
        "Keep locks where nothing forgets them while they are held: a plain dict under a lock of its own, or a `WeakValueDictionary`. An expiry belongs to the claim, not to the lock object.",
    )
}

fn word_fetched(facts: &Facts, found: &Fetched) -> Words {
    let store = facts.expr_text(found.store);
    if found.expires {
        return Words::new(
            format!("`{store}` is given a new lock where it has none, in an entry that expires."),
            "Once the entry is gone, or where two callers find none at the same moment, each takes a lock of its own, and both enter.",
            "Keep lock objects where nothing forgets them, and look up and create under one lock of the registry. An expiry belongs to the claim, not to the lock object.",
        );
    }
    Words::new(
        format!(
            "`{store}` is given a new lock where it has none, and nothing guards the two steps."
        ),
        "Two threads that find none at the same moment make two locks; one is overwritten in the store, and both enter.",
        ASK,
    )
}

fn word_race(facts: &Facts, target: ExprId) -> Words {
    Words::new(
        format!(
            "`{}` gets a new lock where none is found, and nothing guards the two steps.",
            facts.expr_text(target)
        ),
        "Two threads that find none at the same moment make two locks; one is overwritten, and both enter.",
        ASK,
    )
}
