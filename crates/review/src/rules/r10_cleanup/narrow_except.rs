//! Best-effort work that catches OSError only although its parsing raises ValueError.

use super::parsers::PARSERS;
use crate::facts::{Call, Facts, Handler, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "narrow-except",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "Best-effort work catches errors of the file system or network only, but its parsing can raise others.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for stmt in cx.facts.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = &cx.facts.stmt(stmt).kind else {
            continue;
        };
        let Some(handler) = handlers
            .iter()
            .find(|handler| is_best_effort(cx.facts, handler))
        else {
            continue;
        };
        let covered = handlers.iter().any(|other| {
            cx.facts.catches(
                other,
                &[
                    "ValueError",
                    "JSONDecodeError",
                    "UnicodeDecodeError",
                    "UnpicklingError",
                    "PickleError",
                    "EOFError",
                    "YAMLError",
                ],
            )
        });
        if let Some(parse) =
            parses(cx.facts, body).filter(|_| !covered && cx.facts.idle_file(cx.profile).is_none())
        {
            let anchor = Anchor {
                stmt,
                span: handler.span,
            };
            let hit = Hit::new(&CHECK, anchor, HitVerdict::Look, word());
            out.hits
                .push(hit.with_related(parse, "this can raise ValueError"));
        }
    }
}

/// Catches OSError and its kin only, and goes on with a fallback.
fn is_best_effort(facts: &Facts, handler: &Handler) -> bool {
    let narrow = !handler.types.is_empty()
        && handler.types.iter().all(|&class| {
            matches!(
                facts.last_name(class),
                Some(
                    "OSError"
                        | "IOError"
                        | "EnvironmentError"
                        | "FileNotFoundError"
                        | "PermissionError"
                        | "ConnectionError"
                        | "TimeoutError"
                        | "URLError"
                        | "HTTPError"
                )
            )
        });
    narrow && !facts.reraises(handler)
}

fn parses(facts: &Facts, body: &[StmtId]) -> Option<Span> {
    let calls = facts
        .statements_in(body)
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt).collect::<Vec<Call<'_>>>());
    calls
        .into_iter()
        .find(|call| call.is(PARSERS) || reads_number(facts, call))
        .map(|call| call.span())
}

/// `int(file.read())`.
fn reads_number(facts: &Facts, call: &Call<'_>) -> bool {
    let reads = |id| {
        facts
            .call(id)
            .is_some_and(|inner| matches!(inner.method(), Some("read" | "readline" | "read_text")))
    };
    matches!(call.callee(), "int" | "float") && facts.within(call.id).any(reads)
}

fn word() -> Words {
    Words::new(
        "Only errors of the file system or the network are caught around a parse.",
        "What is there but damaged raises another class (`ValueError` for JSON and numbers, `UnpicklingError` or `EOFError` for pickles), which passes this handler and fails the caller.",
        "Should damaged data count like missing data? Then catch what the parser raises as well.",
    )
}
