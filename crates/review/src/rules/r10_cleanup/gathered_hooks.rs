//! Hooks of others that a closing method waits for all at once: the first that raises ends the close.

use crate::facts::{Call, CleanupPlace, ExprId, ExprKind, Facts, StmtId, StmtKind};

/// What stands behind `await asyncio.gather(*[plugin.before_close() for plugin in self.plugins.values()])`, where no error
/// is kept back: the rest of the close, also where only a part of it is shown.
pub(super) fn rest_behind(facts: &Facts, stmt: StmtId) -> Option<StmtId> {
    let gathers = facts.calls_in(stmt).any(|call| {
        let hands_on = call.keyword("return_exceptions").is_none() && call.is_awaited();
        hands_on
            && call.is(&["asyncio.gather"])
            && call.args.iter().any(|arg| runs_hooks(facts, arg.value))
    });
    let rest = facts.following(stmt).first().copied().filter(|_| gathers)?;
    (in_closer(facts, stmt) || notes_end(facts, stmt)).then_some(rest)
}

/// A comprehension over a field whose name says that others fill it, which calls a method of each.
fn runs_hooks(facts: &Facts, given: ExprId) -> bool {
    let of_plugged = |id: ExprId| {
        let name = facts.self_attribute(id).unwrap_or_default();
        topic::ends_in_word(
            name,
            "plugins extensions hooks listeners observers callbacks subscribers",
        )
    };
    let parts = || facts.within(given);
    let calls_each = parts()
        .filter_map(|id| facts.call(id))
        .any(|call| is_hook(&call));
    calls_each
        && parts().any(|id| matches!(facts.expr(id).kind, ExprKind::Comprehension { .. }))
        && parts().any(of_plugged)
}

fn is_hook(call: &Call<'_>) -> bool {
    topic::begins_with_word(
        call.name(),
        "on before after pre post notify close stop shutdown teardown",
    )
}

fn in_closer(facts: &Facts, stmt: StmtId) -> bool {
    let place = facts.cleanup_place(stmt);
    matches!(place, Some(CleanupPlace::Closer | CleanupPlace::Protocol))
}

/// `self.status = Status.closing` a line later: the head of the method need not be shown.
fn notes_end(facts: &Facts, stmt: StmtId) -> bool {
    let says = |value: ExprId| {
        let name = facts.last_name(value).unwrap_or_default();
        matches!(
            name,
            "closing" | "CLOSING" | "stopping" | "STOPPING" | "shutting_down"
        )
    };
    let notes = |later: &StmtId| match facts.stmt(*later).kind {
        StmtKind::Assign {
            value: Some(value), ..
        } => says(value),
        _ => false,
    };
    facts.function_name(stmt).is_none() && facts.following(stmt).iter().take(3).any(notes)
}
