//! A sweep that runs again and again, and of which each item tolerates that it is gone, but nothing else.

use super::{CHECK, is_guarded};
use crate::facts::{ExprId, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, Outcome, Words};

/// `for path in paths: try: os.remove(path) except FileNotFoundError: continue` in what an endless loop calls.
pub(super) fn judge(facts: &Facts, sweep: StmtId, body: &[StmtId], out: &mut Outcome) {
    if is_guarded(facts, sweep) {
        return;
    }
    let inside = facts.statements_in(body);
    let narrow = inside
        .into_iter()
        .filter(|&stmt| facts.innermost_loop(stmt) == Some(sweep))
        .find_map(|stmt| Some((stmt, narrow_removal(facts, stmt)?)));
    let Some((stmt, handler)) = narrow.filter(|_| runs_for_ever(facts, sweep)) else {
        return;
    };
    let span = handler.span;
    let hit = Hit::new(&CHECK, Anchor { stmt, span }, HitVerdict::Look, word());
    out.hits
        .push(hit.with_related(facts.stmt(sweep).head, "another error ends this sweep"));
}

/// The only handler of a `try` around a removal, for items that are gone.
fn narrow_removal(facts: &Facts, stmt: StmtId) -> Option<&Handler> {
    let StmtKind::Try { body, handlers, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    let [handler] = &handlers[..] else {
        return None;
    };
    let is_missing = |&class: &ExprId| facts.last_name(class) == Some("FileNotFoundError");
    let narrow = !handler.types.is_empty() && handler.types.iter().all(is_missing);
    let removes = |stmt: StmtId| {
        facts
            .calls_in(stmt)
            .any(|call| facts.deletion(call).is_some())
    };
    let acts = || facts.statements_in(body).into_iter().any(removes);
    (narrow && !facts.reraises(handler) && acts()).then_some(handler)
}

/// The sweep stands in a `while`, or its function is called there, with nothing around that takes an error.
fn runs_for_ever(facts: &Facts, sweep: StmtId) -> bool {
    let is_while = |stmt: StmtId| {
        let mut around = facts.ancestors(stmt).map(|around| around.stmt);
        around.any(|stmt| matches!(facts.stmt(stmt).kind, StmtKind::While { .. }))
    };
    let by_caller = || {
        let function = facts.function_of(facts.stmt(sweep).scope)?;
        let mut mentions = facts
            .mentions_of_function(function)
            .map(|id| facts.expr(id).stmt);
        mentions.find(|&stmt| is_while(stmt) && !is_guarded(facts, stmt))
    };
    is_while(sweep) || by_caller().is_some()
}

fn word() -> Words {
    Words::new(
        "Each removal of this sweep tolerates a missing file, and no other error.",
        "One file that may not be removed, or is in use, ends the sweep, and with it the loop that runs it: from then on nothing is cleaned up.",
        "Catch `OSError` for each item, log it and go on.",
    )
}
