//! Threads that a constructor starts before it has set the fields that the thread reads.

use super::kept;
use super::start_failure_leaks::CHECK;
use crate::facts::{Call, ExprId, Facts, Kind, ScopeId, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts
        .calls()
        .filter(|call| starts_in_constructor(facts, call))
    {
        if let Some(late) = late(facts, &call) {
            report(cx, &call, &late, out);
        }
    }
}

fn starts_in_constructor(facts: &Facts, call: &Call<'_>) -> bool {
    let in_constructor = facts.function_name(call.stmt()) == Some("__init__");
    let is_thread = |of: ExprId| matches!(facts.kind_of(of), Some(Kind::Thread | Kind::Timer));
    call.method() == Some("start") && in_constructor && call.receiver().is_some_and(is_thread)
}

/// A field that the thread reads and that is set for the first time behind the start.
struct Late<'f> {
    field: &'f str,
    set: StmtId,
    read: Span,
}

fn late<'f>(facts: &'f Facts, start: &Call<'f>) -> Option<Late<'f>> {
    let target = target(facts, start)?;
    let class = facts.class_of(start.scope())?;
    let sets = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .find_map(|&target| facts.self_attribute(target)),
        _ => None,
    };
    let of_constructor: Vec<(StmtId, &str)> = facts
        .statements_of(start.scope())
        .filter_map(|stmt| Some((stmt, sets(stmt)?)))
        .collect();
    let is_new = |name: &str| {
        let before = of_constructor
            .iter()
            .any(|(stmt, field)| *stmt < start.stmt() && *field == name);
        !before && !has_default(facts, class, name)
    };
    let mut behind = of_constructor
        .iter()
        .filter(|(stmt, _)| *stmt > start.stmt());
    behind.find_map(|&(set, field)| {
        let read = read_in(facts, target, field).filter(|_| is_new(field))?;
        Some(Late { field, set, read })
    })
}

/// The function of this class that the thread runs.
fn target(facts: &Facts, start: &Call<'_>) -> Option<ScopeId> {
    let made = facts
        .values(start.receiver()?)
        .into_iter()
        .find_map(|value| facts.call(value))?;
    let target = facts.thread_target(&made)?;
    (facts.class_of(target) == facts.class_of(start.scope())).then_some(target)
}

/// The class sets it for all its objects, or a base may.
fn has_default(facts: &Facts, class: ScopeId, name: &str) -> bool {
    facts.method(class, name).is_some()
        || facts.bindings_of(class, name).iter().any(|binding| {
            let scope = facts.stmt(binding.stmt).scope;
            facts.function_of(scope).is_none()
        })
}

fn read_in(facts: &Facts, target: ScopeId, field: &str) -> Option<Span> {
    let span = facts.scope(target).span;
    let mut named = facts.exprs_named(field);
    let read = named.find(|&id| {
        span.contains(facts.expr(id).span) && facts.self_attribute(id) == Some(field)
    })?;
    Some(facts.expr(read).span)
}

fn has_bases(facts: &Facts, start: &Call<'_>) -> bool {
    let class = facts.class_of(start.scope());
    class.is_some_and(|class| {
        let mut bases = facts.base_names(class);
        bases.any(|base| !matches!(base, "object" | "ABC" | "Thread" | "Protocol" | "Generic"))
    })
}

fn report(cx: &Context<'_>, start: &Call<'_>, late: &Late<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    // A base that is not shown may set it first.
    let verdict = HitVerdict::sure_if(!has_bases(facts, start));
    let verdict = kept::unless_cold(cx, verdict);
    let set = facts.stmt(late.set).head;
    let mut hit = Hit::new(&CHECK, Anchor::call(start), verdict, word(late.field))
        .with_related(set, "set only here")
        .with_related(late.read, "the thread reads it");
    hit.causes.extend([set, late.read]);
    out.hits.push(hit);
}

fn word(field: &str) -> Words {
    Words::new(
        format!("The thread starts before the constructor has set `self.{field}`, which it reads."),
        "Whether the field is there when the thread comes to it is a matter of luck: now and then it dies of an AttributeError, and nobody hears of it.",
        "Start the thread as the last step, or in a `start` method of its own.",
    )
}
