//! Code of others that runs under a lock of this object: if it calls back, it waits for itself.

use crate::facts::{Binding, BindingKind, Call, ExprId, ExprKind, Facts, Held, Kind, Proof};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "callback-under-lock",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "Listeners or callbacks are called while a plain lock of the object is held.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts.held().iter().filter(|held| is_plain(facts, held)) {
        let calls = held.body.iter().flat_map(|&stmt| facts.calls_in(stmt));
        let mut foreign =
            calls.filter(|call| call.scope() == held.scope && is_foreign(facts, call));
        if let Some(call) = foreign.next() {
            judge(cx, held, &call, out);
        }
    }
}

/// A lock that does not know its holder, and that other functions take, too.
fn is_plain(facts: &Facts, held: &Held) -> bool {
    let is_elsewhere = || {
        let mut others = facts.held().iter();
        others.any(|other| other.scope != held.scope && other.lock.is_same(&held.lock))
    };
    held.lock.kind == Kind::ThreadLock && held.lock.proof == Proof::Proven && is_elsewhere()
}

/// `listener(event)` of `for listener in self._listeners`, `self._callbacks[key](event)`, or `self._on_change(...)` that
/// somebody gave.
fn is_foreign(facts: &Facts, call: &Call<'_>) -> bool {
    match facts.self_attribute(call.function) {
        Some(field) => says_callback(field) && was_given(facts, call),
        None => {
            let of_table = picked_from(facts, call.function);
            of_table.is_some_and(|table| is_listeners(facts, table))
                || facts
                    .bindings_behind(call.function)
                    .into_iter()
                    .any(|binding| comes_from_listeners(facts, binding))
        }
    }
}

/// `self._callbacks` of `self._callbacks[key]`, `self._callbacks.get(key)` and `self._callbacks.pop(key, None)`.
fn picked_from(facts: &Facts, id: ExprId) -> Option<ExprId> {
    if let ExprKind::Subscript { object, .. } = facts.expr(id).kind {
        return Some(object);
    }
    let call = facts.call(id)?;
    matches!(call.method(), Some("get" | "pop"))
        .then(|| call.receiver())
        .flatten()
}

fn is_listeners(facts: &Facts, id: ExprId) -> bool {
    facts.self_attribute(id).is_some_and(says_callback)
}

/// Walked through, or picked out of what is kept for them.
fn comes_from_listeners(facts: &Facts, binding: &Binding) -> bool {
    match binding.kind {
        BindingKind::Loop { iter, .. } => facts.within(iter).any(|id| is_listeners(facts, id)),
        BindingKind::Value { value, index: None } => {
            picked_from(facts, value).is_some_and(|table| is_listeners(facts, table))
        }
        _ => false,
    }
}

/// The class has no such method, and keeps what a parameter brought.
fn was_given(facts: &Facts, call: &Call<'_>) -> bool {
    let is_own = facts.callee_scope(call).is_some();
    let bindings = facts.bindings_behind(call.function);
    let given = bindings.iter().any(|binding| match binding.kind {
        BindingKind::Value { value, .. } => facts.parameter(value).is_some(),
        _ => false,
    });
    !is_own && given
}

fn says_callback(name: &str) -> bool {
    topic::has_word(
        name,
        "callback callbacks cb cbs listener listeners subscriber subscribers \
         observer observers watcher watchers hook hooks handler handlers",
    ) || name.trim_start_matches('_').starts_with("on_")
}

fn judge(cx: &Context<'_>, held: &Held, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        None => HitVerdict::Look,
    };
    let words = word(&facts.shown(held.lock.expr), &facts.shown(call.function));
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words)
        .with_related(held.span, "the lock is taken here");
    hit.causes.push(held.span);
    out.hits.push(hit);
}

fn word(lock: &str, callee: &str) -> Words {
    Words::new(
        format!("`{callee}`, which others have given, runs while `{lock}` is held."),
        "What it does is not shown: if it asks this object for something that takes the lock it waits for itself, and while it is slow all others wait.",
        format!("Copy what is to be called under `{lock}`, give the lock back, and call then."),
    )
}
