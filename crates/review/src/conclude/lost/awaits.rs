//! Closes that the change no longer awaits: a coroutine that nobody awaits never runs.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::Call;
use crate::rules::{Anchor, Hit, HitVerdict, RESOURCE_NOT_CLOSED, Words};

/// Hits at such calls, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let awaited = old
        .changed_calls()
        .filter(|call| ends(call) && call.is_awaited());
    awaited
        .filter_map(|call| {
            let now = unawaited(old, new, &call)?;
            let is_told = sides.is_told(Told::By(RESOURCE_NOT_CLOSED), now.stmt());
            (!is_told).then(|| Loss::with(call.stmt(), hit(new, &now)))
        })
        .collect()
}

fn ends(call: &Call<'_>) -> bool {
    call.ends_receiver() || call.method() == Some("wait_closed")
}

/// The same call in the same function, as a statement of its own.
fn unawaited<'n>(old: &Half<'_>, new: &'n Half<'_>, call: &Call<'_>) -> Option<Call<'n>> {
    let scope = old.scope_names(call.stmt());
    let text = old.facts.expr_text(call.id);
    new.changed_calls().find(|now| {
        let same = new.facts.expr_text(now.id) == text && new.scope_names(now.stmt()) == scope;
        same && now.is_dropped() && !now.is_awaited()
    })
}

fn hit(new: &Half<'_>, call: &Call<'_>) -> Hit {
    let text = new.facts.shown(call.id);
    let words = Words::new(
        format!("`{text}` was awaited before this change, and is not any more."),
        "If it is a coroutine still, it never runs: nothing is closed, and Python warns of it at best.",
        "Does the object close without waiting now? If not, await it again.",
    );
    Hit::new(
        RESOURCE_NOT_CLOSED,
        Anchor::call(call),
        HitVerdict::Look,
        words,
    )
}
