//! Clean-up uses a name that the failed `try` may never have bound.

use crate::facts::{
    Binding, BindingKind, Call, ExprId, Facts, Part, ScopeKind, StmtId, ends_object,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbound-in-cleanup",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A `finally` closes something that only its `try` makes: if the making fails, the clean-up raises UnboundLocalError.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(name) = call.receiver().filter(|_| ends(&call)) else {
            continue;
        };
        let made = cleaned_try(facts, &call).and_then(|outer| made_in_try(facts, name, outer));
        let Some(made) = made.filter(|_| !is_caught(facts, &call)) else {
            continue;
        };
        let verdict = match facts.cold_file(cx.profile) {
            Some(reason) => {
                HitVerdict::Excused(format!("Only the error's text is lost: {reason}."))
            }
            None if facts.sees_all_of(call.stmt()) => HitVerdict::Violation,
            None => HitVerdict::Look,
        };
        let span = facts.stmt(made).head;
        let mut hit = Hit::new(
            &CHECK,
            Anchor::call(&call),
            verdict,
            word(facts, name, made),
        )
        .with_related(span, "bound only if this succeeds");
        hit.causes.push(span);
        out.hits.push(hit);
    }
}

/// Gives back what an object holds.
fn ends(call: &Call<'_>) -> bool {
    let name = call.name();
    ends_object(name) || matches!(name, "kill" | "unlink" | "join" | "cancel" | "quit")
}

/// The `try` whose `finally` the call stands in, with no test in between.
fn cleaned_try(facts: &Facts, call: &Call<'_>) -> Option<StmtId> {
    let around = facts.ancestors(call.stmt()).next()?;
    (around.part == Part::Finally).then_some(around.stmt)
}

/// The statement of the `try` that binds a local name first, where a call in it or before it can fail.
fn made_in_try(facts: &Facts, name: ExprId, outer: StmtId) -> Option<StmtId> {
    facts.name(name)?;
    let scope = facts.expr(name).scope;
    let is_local = facts.scope(scope).kind == ScopeKind::Function;
    let bound = facts.bindings_of(scope, facts.expr_text(name));
    let in_try = |binding: &Binding| {
        let body = facts
            .ancestors(binding.stmt)
            .any(|around| around.stmt == outer && matches!(around.part, Part::Body));
        body && matches!(binding.kind, BindingKind::Value { .. })
    };
    let all_inside = !bound.is_empty() && bound.iter().all(in_try);
    let first = bound.first().filter(|_| is_local && all_inside)?.stmt;
    let can_fail = |stmt: StmtId| facts.calls_in(stmt).next().is_some() || facts.awaits(stmt);
    let before = facts
        .statements_of(scope)
        .filter(|&stmt| stmt > outer && stmt <= first);
    let is_whole = facts.sees_enclosure(first) && !facts.stmt(outer).scaffold;
    (is_whole && before.into_iter().any(can_fail)).then_some(first)
}

/// A `try` of its own that catches it.
fn is_caught(facts: &Facts, call: &Call<'_>) -> bool {
    facts.is_caught(call.stmt(), &["UnboundLocalError", "NameError"])
}

fn word(facts: &Facts, name: ExprId, made: StmtId) -> Words {
    let name = facts.expr_text(name);
    let maker = facts
        .calls_in(made)
        .next()
        .map_or("its making", |call| call.name());
    Words::new(
        format!("`{name}` is bound inside the `try` alone, and its clean-up uses it in any case."),
        format!(
            "If `{maker}` or something before it fails, the `finally` raises `UnboundLocalError`: that takes the place of the error that tells what went wrong, and what stands behind it in the `finally` is skipped."
        ),
        format!(
            "Make `{name}` before the `try`; or set it to `None` there and test it in the clean-up."
        ),
    )
}
