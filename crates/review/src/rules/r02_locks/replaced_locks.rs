//! A lock of an object that one of its methods replaces: whoever waits or works under the old one is alone with it.

use super::lock_object_not_shared::CHECK;
use crate::facts::{Call, ExprId, Facts, Held, ScopeId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(field) = replaced(facts, &call) else {
            continue;
        };
        if let Some(held) = taken_elsewhere(facts, &call, field) {
            let verdict = match facts.cold_file(cx.profile) {
                Some(reason) => HitVerdict::Excused(format!("Nobody else takes it: {reason}.")),
                None => HitVerdict::Look,
            };
            let words = word(&facts.shown(field));
            let mut hit = Hit::new(&CHECK, Anchor::call(&call), verdict, words)
                .with_related(held.span, "the lock is taken here");
            hit.causes.push(held.span);
            out.hits.push(hit);
        }
    }
}

/// `self._lock` of `self._lock = Lock()` in a method that runs after the constructor has made one.
fn replaced(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let makes = facts.constructs(call).is_some_and(|kind| kind.is_lock());
    let function = facts.function_of(call.scope()).filter(|_| makes)?;
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(call.stmt()).kind else {
        return None;
    };
    let target = targets
        .first()
        .copied()
        .filter(|_| *value == Some(call.id))?;
    let field = facts.self_attribute(target)?;
    let class = facts.class_of(function)?;
    let by_constructor = facts
        .attribute_bindings(class, field)
        .into_iter()
        .any(|binding| makes_first(facts, facts.stmt(binding.stmt).scope));
    // What is not shown must have made it, where the method's name says that it is no constructor.
    let by_constructor =
        by_constructor || (!facts.is_visible(class) && facts.scope_name(function).is_some());
    let is_late = !facts.builds(function) && !renews(facts, function);
    // Where it is missing, or in a second process, it is made for the first time.
    let is_asked = facts.ancestors(call.stmt()).next().is_some();
    (by_constructor && is_late && !is_asked).then_some(target)
}

fn makes_first(facts: &Facts, scope: ScopeId) -> bool {
    facts
        .function_of(scope)
        .is_some_and(|function| facts.scope_name(function) == Some("__init__"))
}

/// Copies, restored objects and children of a fork need a lock of their own; so does what starts over.
fn renews(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or("");
    let says = topic::has_word(
        name,
        "fork setstate copy deepcopy reinit init setup start enter run",
    );
    says || name.starts_with("__") || facts.is_thread_body(function)
}

/// Another method takes the lock.
fn taken_elsewhere<'f>(facts: &'f Facts, call: &Call<'_>, field: ExprId) -> Option<&'f Held> {
    let lock = facts.lock(field)?;
    facts
        .held()
        .iter()
        .find(|held| held.scope != call.scope() && held.lock.is_same(&lock))
}

fn word(lock: &str) -> Words {
    Words::new(
        format!("`{lock}` is replaced while others may hold or wait for the old one."),
        "Whoever comes next takes the new lock and is let in beside the holder of the old one; those who wait for the old one are no longer excluded either.",
        "Can another thread be in a method of this object meanwhile? Keep the lock for the object's whole life, and reset only what it guards.",
    )
}
