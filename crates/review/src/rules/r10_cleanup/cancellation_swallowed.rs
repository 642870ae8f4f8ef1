//! A loop of a coroutine catches its own cancellation and goes on.

use crate::facts::{Call, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "cancellation-swallowed",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A handler in the loop of a coroutine catches CancelledError and lets the loop go on: the task cannot be ended.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = &facts.stmt(stmt).kind else {
            continue;
        };
        if !is_of_loop(facts, stmt, body) {
            continue;
        }
        let first = handlers
            .iter()
            .find(|handler| facts.catches_cancel(handler));
        if let Some(handler) = first.filter(|handler| goes_on(facts, handler)) {
            let verdict = match facts.cold_file(cx.profile) {
                Some(reason) => HitVerdict::Excused(format!("It ends with the program: {reason}.")),
                None if facts.sees_enclosure(stmt) => HitVerdict::Violation,
                None => HitVerdict::Look,
            };
            let anchor = Anchor {
                stmt,
                span: handler.span,
            };
            out.hits
                .push(Hit::new(&CHECK, anchor, verdict, word(facts, handler)));
        }
    }
}

/// It awaits in an endless loop of a coroutine, and what it awaits is not a task that it has cancelled itself.
fn is_of_loop(facts: &Facts, stmt: StmtId, body: &[StmtId]) -> bool {
    let scope = facts.stmt(stmt).scope;
    let in_while = facts
        .innermost_loop(stmt)
        .is_some_and(|outer| matches!(facts.stmt(outer).kind, StmtKind::While { .. }));
    let inside = facts.statements_in(body);
    let awaits = inside.iter().any(|&inner| facts.awaits(inner));
    let cancels = |call: Call<'_>| call.method() == Some("cancel");
    facts.is_async(scope) && in_while && awaits && !facts.calls_of(scope).any(cancels)
}

/// Nothing in the handler leaves the loop.
fn goes_on(facts: &Facts, handler: &Handler) -> bool {
    let inside = facts.statements_in(&handler.body);
    let ends = |stmt: &StmtId| {
        let leaves = matches!(
            facts.stmt(*stmt).kind,
            StmtKind::Raise | StmtKind::Return(_) | StmtKind::Break
        );
        let says_end = |call: Call<'_>| matches!(call.name(), "exit" | "_exit" | "stop" | "close");
        leaves || facts.calls_in(*stmt).any(says_end) || stores_flag(facts, *stmt)
    };
    facts.scaffold_at(handler.span.start).is_none() && !inside.iter().any(ends)
}

/// `running = False`, which the loop tests.
fn stores_flag(facts: &Facts, stmt: StmtId) -> bool {
    matches!(facts.stmt(stmt).kind, StmtKind::Assign { value: Some(value), .. }
        if matches!(facts.expr_text(value), "False" | "True"))
}

fn word(facts: &Facts, handler: &Handler) -> Words {
    let line = facts.text(handler.span).trim_end_matches(':').trim();
    Words::new(
        format!("`{line}` also catches the cancellation of the task, and the loop goes on."),
        "Whoever cancels the task waits for an end that does not come: shutdown hangs, and timeouts around it do nothing.",
        "Catch `Exception` here, and let `asyncio.CancelledError` pass: put `except asyncio.CancelledError: raise` first if something has to be done before.",
    )
}
