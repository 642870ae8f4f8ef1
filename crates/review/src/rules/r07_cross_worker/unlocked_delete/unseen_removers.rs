//! A private method that is not shown and says that it removes, called with no lock in a class that takes file locks.

use super::CHECK;
use crate::facts::{Call, Facts, ScopeId, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.document.whole {
        return;
    }
    for call in facts.calls().filter(|call| removes(facts, call)) {
        let stmt = call.stmt();
        let locks = facts
            .class_of(call.scope())
            .is_some_and(|class| others_lock(facts, class, call.scope()));
        let is_alone = facts.with_items(stmt).next().is_none() && facts.sees_enclosure(stmt);
        if locks && is_alone && asks_for_path(facts, stmt) && !facts.is_file_locked(stmt) {
            let verdict = cx.where_shared(HitVerdict::Look);
            let anchor = Anchor::call(&call);
            out.hits
                .push(Hit::new(&CHECK, anchor, verdict, word(call.name())));
        }
    }
}

/// `self._drop(number)`.
fn removes(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(name) = facts.self_attribute(call.function) else {
        return false;
    };
    let first = topic::words(name.trim_start_matches('_')).next();
    let says = first.is_some_and(|word| {
        matches!(
            &*word,
            "drop" | "remove" | "delete" | "purge" | "wipe" | "evict" | "erase" | "rmtree"
        )
    });
    says && name.starts_with('_') && facts.callee(call).is_none()
}

/// Another method of the class has an answer for a lock that is busy.
fn others_lock(facts: &Facts, class: ScopeId, own: ScopeId) -> bool {
    let own = facts.canonical(own);
    let is_busy = |stmt: StmtId| {
        facts.handlers(stmt).iter().any(|handler| {
            let mut types = handler.types.iter();
            types.any(|&class| facts.last_name(class) == Some("Timeout"))
        })
    };
    facts.stmt_ids().any(|stmt| {
        let scope = facts.stmt(stmt).scope;
        facts.canonical(scope) != own && facts.class_of(scope) == Some(class) && is_busy(stmt)
    })
}

/// The function asks whether some path is there: what is removed lies on disk.
fn asks_for_path(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .calls_beside(stmt)
        .any(|call| call.stmt() < stmt && facts.asked_path(&call).is_some())
}

fn word(name: &str) -> Words {
    Words::new(
        format!("`{name}` removes something on disk, and no lock is held around this call."),
        "Another method of this class takes a lock with a timeout for such work: if this one leaves it to its callers, the removal goes past whoever reads or fills the entry in another process.",
        format!("Does `{name}` take the lock itself? If not, take it here, with a timeout."),
    )
}
