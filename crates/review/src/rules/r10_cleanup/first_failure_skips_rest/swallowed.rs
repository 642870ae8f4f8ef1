//! Several clean-up steps in one `try` that swallows, or one `suppress`: the first that raises leaves the rest.

use super::{CHECK, can_fail, closed_by, closes, lets_go};
use crate::facts::{Call, ExprId, ExprKind, Facts, Handler, StmtId, StmtKind, WithItem};
use crate::rules::{Anchor, Hit, HitVerdict, Outcome, Words};

/// `try: os.unlink(a); os.unlink(b)` with handlers that go on, where the block does nothing else.
pub(super) fn judge_try(facts: &Facts, body: &[StmtId], handlers: &[Handler], out: &mut Outcome) {
    let goes_on = |handler: &Handler| !facts.reraises(handler) && !tidies(facts, handler);
    if !handlers.is_empty() && handlers.iter().all(goes_on) {
        judge(facts, body, out);
    }
}

/// `with suppress(FileNotFoundError): os.unlink(a); os.unlink(b)`.
pub(super) fn judge_with(facts: &Facts, items: &[WithItem], body: &[StmtId], out: &mut Outcome) {
    let suppresses = |item: &WithItem| {
        let call = facts.call(item.context);
        call.is_some_and(|call| call.name() == "suppress")
    };
    if items.iter().any(suppresses) {
        judge(facts, body, out);
    }
}

/// A handler that does the rest itself.
fn tidies(facts: &Facts, handler: &Handler) -> bool {
    let inside = facts.statements_in(&handler.body);
    inside
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt))
        .any(|call| is_step(facts, &call))
}

fn is_step(facts: &Facts, call: &Call<'_>) -> bool {
    facts.deletion(*call).is_some() || closes(call)
}

fn judge(facts: &Facts, body: &[StmtId], out: &mut Outcome) {
    let Some(steps) = steps(facts, body) else {
        return;
    };
    let Some(at) = steps.iter().position(|&step| can_end(facts, step)) else {
        return;
    };
    let Some((&first, later)) = steps.get(at..).and_then(<[StmtId]>::split_first) else {
        return;
    };
    let rest = later.iter().find(|&&step| is_other(facts, first, step));
    if rest.is_some() || takes_each(facts, first, body) {
        report(facts, first, rest.copied(), out);
    }
}

/// The clean-up steps of a block that does nothing else, in order; those with a `try` of their own are left out.
fn steps(facts: &Facts, block: &[StmtId]) -> Option<Vec<StmtId>> {
    let mut steps = Vec::new();
    for &stmt in block {
        match &facts.stmt(stmt).kind {
            StmtKind::Expr(expr) => {
                let call = facts.awaited_call(*expr)?;
                if is_step(facts, &call) {
                    steps.push(stmt);
                } else if !tells(&call) {
                    return None;
                }
            }
            StmtKind::If { body, orelse, .. } | StmtKind::For { body, orelse, .. } => {
                steps.extend(self::steps(facts, body)?);
                steps.extend(self::steps(facts, orelse)?);
            }
            StmtKind::Assign { .. } if facts.calls_in(stmt).all(|call| names_path(&call)) => {}
            StmtKind::Try { .. } | StmtKind::Delete(_) | StmtKind::Pass | StmtKind::Continue => {}
            _ => return None,
        }
    }
    Some(steps)
}

fn tells(call: &Call<'_>) -> bool {
    call.is_message() || topic::says(call.name(), "log")
}

/// `path = os.path.join(folder, name)` on the way to a removal.
fn names_path(call: &Call<'_>) -> bool {
    matches!(
        call.name(),
        "join" | "Path" | "joinpath" | "with_suffix" | "str"
    )
}

/// A removal that says nothing of missing paths and does not ask before, or the goodbye to somebody who may be gone.
fn can_end(facts: &Facts, step: StmtId) -> bool {
    let removal = facts.calls_in(step).find_map(|call| facts.deletion(call));
    match removal {
        Some(removal) => !removal.forgives && !is_asked(facts, removal.path, step),
        None => can_fail(facts, step) && !stands_under_test(facts, step),
    }
}

