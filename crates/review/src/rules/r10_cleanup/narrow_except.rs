//! Best-effort work that catches OSError only although its parsing raises ValueError.

use crate::facts::{Call, Facts, Handler, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "narrow-except",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "Best-effort work catches OSError only, but its parsing can raise ValueError.",
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
                &["ValueError", "JSONDecodeError", "UnicodeDecodeError"],
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
                Some("OSError" | "IOError" | "FileNotFoundError" | "PermissionError")
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
        .find(|call| call.is(&["json.load", "json.loads"]))
        .map(|call| call.span())
}

fn word() -> Words {
    Words::new(
        "Only errors of the file system are caught around a parse.",
        "A file that is there but damaged raises ValueError, which passes this handler and fails the caller.",
        "Should a damaged file count like a missing one? Then catch ValueError as well.",
    )
}
