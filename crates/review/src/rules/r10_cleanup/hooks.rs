//! Somebody else's code that a closing method runs before it has let go of what is its own.

use super::first_failure_skips_rest::{CHECK, is_guarded};
use crate::facts::{Call, CleanupPlace, ExprId, Facts, Kind, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told: Vec<ScopeId> = Vec::new();
    for call in facts.calls().filter(|call| runs_hook(facts, call)) {
        let place = facts.cleanup_place(call.stmt());
        let in_closer = matches!(place, Some(CleanupPlace::Closer | CleanupPlace::Protocol));
        if !in_closer || is_guarded(facts, call.stmt()) {
            continue;
        }
        let release = skipped(facts, call.stmt(), |call| ends_own(facts, call));
        if let Some(release) = release.filter(|_| !told.contains(&call.scope())) {
            told.push(call.scope());
            report(facts, &call, release, out);
        }
    }
}

/// Words in names of what others plug in.
const PLUGGED: &[&str] = &[
    "callback",
    "delegate",
    "extension",
    "hook",
    "listener",
    "observer",
    "plugin",
    "subscriber",
];

/// A hook itself, or a method of the same class that runs some and does not guard them.
fn runs_hook(facts: &Facts, call: &Call<'_>) -> bool {
    let of_self = facts.self_attribute(call.function).is_some() && call.is_dropped();
    let inside = || {
        let method = facts.callee_scope(call)?;
        let mut calls = facts.calls_of(method);
        calls.find(|inner| is_hook(facts, inner) && !is_guarded(facts, inner.stmt()))
    };
    is_hook(facts, call) || (of_self && inside().is_some())
}

/// A call into what others plug in: `self._hook.before_close()`, `for plugin in self._plugins: plugin.on_close()`, or
/// `for callback in self._callbacks: callback()`. A bare `self._on_close()` is another check's.
fn is_hook(facts: &Facts, call: &Call<'_>) -> bool {
    let says = |name: &str| {
        let last = topic::words(name).last().unwrap_or_default();
        PLUGGED
            .iter()
            .any(|word| last.strip_suffix('s').unwrap_or(&last) == *word)
    };
    if !call.is_dropped() || facts.is_attribute_of_module(call.function) {
        return false;
    }
    let object = call.receiver().unwrap_or(call.function);
    let is_item = facts.name(object).is_some() && call.function == object;
    let root = root_of(facts, object);
    let of_field = facts.self_attribute(root).is_some() && call.receiver().is_some();
    let item = || is_item_of(facts, object, |name| is_item || says(name));
    let announces = || topic::begins_with_word(call.name(), "on before after notify pre post");
    // What a field holds and the object made itself is its own, whatever it is called: a subscriber, an observer.
    let names_plugged = || {
        let text = facts.dotted(object).unwrap_or_default();
        text.split('.').any(says)
    };
    let unseen = || facts.is_unseen_attribute(root) && names_plugged();
    let handed = || announces() && (facts.is_handed_in(root) || unseen());
    let ends = ["close", "stop", "shutdown", "release", "join", "cancel"].contains(&call.name());
    (of_field && handed()) || ((is_item || (call.receiver().is_some() && !ends)) && item())
}

/// `self._plugins` of `self._plugins.hook`.
fn root_of(facts: &Facts, object: ExprId) -> ExprId {
    match facts.attribute(object) {
        Some((inner, _)) if facts.self_attribute(object).is_none() => root_of(facts, inner),
        _ => object,
    }
}

/// The variable of a loop over a field with such a name. What is taken out of any field and called is somebody's
/// function.
fn is_item_of(facts: &Facts, object: ExprId, says: impl Fn(&str) -> bool) -> bool {
    let Some(name) = facts.name(object) else {
        return false;
    };
    facts.ancestors(facts.expr(object).stmt).any(|around| {
        let StmtKind::For { target, iter, .. } = facts.stmt(around.stmt).kind else {
            return false;
        };
        let binds = facts.within(target).any(|id| facts.name(id) == Some(name));
        let of_plugged = facts
            .within(iter)
            .any(|id| facts.self_attribute(id).is_some_and(&says));
        binds && of_plugged
    })
}

/// The first release behind a statement, in its block or a block around: an error passes it by.
/// What stands in the `finally` of a `try` around the statement runs anyway.
pub(super) fn skipped(
    facts: &Facts,
    hook: StmtId,
    releases: impl Fn(&Call<'_>) -> bool,
) -> Option<StmtId> {
    let around = facts.ancestors(hook).map(|around| around.stmt);
    let blocks = std::iter::once(hook).chain(around);
    let scope = facts.stmt(hook).scope;
    let mut later = blocks
        .filter(|&stmt| facts.stmt(stmt).scope == scope)
        .flat_map(|stmt| facts.following(stmt).iter().copied());
    later.find(|&stmt| facts.calls_in(stmt).any(|call| releases(&call)))
}

/// Ends something that the object itself made: a thread, socket, pool, file, connection.
pub(super) fn ends_own(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(receiver) = call.receiver() else {
        return false;
    };
    let ends = call.ends_receiver() || matches!(call.method(), Some("join" | "cancel" | "unlink"));
    let is_own = facts.self_attribute(receiver).is_some() && !facts.is_handed_in(receiver);
    let by_kind = facts
        .kind_of(receiver)
        .is_none_or(|kind| !matches!(kind, Kind::Dict | Kind::List | Kind::Set | Kind::Event));
    ends && is_own && by_kind
}

fn report(facts: &Facts, call: &Call<'_>, release: StmtId, out: &mut Outcome) {
    let words = word(facts.expr_text(call.function));
    let mut hit = Hit::new(&CHECK, Anchor::call(call), HitVerdict::Look, words)
        .with_related(facts.stmt(release).head, "skipped when the hook raises");
    hit.causes.push(facts.stmt(release).head);
    out.hits.push(hit);
}

fn word(hook: &str) -> Words {
    Words::new(
        format!(
            "`{hook}` is somebody else's code, and runs before this object has let go of what is its own."
        ),
        "If it raises, the close ends there: threads, sockets and pools of the object stay, and a second close may never come.",
        "Can the hook raise? Release the own resources first, or give the call a `try` that logs.",
    )
}
