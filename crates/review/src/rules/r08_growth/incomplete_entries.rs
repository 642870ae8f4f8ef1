//! Parts that are collected by id until all are there: what never becomes complete stays.

use super::unbounded_cache::CHECK;
use crate::facts::{Container, ExprId, ExprKind, Facts, Kind, Part, StmtKind, Use, UseKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told = Vec::new();
    for container in facts
        .containers()
        .iter()
        .filter(|one| one.kind == Kind::Dict)
    {
        let Some((insertion, shrink)) = collected(facts, container) else {
            continue;
        };
        let scope = facts.stmt(insertion.stmt).scope;
        if !told.contains(&scope) && facts.cold_file(cx.profile).is_none() {
            told.push(scope);
            report(facts, container, insertion, shrink, out);
        }
    }
}

/// An entry by id, and the only removal of entries, under a test that asks whether this one has all its parts.
fn collected<'c>(facts: &Facts, container: &'c Container) -> Option<(&'c Use, &'c Use)> {
    let insertion = container.uses.iter().find(|of| puts_by_id(facts, of))?;
    let scope = facts.stmt(insertion.stmt).scope;
    let mut removals = container
        .uses
        .iter()
        .filter(|of| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size))
        .peekable();
    let first = *removals.peek()?;
    let is_end = |of: &Use| {
        of.kind == UseKind::Shrink
            && facts.stmt(of.stmt).scope == scope
            && asks_for_all(facts, of, container)
    };
    removals.all(is_end).then_some((insertion, first))
}

fn puts_by_id(facts: &Facts, of: &Use) -> bool {
    let UseKind::Insert(key) = of.kind else {
        return false;
    };
    let last = topic::words(facts.last_name(key).unwrap_or("")).last();
    let is_id = matches!(
        last.as_deref(),
        Some("id" | "uuid" | "uid" | "seq" | "sequence")
    );
    is_id && facts.parameter(key).is_some()
}

/// `if len(self._parts[id]) >= total:` around the removal.
fn asks_for_all(facts: &Facts, of: &Use, container: &Container) -> bool {
    facts.ancestors(of.stmt).any(|around| {
        let StmtKind::If { test, .. } = facts.stmt(around.stmt).kind else {
            return false;
        };
        let ExprKind::Compare { operands, .. } = &facts.expr(test).kind else {
            return false;
        };
        let [counted, whole] = &operands[..] else {
            return false;
        };
        around.part == Part::Body
            && counts_parts(facts, *counted, container)
            && !is_limit(facts, *whole)
    })
}

/// `len(self._parts[id])`.
fn counts_parts(facts: &Facts, counted: ExprId, container: &Container) -> bool {
    let call = facts.call(counted).filter(|call| call.callee() == "len");
    let parts = call.and_then(|call| call.positional(0));
    parts.is_some_and(|parts| {
        let values = facts.values(parts).into_iter().chain([parts]);
        let is_entry = |id: ExprId| match facts.expr(id).kind {
            ExprKind::Subscript { object, .. } => {
                facts.dotted(object).as_deref() == Some(container.name.as_str())
            }
            _ => false,
        };
        values.into_iter().any(is_entry)
    })
}

fn is_limit(facts: &Facts, id: ExprId) -> bool {
    let name = facts.last_name(id).unwrap_or("");
    let says = ["max", "limit", "maximum", "capacity"];
    says.iter().any(|word| topic::says(name, word))
        || matches!(facts.expr(id).kind, ExprKind::Number)
}

fn report(facts: &Facts, container: &Container, insertion: &Use, shrink: &Use, out: &mut Outcome) {
    let verdict = HitVerdict::sure_if(facts.sees_all_uses(container));
    let name = &container.name;
    let words = Words::new(
        format!("`{name}` gives an entry up only when all of its parts have come."),
        "One lost part, a sender that goes away, or a made-up id leaves its entry for as long as the owner lives.",
        format!(
            "Drop what is too old or too many: an expiry per entry of `{name}`, or a limit that evicts the oldest."
        ),
    );
    let anchor = Anchor::stmt(facts, container.stmt);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
        .with_related(insertion.span, "an entry goes in here")
        .with_related(shrink.span, "the only way out");
    hit.causes
        .extend([facts.stmt(insertion.stmt).head, shrink.span]);
    out.hits.push(hit);
}
