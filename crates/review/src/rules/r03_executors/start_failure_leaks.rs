//! A constructor that starts a thread and may fail afterwards.

use super::{kept, started_early};
use crate::facts::{Call, ExprId, Facts, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "start-failure-leaks",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A thread, process or worker is started before a step of the same constructor or `__enter__` that can raise, or that sets what it reads.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls().filter(|call| starts(cx.facts, call)) {
        if let Some(step) = failing_step(cx.facts, &call) {
            let verdict = kept::unless_cold(cx, HitVerdict::Look);
            let hit = Hit::new(&CHECK, Anchor::call(&call), verdict, word(cx.facts, &call));
            let mut hit = hit.with_related(
                cx.facts.stmt(step).head,
                "can raise with the worker already running",
            );
            hit.causes.push(cx.facts.stmt(step).head);
            out.hits.push(hit);
        }
    }
    started_early::detect(cx, out);
}

/// A start in a constructor or `__enter__`: whoever calls it gets no object to stop.
fn starts(facts: &Facts, call: &Call<'_>) -> bool {
    let place = facts.function_name(call.stmt());
    let begins = match call.method() {
        Some("start" | "start_polling" | "loop_start") => call
            .receiver()
            .is_some_and(|receiver| is_worker(facts, receiver)),
        Some("connect" | "login") => call
            .receiver()
            .is_some_and(|receiver| is_session(facts, receiver)),
        _ => call.is(&["asyncio.create_task", "asyncio.ensure_future"]) && !call.is_dropped(),
    };
    begins && matches!(place, Some("__init__" | "__enter__" | "__aenter__"))
}

/// A thread, process or timer; or something with a thread of its own, by its name.
fn is_worker(facts: &Facts, receiver: ExprId) -> bool {
    let by_kind = matches!(
        facts.kind_of(receiver),
        Some(Kind::Thread | Kind::Process | Kind::Timer | Kind::Client)
    );
    let by_name = facts.last_name(receiver).is_some_and(|name| {
        topic::ends_in_word(
            name,
            "thread worker watchdog scheduler session server consumer listener \
             monitor pipeline",
        )
    });
    by_kind || by_name
}

/// A client that keeps a connection, or one that is named a session.
fn is_session(facts: &Facts, receiver: ExprId) -> bool {
    facts.kind_of(receiver) == Some(Kind::Client)
        || facts
            .last_name(receiver)
            .is_some_and(|name| topic::says(name, "session"))
}

/// A later step that is known to fail at times, with no `try` around.
fn failing_step(facts: &Facts, start: &Call<'_>) -> Option<StmtId> {
    let scope = start.scope();
    let later = facts.statements_of(scope);
    later
        .filter(|&stmt| stmt > start.stmt() && facts.stmt(stmt).scope == scope)
        .filter(|&stmt| {
            facts.protecting_tries(stmt).next().is_none()
                && facts.finally_blocks(stmt).next().is_none()
                && facts.enclosing_handler(stmt).is_none()
        })
        .find(|&stmt| {
            matches!(facts.stmt(stmt).kind, StmtKind::Raise)
                || facts.calls_in(stmt).any(|call| fails_at_times(&call))
        })
}

/// A plain object's constructor (`LoadStats()`) is no step that fails.
fn fails_at_times(call: &Call<'_>) -> bool {
    if call.name().starts_with(char::is_uppercase) {
        return false;
    }
    let connects = matches!(
        call.name(),
        "create_connection" | "create_server" | "create_datagram_endpoint"
    );
    connects
        || topic::begins_with_word(
            call.name(),
            "result connect load open download fetch login bind initialize initialise \
             init handshake authenticate",
        )
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = call
        .receiver()
        .map_or("the worker", |receiver| facts.expr_text(receiver));
    Words::new(
        format!("If a later step here raises, nobody can stop `{what}`."),
        "The caller gets an exception in place of the object, and `__exit__` is not called for a failed `__enter__`.",
        format!(
            "Can a step behind the start fail? If so, stop `{what}` in an `except` that raises again, or start it last."
        ),
    )
}
