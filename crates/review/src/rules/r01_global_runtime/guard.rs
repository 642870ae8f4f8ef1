//! What serialises a call that changes the process's runtime state.

use crate::facts::{
    Call, ExprId, Facts, Held, Home, Lock, ScopeId, StmtId, StmtKind, Taken, says_lock,
};
use crate::rules::Context;

/// What stands around a call.
pub(super) enum Guard<'f> {
    /// A lock that everybody who does the same can know.
    Shared(String),
    /// A lock of this module or class.
    Private(&'f Lock),
    /// A lock of one instance, or one picked by a key: others have their own.
    Instance(&'f Lock),
    /// A lock that is made for this very call.
    Own(&'f Lock),
    /// The answer of a timed acquire is not tested: a matter of R2.
    Untested,
    /// Nothing is shown, but a caller or a hidden line could guard.
    Unseen(&'static str),
    None,
}

/// The best guard around a call.
pub(super) fn guard<'f>(cx: &'f Context<'_>, call: &Call<'f>) -> Guard<'f> {
    let facts = cx.facts;
    if let Some(guard) = named_guard(cx, call) {
        return guard;
    }
    let held = facts.held_around(call.id).map(|held| by_lock(cx, held));
    if let Some(best) = held.min_by_key(weight) {
        return best;
    }
    if let Some(function) = facts.function_of(call.scope())
        && let Some(guard) = by_function(facts, function)
    {
        return guard;
    }
    if !facts.sees_enclosure(call.stmt()) {
        return Guard::Unseen("the lines around this hunk are not shown");
    }
    Guard::None
}

fn weight(guard: &Guard<'_>) -> u8 {
    match guard {
        Guard::Shared(_) => 0,
        Guard::Untested => 1,
        Guard::Private(_) => 2,
        Guard::Instance(_) => 3,
        Guard::Own(_) => 4,
        Guard::Unseen(_) => 5,
        Guard::None => 6,
    }
}

/// A context call that the profile names for this call.
fn named_guard<'f>(cx: &'f Context<'_>, call: &Call<'f>) -> Option<Guard<'f>> {
    let facts = cx.facts;
    let before = facts.expr(call.id).span.start;
    let own = own_items(facts, call.stmt());
    let around = facts
        .with_items(call.stmt())
        .map(|(stmt, item)| (stmt, item.context))
        .chain(own.into_iter().map(|context| (call.stmt(), context)));
    for (stmt, context) in around {
        let Some(guard) = facts
            .call(context)
            .filter(|guard| guard.span().end <= before)
        else {
            continue;
        };
        if !cx.profile.torchscript.guards(guard.callee(), call.callee()) {
            continue;
        }
        let untested = cx.profile.locks.is_timed_context(guard.callee())
            && held_by(facts, stmt, &guard).is_some_and(|held| !facts.answer_is_tested(held));
        return Some(if untested {
            Guard::Untested
        } else {
            Guard::Shared(guard.name().to_string())
        });
    }
    None
}

fn own_items(facts: &Facts, stmt: StmtId) -> Vec<ExprId> {
    match &facts.stmt(stmt).kind {
        StmtKind::With { items, .. } => items.iter().map(|item| item.context).collect(),
        _ => Vec::new(),
    }
}

fn held_by<'f>(facts: &'f Facts, stmt: StmtId, guard: &Call<'_>) -> Option<&'f Held> {
    facts
        .held()
        .iter()
        .find(|held| held.stmt == stmt && held.span == guard.span())
}

fn by_lock<'f>(cx: &'f Context<'_>, held: &'f Held) -> Guard<'f> {
    let facts = cx.facts;
    let lock = &held.lock;
    if let Taken::Context(id) = held.taken {
        let timed = facts
            .call(id)
            .is_some_and(|call| cx.profile.locks.is_timed_context(call.callee()));
        if timed && !facts.answer_is_tested(held) {
            return Guard::Untested;
        }
    }
    let text = facts.shown(lock.expr);
    let is_known = facts
        .last_name(lock.expr)
        .is_some_and(|name| cx.profile.torchscript.is_lock_name(name));
    match lock.home {
        Home::Call => Guard::Own(lock),
        _ if is_known => Guard::Shared(text.to_string()),
        Home::Instance | Home::Keyed => Guard::Instance(lock),
        Home::Module | Home::Class => Guard::Private(lock),
        Home::Given | Home::External | Home::Unknown => Guard::Shared(text.to_string()),
    }
}

/// A decorator that locks, or callers that hold a lock.
fn by_function<'f>(facts: &'f Facts, function: ScopeId) -> Option<Guard<'f>> {
    let decorated = facts.decorators(function).iter().find_map(|&decorator| {
        facts.last_name(decorator).filter(|name| {
            let alone = |word: &str| {
                matches!(
                    word,
                    "synchronized"
                        | "synchronised"
                        | "serialized"
                        | "serialised"
                        | "guarded"
                        | "exclusive"
                        | "exclusively"
                )
            };
            says_lock(name)
                || topic::words(name).any(|word| alone(&word))
                || topic::says(name, "one at a time")
        })
    });
    if let Some(name) = decorated {
        return Some(Guard::Shared(name.to_string()));
    }
    let is_inner = is_private(facts, function) || is_nested(facts, function);
    if is_inner && facts.runs_in_one_worker(function) {
        return Some(Guard::Shared("the one worker of its pool".to_string()));
    }
    match facts.callers_hold(function) {
        Some(true) if is_inner => Some(Guard::Shared("the lock that its callers hold".to_string())),
        Some(true) => Some(Guard::Unseen(
            "the callers in this file hold a lock, others may not",
        )),
        None if is_inner && !facts.is_only_handed_over(function) => {
            Some(Guard::Unseen("its callers are not shown"))
        }
        _ => None,
    }
}

fn is_private(facts: &Facts, function: ScopeId) -> bool {
    facts
        .scope_name(function)
        .is_some_and(|name| name.starts_with('_') && !name.starts_with("__"))
}

fn is_nested(facts: &Facts, function: ScopeId) -> bool {
    facts
        .scope(function)
        .parent
        .is_some_and(|parent| facts.function_of(parent).is_some())
}
