//! Handlers that are added to a logger once more with each object or call: loggers live as long as the process.

use super::registered_for_good::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts, Heat, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls_named("addHandler") {
        let shared = call
            .receiver()
            .is_some_and(|logger| is_shared(facts, logger));
        if shared && is_repeated(cx, &call) && !is_asked(facts, &call) {
            let verdict = cx.where_shared(HitVerdict::Look);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word(facts, &call),
            ));
        }
    }
    loggers_by_id(cx, out);
}

/// `logging.getLogger(f"job.{job_id}")`: a logger for each id, which the logging module keeps for good.
fn loggers_by_id(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let named = |call: &Call<'_>| call.is(&["logging.getLogger"]);
    for call in facts.calls().filter(named) {
        let by_id = call.positional(0).is_some_and(|name| names_id(facts, name));
        if by_id && is_repeated(cx, &call) {
            let verdict = cx.where_shared(HitVerdict::Look);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word_of_id()));
        }
    }
}

fn names_id(facts: &Facts, name: ExprId) -> bool {
    let composed = matches!(
        facts.expr(name).kind,
        ExprKind::FString(_) | ExprKind::Binary { .. }
    );
    composed
        && facts.within(name).any(|id| {
            let last = facts.last_name(id).unwrap_or_default();
            topic::ends_in_word(last, "id uuid token")
        })
}

fn word_of_id() -> Words {
    Words::new(
        "A logger is made for each id.",
        "The logging module keeps every logger by its name until the process ends, so there is one more for each id that ever came.",
        "Use one logger, and bring the id in by a `LoggerAdapter` or `extra=`.",
    )
}

/// What `logging.getLogger` gives is the same for all who ask for the name.
fn is_shared(facts: &Facts, logger: ExprId) -> bool {
    let values = facts.values(logger);
    values.into_iter().chain([logger]).any(|value| {
        facts
            .call(value)
            .is_some_and(|call| call.is(&["logging.getLogger"]))
    })
}

/// In a constructor of which there may be many, or where requests pass.
fn is_repeated(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let stmt = call.stmt();
    let in_constructor = facts.function_name(stmt) == Some("__init__")
        && facts
            .class_of(call.scope())
            .is_some_and(|class| !facts.is_servant(class));
    in_constructor || facts.heat(stmt, cx.profile) == Heat::Hot
}

/// The function asks which handlers there are, takes one out again, or has left before.
fn is_asked(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(function) = facts.function_of(call.scope()) else {
        return true;
    };
    let span = facts.scope(function).span;
    let looks = facts.exprs_within(span).any(|id| {
        facts
            .attribute(id)
            .is_some_and(|(_, name)| matches!(name, "handlers" | "hasHandlers"))
    });
    let in_class = facts
        .class_of(function)
        .map_or(span, |class| facts.scope(class).span);
    let removes = facts
        .calls_named("removeHandler")
        .any(|other| in_class.contains(other.span()));
    let leaves = facts
        .statements_of(function)
        .any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::If { body, .. } => stmt < call.stmt() && facts.always_leaves(body),
            _ => false,
        });
    looks || removes || leaves
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let logger = call
        .receiver()
        .map_or_else(|| "the logger".to_string(), |of| facts.shown(of));
    Words::new(
        format!("`{logger}` gets one more handler each time that this runs."),
        "Loggers live as long as the process and keep their handlers: each record is written once for every handler, and their files stay open.",
        "Add it once where logging is set up, ask for `logger.handlers` before, or take it out with `removeHandler` when its owner ends.",
    )
}
