//! A request that removes something under a lock of which only the name is shown: whether it can be busy is not.

use super::lock_timeout_unhandled::{CHECK, is_handled};
use crate::facts::{Call, Facts, Part, StmtId, StmtKind, says_lock};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.document.whole {
        return;
    }
    for deletion in facts.deletions() {
        let around = facts
            .ancestors(deletion.call.stmt())
            .filter(|around| around.part == Part::Body)
            .find_map(|around| entered(facts, around.stmt));
        let Some(lock) = around else {
            continue;
        };
        let function = facts.function_of(lock.scope());
        let in_request = function.is_some_and(|function| facts.says_hot(function, cx.profile));
        if in_request && facts.sees_enclosure(lock.stmt()) && !is_handled(facts, lock.stmt(), 1) {
            let words = word(lock.name());
            let verdict = cx.where_shared(HitVerdict::Look);
            let hit = Hit::new(&CHECK, Anchor::call(&lock), verdict, words);
            out.hits
                .push(hit.with_related(deletion.call.span(), "removed under it"));
        }
    }
}

/// `with exclusive(number):`, whose function is not shown.
fn entered(facts: &Facts, with: StmtId) -> Option<Call<'_>> {
    let StmtKind::With { items, .. } = &facts.stmt(with).kind else {
        return None;
    };
    let says = |name: &str| {
        let alone = |word: &str| {
            matches!(
                word,
                "exclusive" | "exclusively" | "guard" | "guarded" | "alone"
            )
        };
        says_lock(name) || topic::words(name).any(|word| alone(&word))
    };
    let call = items.iter().find_map(|item| facts.call(item.context))?;
    (says(call.name()) && facts.callee(&call).is_none()).then_some(call)
}

fn word(name: &str) -> Words {
    Words::new(
        format!(
            "`{name}` may find the lock busy, and this request does not say what happens then."
        ),
        "A file lock with a timeout raises when another worker holds it a little longer; uncaught, the client sees an internal error.",
        format!(
            "Does `{name}` wait with a limit? Then catch its timeout here, and answer that the thing is in use."
        ),
    )
}
