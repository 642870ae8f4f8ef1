//! Somebody waits for another thread while holding a lock that this thread needs to get there.

use crate::facts::{Call, Facts, Held, Kind, Proof, Type};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "rendezvous-under-lock",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A barrier, an event or another condition is waited for while a lock is held.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        for &stmt in &held.body {
            let scope = cx.facts.stmt(stmt).scope;
            let own = cx.facts.calls_in(stmt).filter(|call| call.scope() == scope);
            for call in own {
                if let Some(of) = waited_for(cx.facts, held, &call) {
                    judge(cx, held, &call, of, out);
                }
            }
        }
    }
}

/// What `x.wait()` waits for. A condition's own lock is given back meanwhile.
fn waited_for(facts: &Facts, held: &Held, call: &Call<'_>) -> Option<Type> {
    let receiver = call.receiver().filter(|_| call.method() == Some("wait"))?;
    let of = facts.type_of(receiver).filter(|found| found.depth == 0)?;
    match of.kind {
        Kind::Event | Kind::AsyncEvent | Kind::Barrier => Some(of),
        Kind::Condition | Kind::AsyncCondition => {
            let is_own = facts
                .lock(receiver)
                .is_some_and(|lock| lock.is_same(&held.lock));
            (!is_own).then_some(of)
        }
        _ => None,
    }
}

fn judge(cx: &Context<'_>, held: &Held, call: &Call<'_>, of: Type, out: &mut Outcome) {
    let facts = cx.facts;
    // Under several locks only the innermost is told.
    let is_innermost = facts
        .held_at(call.stmt())
        .last()
        .is_some_and(|last| last.span == held.span);
    if !is_innermost {
        return;
    }
    if comes_by_other_locks(facts, held, call) {
        return;
    }
    let other = other_side(facts, held, call, of);
    let verdict = match (facts.cold_file(cx.profile), other.is_some(), of.proof) {
        (Some(reason), ..) if other.is_none() => {
            HitVerdict::Excused(format!("Nobody else needs the lock: {reason}."))
        }
        (_, true, Proof::Proven) => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    let words = word(facts, held, call, other.is_some());
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words)
        .with_related(held.span, "the lock is taken here");
    hit.causes.push(held.span);
    if let Some(other) = other {
        hit = hit.with_related(other.span(), "the other side needs the same lock here");
    }
    out.hits.push(hit);
}

/// All that is shown to end the wait does so under locks of its own, in functions that never take this one: the lock is
/// there to let one at a time wait.
fn comes_by_other_locks(facts: &Facts, held: &Held, call: &Call<'_>) -> bool {
    let mut ends = ends_of(facts, call)
        .filter(|end| end.scope() != call.scope())
        .peekable();
    let takes_it = |end: &Call<'_>| {
        let mut regions = facts.held().iter();
        regions.any(|region| region.scope == end.scope() && region.lock.is_same(&held.lock))
    };
    ends.peek().is_some()
        && ends.all(|end| facts.held_at(end.stmt()).next().is_some() && !takes_it(&end))
}

/// What sets or notifies the object that a call waits for.
fn ends_of<'f>(facts: &'f Facts, call: &Call<'_>) -> impl Iterator<Item = Call<'f>> + use<'f> {
    let key = call.receiver().map(|object| facts.object_key(object));
    let ends = |end: &Call<'_>| matches!(end.method(), Some("set" | "notify" | "notify_all"));
    facts.calls().filter(move |end| {
        let of = || end.receiver().map(|object| facts.object_key(object));
        ends(end) && of() == key
    })
}

/// The call that would end the wait, if it stands under the same lock. Only those who meet at a barrier end each
/// other's wait by waiting.
fn other_side<'f>(facts: &'f Facts, held: &Held, call: &Call<'_>, of: Type) -> Option<Call<'f>> {
    let key = facts.object_key(call.receiver()?);
    facts.calls().find(|other| {
        let ends = match other.method() {
            Some("set" | "notify" | "notify_all") => true,
            Some("wait") => of.kind == Kind::Barrier,
            _ => false,
        };
        let is_same = other
            .receiver()
            .is_some_and(|receiver| facts.object_key(receiver) == key);
        ends && is_same
            && other.id != call.id
            && facts
                .held_at(other.stmt())
                .any(|around| around.lock.is_same(&held.lock))
    })
}

fn word(facts: &Facts, held: &Held, call: &Call<'_>, proven: bool) -> Words {
    let lock = facts.shown(held.lock.expr);
    let what = facts.shown(call.receiver().unwrap_or(call.id));
    let ask = if proven {
        "Wait after the lock is given back, or use a condition that belongs to this lock."
    } else {
        "Who ends this wait, and does that thread take the lock first? Then wait after giving it back."
    };
    Words::new(
        format!("`{what}` is waited for while `{lock}` is held."),
        "If the thread that should end the wait needs the lock to get there, both stand still for good; anybody else who needs it waits as long.",
        ask,
    )
}
