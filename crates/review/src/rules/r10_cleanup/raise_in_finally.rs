//! `raise`, `return`, `break` or `continue` in `finally`: the original error is gone.

use crate::facts::{ExprId, Facts, Handler, Part, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "raise-in-finally",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A `raise`, `return`, `break` or `continue` in `finally` hides the original error.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for stmt in cx.facts.stmt_ids() {
        let leaves = matches!(
            cx.facts.stmt(stmt).kind,
            StmtKind::Raise | StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue
        );
        if leaves
            && leaves_finally(cx.facts, stmt)
            && !is_outdone(cx.facts, stmt)
            && !loses_nothing(cx.facts, stmt)
        {
            let anchor = Anchor::stmt(cx.facts, stmt);
            out.hits.push(Hit::new(
                &CHECK,
                anchor,
                HitVerdict::Violation,
                word(cx.facts, stmt),
            ));
        }
    }
}

/// A `return` behind a bare `except`, or behind work that cannot fail: there is no error to drop, and no other result.
fn loses_nothing(facts: &Facts, stmt: StmtId) -> bool {
    let mut around = facts.ancestors(stmt);
    let outer = around.find(|ancestor| ancestor.part == Part::Finally);
    let Some(StmtKind::Try {
        body,
        handlers,
        orelse,
        ..
    }) = outer.map(|outer| &facts.stmt(outer.stmt).kind)
    else {
        return false;
    };
    let kept = handlers.iter().flat_map(|handler| &handler.body);
    let kept: Vec<StmtId> = kept.chain(orelse).copied().collect();
    let is_plain = |block: &[StmtId]| {
        let inside = facts.statements_in(block);
        !inside.iter().any(|&inner| {
            matches!(
                facts.stmt(inner).kind,
                StmtKind::Raise | StmtKind::Return(Some(_))
            )
        })
    };
    let cannot_fail = |block: &[StmtId]| {
        let inside = facts.statements_in(block);
        !inside
            .iter()
            .any(|&inner| facts.can_fail(inner) || facts.yields(inner))
    };
    let catches = handlers
        .iter()
        .any(|handler| catches_everything(facts, handler));
    let is_return = matches!(facts.stmt(stmt).kind, StmtKind::Return(_));
    is_return
        && facts.sees_all_of(stmt)
        && is_plain(body)
        && is_plain(&kept)
        && (catches || cannot_fail(body))
}

/// `except:` and `except BaseException:`.
fn catches_everything(facts: &Facts, handler: &Handler) -> bool {
    let is_base = |&class: &ExprId| facts.last_name(class) == Some("BaseException");
    handler.types.is_empty() || handler.types.iter().any(is_base)
}

/// A `raise` on the way to the `return` that the same block ends with: one fault of one block.
fn is_outdone(facts: &Facts, stmt: StmtId) -> bool {
    let block = |stmt: StmtId| {
        let mut around = facts.ancestors(stmt);
        around
            .find(|ancestor| ancestor.part == Part::Finally)
            .map(|ancestor| ancestor.stmt)
    };
    let is_raise = matches!(facts.stmt(stmt).kind, StmtKind::Raise);
    let returns = |other: StmtId| {
        matches!(facts.stmt(other).kind, StmtKind::Return(_)) && block(other) == block(stmt)
    };
    is_raise
        && facts
            .statements_of(facts.stmt(stmt).scope)
            .any(|other| other > stmt && returns(other))
}

/// In a `finally`, and not in a `try` of its own there that catches what is raised.
fn leaves_finally(facts: &Facts, stmt: StmtId) -> bool {
    let is_raise = matches!(facts.stmt(stmt).kind, StmtKind::Raise);
    let of_inner_loop = matches!(facts.stmt(stmt).kind, StmtKind::Break | StmtKind::Continue)
        && facts
            .ancestors(stmt)
            .take_while(|ancestor| ancestor.part != Part::Finally)
            .any(|ancestor| facts.innermost_loop(stmt) == Some(ancestor.stmt));
    let way = facts
        .ancestors(stmt)
        .take_while(|ancestor| ancestor.part != Part::Finally);
    let caught = way.into_iter().any(|ancestor| match ancestor.part {
        Part::Body => facts.is_try(ancestor.stmt) && !facts.handlers(ancestor.stmt).is_empty(),
        // What the clean-up itself raised goes on, as if nobody had caught it.
        Part::Handler(_) => true,
        _ => false,
    });
    facts.in_finally(stmt) && !of_inner_loop && !(is_raise && caught)
}

fn word(facts: &Facts, stmt: StmtId) -> Words {
    let what = match facts.stmt(stmt).kind {
        StmtKind::Return(_) => "return",
        StmtKind::Break => "break",
        StmtKind::Continue => "continue",
        _ => "raise",
    };
    Words::new(
        format!("`{what}` in a `finally` block ends the block its own way."),
        "An error that was on its way out is dropped, and nobody sees why the work failed.",
        "Leave `finally` by falling off its end: decide on the result in the `try`, and log what clean-up cannot do.",
    )
}
