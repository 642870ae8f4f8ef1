//! Idle limits that a worker's own loop compares with a number in the code.

use super::hard_coded_watchdog::{CHECK, is_literal};
use super::kept;
use crate::facts::{ExprId, ExprKind, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Reports `if time.monotonic() - self._last_seen > 30: return` in a loop.
pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::If { test, body, .. } = &facts.stmt(stmt).kind else {
            continue;
        };
        if facts.in_loop(stmt)
            && ends_work(facts, body)
            && let Some((idle, limit)) = compared(facts, *test)
        {
            let words = word(facts.expr_text(idle), facts.expr_text(limit));
            let verdict = kept::unless_cold(cx, HitVerdict::Look);
            out.hits
                .push(Hit::new(&CHECK, Anchor::stmt(facts, stmt), verdict, words));
        }
    }
}

/// The time since something was heard last, and the number that it is compared with.
fn compared(facts: &Facts, test: ExprId) -> Option<(ExprId, ExprId)> {
    facts.within(test).find_map(|id| {
        let ExprKind::Compare { operands, .. } = &facts.expr(id).kind else {
            return None;
        };
        let idle = *operands.iter().find(|&&operand| is_idle(facts, operand))?;
        let limit = *operands
            .iter()
            .find(|&&operand| is_literal(facts, operand))?;
        Some((idle, limit))
    })
}

/// `time.time() - last_frame_at`, or a name that holds such a difference.
fn is_idle(facts: &Facts, operand: ExprId) -> bool {
    facts.values(operand).into_iter().any(|value| {
        let ExprKind::Binary { left, right, .. } = facts.expr(value).kind else {
            return false;
        };
        let is_clock = facts
            .call(left)
            .is_some_and(|call| call.is(&["time.time", "time.monotonic", "time.perf_counter"]));
        let is_last = facts
            .last_name(right)
            .is_some_and(|name| topic::has_word(name, "last heartbeat activity active seen idle"));
        is_clock && is_last
    })
}

/// The branch leaves the loop, or stops something.
fn ends_work(facts: &Facts, body: &[StmtId]) -> bool {
    let stops =
        |name: &str| topic::has_word(name, "stop terminate shutdown kill exit cancel timeout");
    facts.statements_in(body).into_iter().any(|stmt| {
        let leaves = matches!(
            facts.stmt(stmt).kind,
            StmtKind::Break | StmtKind::Return(_) | StmtKind::Raise
        );
        leaves || facts.calls_in(stmt).any(|call| stops(call.name()))
    })
}

fn word(idle: &str, limit: &str) -> Words {
    Words::new(
        format!("The loop gives up when `{idle}` reaches the number {limit}."),
        "A limit that fits one workload ends sound work of another: slow start-ups, quiet streams, big files. In production nobody can change it.",
        "Is this a long-running worker? Then take the limit from a setting or from the request, with this number as its default.",
    )
}
