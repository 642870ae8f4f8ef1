//! An eviction that may remove what the code pins.

use crate::facts::{Call, ExprId, ExprKind, Facts, Part, ScopeId, ScopeKind, Span, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "pinned-not-respected",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "An eviction does not ask whether what it removes is pinned, although the class pins.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let classes = cx
        .facts
        .scope_ids()
        .filter(|&scope| cx.facts.scope(scope).kind == ScopeKind::Class);
    for class in classes.filter(|&class| cx.facts.canonical(class) == class) {
        if !pins(cx, class) {
            continue;
        }
        for method in cx.facts.methods(class) {
            if let Some(removal) = removal(cx.facts, method).filter(|_| !asks_for_pins(cx, method))
            {
                report(cx, method, removal, out);
            }
        }
    }
}

/// The class has something that is named for pinning.
fn pins(cx: &Context<'_>, class: ScopeId) -> bool {
    mentions_pins(cx, cx.facts.scope(class).span)
}

fn asks_for_pins(cx: &Context<'_>, method: ScopeId) -> bool {
    mentions_pins(cx, cx.facts.scope(method).span)
}

fn mentions_pins(cx: &Context<'_>, span: Span) -> bool {
    cx.facts.exprs_within(span).any(|id| {
        let name = cx
            .facts
            .name(id)
            .or_else(|| cx.facts.attribute(id).map(|(_, name)| name));
        name.is_some_and(|name| cx.profile.containers.says_pinned(name))
    })
}

fn evicts(facts: &Facts, method: ScopeId) -> bool {
    let name = facts.scope_name(method).unwrap_or("");
    ["evict", "prune", "trim", "shrink", "free"]
        .iter()
        .any(|word| topic::says(name, word))
}

/// The first call that takes something out: of an eviction by name any, else one that stands under a test of the size.
fn removal(facts: &Facts, method: ScopeId) -> Option<ExprId> {
    let by_name = evicts(facts, method);
    facts
        .calls_within(facts.scope(method).span)
        .find(|call| {
            let removes = matches!(
                call.method(),
                Some("pop" | "popitem" | "popleft" | "remove" | "remove_model" | "clear")
            );
            removes && (by_name || is_under_size_test(facts, call))
        })
        .map(|call| call.id)
}

/// `while len(self._models) >= self._room:` around the call.
fn is_under_size_test(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .ancestors(call.stmt())
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                let measures =
                    |id: ExprId| facts.call(id).is_some_and(|call| call.callee() == "len");
                around.part == Part::Body
                    && matches!(facts.expr(test).kind, ExprKind::Compare { .. })
                    && facts.within(test).any(measures)
            }
            _ => false,
        })
}

fn report(cx: &Context<'_>, method: ScopeId, removal: ExprId, out: &mut Outcome) {
    let anchor = Anchor::expr(cx.facts, removal);
    let name = cx.facts.scope_name(method).unwrap_or("this eviction");
    out.hits
        .push(Hit::new(&CHECK, anchor, HitVerdict::Look, word(name)));
}

fn word(name: &str) -> Words {
    Words::new(
        format!("`{name}` removes entries without asking whether they are pinned."),
        "What was pinned to stay loaded is evicted under load, and the next request pays for loading it again.",
        "Does anything else keep pinned entries out of this eviction? If not, skip them here.",
    )
}