/// `if os.path.exists(path):` around the step.
fn is_asked(facts: &Facts, path: ExprId, step: StmtId) -> bool {
    facts.ancestors(step).any(|around| {
        let mut calls = facts.calls_in(around.stmt);
        calls.any(|call| {
            let asked = facts.asked_path(&call);
            asked.is_some_and(|asked| facts.is_same_path(asked, path))
        })
    })
}

/// `if channel.is_open():` around the step. That there is a channel at all says nothing of its other side.
fn stands_under_test(facts: &Facts, step: StmtId) -> bool {
    let parent = facts.stmt(step).parent;
    parent.is_some_and(|slot| match facts.stmt(slot.stmt).kind {
        StmtKind::If { test, .. } => !asks_existence(facts, test, step),
        _ => false,
    })
}

/// `if self._client:`, `if client is not None:`.
fn asks_existence(facts: &Facts, test: ExprId, step: StmtId) -> bool {
    match &facts.expr(test).kind {
        ExprKind::Compare { operands, .. } => operands
            .iter()
            .any(|&operand| matches!(facts.expr(operand).kind, ExprKind::None)),
        _ => facts.dotted(test).is_some() && facts.dotted(test) == closed_by(facts, step),
    }
}

/// Whether a later step ends something else: the folder of a removed file is the same thing.
fn is_other(facts: &Facts, first: StmtId, later: StmtId) -> bool {
    let removed = |step| facts.calls_in(step).find_map(|call| facts.deletion(call));
    match (removed(first), removed(later)) {
        (Some(one), Some(other)) => {
            let is_folder = matches!(other.call.name(), "rmdir" | "removedirs");
            !is_folder
                && !facts.is_same_path(one.path, other.path)
                && !lies_within(facts, one.path, other.path)
                && !lies_within(facts, other.path, one.path)
        }
        _ => closed_by(facts, first) != closed_by(facts, later) || lets_go(facts, first, later),
    }
}

/// One path is made of the other: `folder / "part"`, `os.path.dirname(part)`.
fn lies_within(facts: &Facts, part: ExprId, whole: ExprId) -> bool {
    let whole = facts.expr_text(whole);
    let values = facts.values(part).into_iter().chain([part]);
    let mut parts = values.flat_map(|value| facts.within(value));
    parts.any(|id| facts.expr_text(id) == whole)
}

/// The step runs for each item of a loop that stands inside of the `try`.
fn takes_each(facts: &Facts, step: StmtId, body: &[StmtId]) -> bool {
    let Some(outer) = facts.innermost_loop(step) else {
        return false;
    };
    let StmtKind::For { target, .. } = facts.stmt(outer).kind else {
        return false;
    };
    let removal = facts.calls_in(step).find_map(|call| facts.deletion(call));
    let is_item = |id: ExprId| {
        let name = facts.name(id);
        name.is_some() && facts.within(target).any(|part| facts.name(part) == name)
    };
    let of_item = removal.is_some_and(|removal| {
        let values = facts.values(removal.path);
        let mut ways = values.into_iter().chain([removal.path]);
        ways.any(|way| facts.within(way).any(is_item))
    });
    of_item && facts.statements_in(body).contains(&outer)
}

fn report(facts: &Facts, first: StmtId, rest: Option<StmtId>, out: &mut Outcome) {
    let anchor = Anchor::stmt(facts, first);
    let mut hit = Hit::new(&CHECK, anchor, HitVerdict::Look, word(rest.is_none()));
    if let Some(rest) = rest {
        let head = facts.stmt(rest).head;
        hit.causes.push(head);
        hit = hit.with_related(head, "skipped when the first one raises");
    }
    out.hits.push(hit);
}

fn word(in_loop: bool) -> Words {
    let message = if in_loop {
        "The first item that raises ends this loop, and the `try` around it says nothing of the items left."
    } else {
        "One `try` holds several steps of the clean-up: the first that raises skips the others."
    };
    Words::new(
        message,
        "Nobody hears of it, since the error is swallowed, and what the skipped steps should remove or close stays behind.",
        "Give each step its own `try` or `suppress`, or let it tolerate what is gone: `missing_ok=True`, `ignore_errors=True`.",
    )
}
