//! Objects that note themselves, or what they hold, in a list of the module or class when they are made.

use super::ending::ends_owner;
use super::handlers_added;
use crate::facts::{
    Container, ExprId, ExprKind, Facts, Kind, Owner, ScopeId, StmtKind, Use, UseKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "registered-for-good",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "A constructor puts the object, or a connection of it, into a container of the module or class that nothing but an explicit close empties.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let shared = |one: &&Container| {
        matches!(one.owner, Owner::Module | Owner::Class(_))
            && matches!(one.kind, Kind::Dict | Kind::List | Kind::Set)
    };
    for container in facts.containers().iter().filter(shared) {
        if let Some((note, class)) = noted(facts, container)
            && is_never_dropped(facts, container, class)
        {
            report(cx, container, note, class, out);
        }
    }
    handlers_added::detect(cx, out);
}

/// The use in a constructor that puts in `self`, or something that has to be closed.
fn noted<'c>(facts: &Facts, container: &'c Container) -> Option<(&'c Use, ScopeId)> {
    container.uses.iter().find_map(|of| {
        let makes = matches!(
            facts.function_name(of.stmt),
            Some("__init__" | "__new__" | "__post_init__")
        );
        let class = facts
            .class_of(facts.stmt(of.stmt).scope)
            .filter(|_| makes)?;
        let value = put_in(facts, of)?;
        (facts.name(value) == Some("self") || is_opened(facts, value)).then_some((of, class))
    })
}

fn put_in(facts: &Facts, of: &Use) -> Option<ExprId> {
    match of.kind {
        UseKind::Append => {
            let mut calls = facts.calls_within(of.span);
            let adds = calls.find(|call| matches!(call.method(), Some("add" | "append")))?;
            adds.positional(0)
        }
        UseKind::Insert(_) => match facts.stmt(of.stmt).kind {
            StmtKind::Assign { value, .. } => value,
            _ => None,
        },
        _ => None,
    }
}

/// A field that holds a connection, a file, a process.
fn is_opened(facts: &Facts, value: ExprId) -> bool {
    let is_field = facts.self_attribute(value).is_some();
    let opens = |value: ExprId| {
        facts.call(value).is_some_and(|call| {
            facts
                .resource_made(&call)
                .is_some_and(|resource| !resource.is_memory_like())
        })
    };
    is_field && facts.values(value).into_iter().any(opens)
}

/// Nothing takes them out; or only a close does, although the class means its objects to be dropped: it keeps them weakly
/// elsewhere, or closes them in `__del__`, which never runs for what a list still holds.
fn is_never_dropped(facts: &Facts, container: &Container, class: ScopeId) -> bool {
    let mut removals = container
        .uses
        .iter()
        .filter(|of| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size))
        .peekable();
    let meant_to_go = || is_kept_weakly(facts, class) || facts.method(class, "__del__").is_some();
    match removals.peek() {
        None => facts.sees_all_uses(container) && !facts.is_servant(class),
        Some(_) => meant_to_go() && removals.all(|of| ends_owner(facts, of.stmt)),
    }
}

/// The class, or one that it names as its base or metaclass, deals with a weak container.
fn is_kept_weakly(facts: &Facts, class: ScopeId) -> bool {
    let named = facts.scope(class).stmt.map(|stmt| &facts.stmt(stmt).kind);
    let bases = match named {
        Some(StmtKind::Class { bases, .. }) => bases.as_slice(),
        _ => &[],
    };
    let bases = bases.iter().filter_map(|base| facts.definition(base.value));
    let mut classes = std::iter::once(class).chain(bases);
    classes.any(|class| {
        let span = facts.scope(class).span;
        facts.exprs_within(span).any(|id| is_weak(facts, id))
    })
}

fn is_weak(facts: &Facts, id: ExprId) -> bool {
    let makes = |value: ExprId| {
        let last = facts.call(value).map(|call| call.name());
        matches!(
            last,
            Some("WeakValueDictionary" | "WeakSet" | "WeakKeyDictionary")
        )
    };
    let plain = matches!(
        facts.expr(id).kind,
        ExprKind::Name | ExprKind::Attribute { .. } | ExprKind::Call { .. }
    );
    plain && facts.values(id).into_iter().any(makes)
}

fn report(cx: &Context<'_>, container: &Container, note: &Use, class: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = cx.where_shared(HitVerdict::Look);
    let anchor = Anchor::stmt(facts, note.stmt);
    let made = facts.stmt(container.stmt).head;
    let name = facts.scope_name(class).unwrap_or("the class");
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(&container.name, name));
    hit.causes.push(made);
    out.hits.push(hit.with_related(made, "kept here"));
}

fn word(container: &str, class: &str) -> Words {
    Words::new(
        format!("Each `{class}` that is made puts itself, or what it holds, into `{container}`."),
        "The container holds it strongly: an object that is merely dropped is never collected, its `__del__` or finalizer does not run, and what it opened stays open until the process ends.",
        format!(
            "Is each of them closed for certain? If not, keep weak references in `{container}` (`weakref.WeakSet`), or take it out with `weakref.finalize`."
        ),
    )
}
