//! Containment tests of a path as it was joined: `..` is still in it.

use super::prefix::{is_guard, is_resolved, may_escape};
use crate::facts::{Call, ExprId, ExprKind, Facts, StmtKind};
use crate::rules::{Context, Words};

/// The path of a containment test that was joined and never resolved: `(root / name).is_relative_to(root)` holds for
/// each relative name.
pub(super) fn unresolved(cx: &Context<'_>, call: &Call<'_>) -> Option<ExprId> {
    let facts = cx.facts;
    let path = tested_path(facts, call)?;
    let values = facts.values(path);
    let is_joined = |&value: &ExprId| {
        facts.pieces(value).is_some()
            && joins_folders(facts, value)
            && !mentions_resolved(facts, value)
    };
    let joined = !values.is_empty() && values.iter().all(is_joined);
    let refuses = match call.method() {
        Some("relative_to") => is_alone(facts, call),
        _ => is_guard(facts, call),
    };
    (joined && refuses && !is_resolved(facts, path) && may_escape(cx, path)).then_some(path)
}

/// The path that a call tests by its text alone.
fn tested_path(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    match call.method() {
        Some("is_relative_to" | "relative_to") => return call.receiver(),
        _ if !call.is(&["os.path.commonpath"]) => return None,
        _ => {}
    }
    let (ExprKind::List(items) | ExprKind::Tuple(items)) = &facts.expr(call.positional(0)?).kind
    else {
        return None;
    };
    let mut joined = items.iter().copied().filter(|&item| {
        let values = facts.values(item);
        values.into_iter().any(|value| joins_folders(facts, value))
    });
    joined.next()
}

/// `root / name`, `root.joinpath(name)`, `os.path.join(root, name)`.
fn joins_folders(facts: &Facts, value: ExprId) -> bool {
    match &facts.expr(value).kind {
        ExprKind::Binary { operator, .. } => facts.text(*operator) == "/",
        _ => facts
            .call(value)
            .is_some_and(|call| call.is(&["os.path.join"]) || call.method() == Some("joinpath")),
    }
}

/// A part of the composition, not its root, is a path that was resolved: then it may be absolute, and the join keeps it.
fn mentions_resolved(facts: &Facts, value: ExprId) -> bool {
    let calls = facts.within(value).filter_map(|id| facts.call(id));
    let mut methods = calls.filter_map(|call| call.method());
    methods.any(|method| matches!(method, "resolve" | "relative_to"))
}

/// `path.relative_to(root)` as a statement of its own: it is there to raise for what lies elsewhere.
fn is_alone(facts: &Facts, call: &Call<'_>) -> bool {
    matches!(facts.stmt(call.stmt()).kind, StmtKind::Expr(value) if value == call.id)
}

pub(super) fn word(facts: &Facts, call: &Call<'_>, path: ExprId) -> Words {
    let path = facts.shown(path);
    Words::new(
        format!(
            "`{}` compares the text of `{path}`, which was joined and not resolved.",
            facts.shown(call.function)
        ),
        "A name with `..` in it still begins with the root as text, so that it passes the test and leaves the folder all the same; so does a symlink.",
        format!(
            "Resolve first: test `{path}` after `resolve()` or `os.path.realpath`, against the resolved root, and use what was tested."
        ),
    )
}
