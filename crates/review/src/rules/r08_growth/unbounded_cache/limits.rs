//! Whether something that is shown gives entries up, or counts them before it takes one more.

use super::super::ending::only_the_end_empties;
use super::emptied::emptied;
use super::idle::left_to_nobody;
use super::lazy::goes_only_when_asked;
use crate::facts::{Container, ExprId, ExprKind, Facts, StmtKind, Use, UseKind};

/// Whether entries go out again: those that the insertion makes, or the ones that hold them.
pub(super) fn gives_up(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let removes = |of: &Use| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size);
    let inner = container
        .inner_uses
        .iter()
        .any(|of| of.span == insertion.span);
    let stays = only_the_end_empties(facts, container)
        || goes_only_when_asked(facts, container)
        || left_to_nobody(facts, container).is_some();
    (container.is_bounded() && !stays)
        || (inner
            && container.inner_uses.iter().any(removes)
            && emptied(facts, container, insertion).is_none())
        || counts_before(facts, container, insertion)
}

/// An explicit counter: the inserting function compares something with a constant that says maximum.
/// The length of something else, such as of one entry, is no such counter.
fn counts_before(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let Some(function) = facts.function_of(facts.stmt(insertion.stmt).scope) else {
        return false;
    };
    let says_limit = |id: ExprId| {
        let name = facts.last_name(id).unwrap_or("");
        ["max", "limit", "maximum", "capacity"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    facts
        .statements_of(function)
        .any(|stmt| match facts.stmt(stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                let compares = matches!(facts.expr(test).kind, ExprKind::Compare { .. });
                let of_other = facts
                    .within(test)
                    .any(|id| measures_other(facts, container, id));
                compares && !of_other && facts.within(test).any(says_limit)
            }
            _ => false,
        })
}

fn measures_other(facts: &Facts, container: &Container, id: ExprId) -> bool {
    let call = facts.call(id).filter(|call| call.callee() == "len");
    call.and_then(|call| call.positional(0))
        .is_some_and(|of| facts.name(of).is_some() && facts.expr_text(of) != container.name)
}
