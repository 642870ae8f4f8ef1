//! Whether a function looks an entry up: it knows a miss, and has an answer then other than an error.

use super::source::entry_path;
use crate::facts::{CacheProof, Call, ExprId, Facts, Part, ScopeId, StmtId, StmtKind};

/// The function knows a miss: it asks whether the entry exists, or catches that it does not, and has an answer
/// then other than an error.
pub(super) fn is_look_up(facts: &Facts, call: &Call<'_>, proof: CacheProof) -> bool {
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let path = entry_path(facts, call).and_then(|path| facts.dotted(path));
    let same = |asked: Option<ExprId>| {
        path.is_some() && asked.and_then(|asked| facts.dotted(asked)) == path
    };
    let refuses =
        |other: &Call<'_>| same(facts.asked_path(other)) && is_refusal(facts, other.stmt());
    if facts.calls_of(function).any(|other| refuses(&other)) {
        return false;
    }
    // Where only the place says that it is a cache, the entry itself has to be asked for.
    let is_known = proof != CacheProof::Place;
    let asks = facts.calls_within(facts.scope(function).span).any(|other| {
        matches!(other.name(), "exists" | "isfile" | "is_file")
            && other.span().start < call.span().start
            && (same(facts.asked_path(&other))
                || gives_none(facts, function)
                || makes_anew(facts, call))
            && !is_refusal(facts, other.stmt())
    });
    asks || (is_known && misses_by_error(facts, call))
}

/// The read stands in the branch of an entry that exists, and what follows, or the other branch, returns a call's
/// result: the entry is made anew there.
fn makes_anew(facts: &Facts, call: &Call<'_>) -> bool {
    let returns_call = |stmt: &StmtId| {
        let entry = facts.stmt(*stmt);
        matches!(entry.kind, StmtKind::Return(Some(value)) if facts.awaited_call(value).is_some())
    };
    facts.ancestors(call.stmt()).any(|around| {
        let StmtKind::If { test, orelse, .. } = &facts.stmt(around.stmt).kind else {
            return false;
        };
        let asks = facts.within(*test).any(|id| {
            let call = facts.call(id);
            call.is_some_and(|call| matches!(call.name(), "exists" | "isfile" | "is_file"))
        });
        let goes_on = orelse.iter().chain(facts.following(around.stmt));
        asks && around.part == Part::Body && goes_on.into_iter().any(returns_call)
    })
}

/// `if not path.exists(): raise`: a miss is an error here anyway.
fn is_refusal(facts: &Facts, stmt: StmtId) -> bool {
    match &facts.stmt(stmt).kind {
        StmtKind::If { body, orelse, .. } => [body, orelse].into_iter().any(|block| {
            let last = block.last().map(|&last| &facts.stmt(last).kind);
            matches!(last, Some(StmtKind::Raise))
        }),
        StmtKind::Assert(_) => true,
        _ => false,
    }
}

/// `except FileNotFoundError: return None` around the read.
fn misses_by_error(facts: &Facts, call: &Call<'_>) -> bool {
    facts.handlers_around(call.stmt()).any(|handler| {
        let missing = handler.types.iter().any(|&class| {
            matches!(
                facts.last_name(class),
                Some("FileNotFoundError" | "OSError" | "IOError")
            )
        });
        missing && !facts.reraises(handler)
    })
}

fn gives_none(facts: &Facts, function: ScopeId) -> bool {
    facts
        .statements_of(function)
        .any(|stmt| match facts.stmt(stmt).kind {
            StmtKind::Return(None) => true,
            StmtKind::Return(Some(value)) => facts.expr_text(value) == "None",
            _ => false,
        })
}
