//! A container is read under its lock and used without: whoever gets it sees it change.

use crate::facts::{Container, ExprId, ExprKind, Facts, Held, Span, StmtId, StmtKind, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "guarded-state-escapes",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A container that is changed under a lock is read under it and returned or used after its release, without a copy.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.held().is_empty() {
        return;
    }
    let containers = facts.containers();
    for held in facts.held().iter().filter(|held| !held.lock.is_async()) {
        for &stmt in &held.body {
            if let Some((escape, name)) = escape(facts, containers, held, stmt) {
                judge(cx, held, stmt, &escape, &name, out);
            }
        }
    }
}

/// How the container leaves the region.
enum Escape {
    Returned(ExprId),
    /// Kept under a local name that is used behind the region.
    Kept(ExprId, Span),
}

fn escape(
    facts: &Facts,
    containers: &[Container],
    held: &Held,
    stmt: StmtId,
) -> Option<(Escape, String)> {
    let (value, kept) = match &facts.stmt(stmt).kind {
        StmtKind::Return(Some(value)) => (*value, None),
        StmtKind::Assign {
            targets,
            value: Some(value),
            augmented: false,
            ..
        } => (*value, Some(*targets.first()?)),
        _ => return None,
    };
    let itself = viewed(facts, value);
    let name = guarded(facts, containers, held, itself)
        .or_else(|| unseen_container(facts, itself, itself != value))?;
    match kept {
        None => Some((Escape::Returned(value), name)),
        Some(target) => {
            let used = used_behind(facts, held, target)?;
            let replaced = is_replaced(facts, held, itself);
            (!replaced).then_some((Escape::Kept(value, used), name))
        }
    }
}

/// `self._items` of `self._items.values()`: a view changes with its container.
fn viewed(facts: &Facts, value: ExprId) -> ExprId {
    match facts.call(value) {
        Some(call) if matches!(call.method(), Some("values" | "keys" | "items")) => {
            call.receiver().unwrap_or(value)
        }
        _ => value,
    }
}

/// The name of the container that the expression is, if this lock guards changes of it.
fn guarded(facts: &Facts, containers: &[Container], held: &Held, value: ExprId) -> Option<String> {
    if !matches!(
        facts.expr(value).kind,
        ExprKind::Name | ExprKind::Attribute { .. }
    ) {
        return None;
    }
    let span = facts.expr(value).span;
    let known = containers.iter().find(|container| {
        container
            .uses
            .iter()
            .any(|of| of.span.contains(span) && of.span.start == span.start)
    });
    let Some(container) = known else {
        return guarded_by_use(facts, held, value);
    };
    let changes = container.uses.iter().any(|of| {
        matches!(
            of.kind,
            UseKind::Insert(_) | UseKind::Append | UseKind::Inner(_) | UseKind::Shrink
        ) && facts
            .held_at(of.stmt)
            .any(|around| around.lock.is_same(&held.lock))
    });
    changes.then(|| container.name.clone())
}

/// A field whose making is not shown, and that code under the same lock changes as one changes a container.
fn guarded_by_use(facts: &Facts, held: &Held, value: ExprId) -> Option<String> {
    let field = facts.self_attribute(value)?;
    let name = facts.dotted(value)?;
    let is_hidden = facts.bindings_behind(value).is_empty() && !facts.document.whole;
    let changes = |id: ExprId| {
        let stmt = facts.expr(id).stmt;
        let locked = || {
            facts
                .held_at(stmt)
                .any(|around| around.lock.is_same(&held.lock))
        };
        facts.dotted(id).as_deref() == Some(name.as_str()) && is_changed(facts, id) && locked()
    };
    (is_hidden && facts.exprs_named(field).any(changes)).then_some(name)
}

/// A field whose making is not shown, and which is a container by the view that is taken of it, or by its plural.
fn unseen_container(facts: &Facts, value: ExprId, is_view: bool) -> Option<String> {
    let field = facts.self_attribute(value)?;
    let last = topic::words(field).last().unwrap_or_default();
    let is_plural = PLURALS.contains(&&*last);
    let is_unseen = facts.is_unseen_attribute(value);
    (is_unseen && (is_view || is_plural))
        .then(|| facts.dotted(value))
        .flatten()
}

/// Last words of names of what holds many things.
const PLURALS: &[&str] = &[
    "rows",
    "entries",
    "items",
    "jobs",
    "tasks",
    "clients",
    "sessions",
    "connections",
    "models",
    "workers",
    "devices",
    "cameras",
    "streams",
    "records",
    "events",
    "messages",
    "subscribers",
    "listeners",
    "handlers",
    "buffers",
    "frames",
    "tracks",
    "users",
    "states",
    "queues",
    "tables",
];

/// `self._rows[key] = row`, `del self._rows[key]`, `self._rows.append(row)`.
fn is_changed(facts: &Facts, id: ExprId) -> bool {
    let Some(parent) = facts.expr(id).parent else {
        return false;
    };
    let by_key = match &facts.stmt(facts.expr(id).stmt).kind {
        StmtKind::Assign { targets, .. } => targets.contains(&parent),
        StmtKind::Delete(targets) => targets.contains(&parent),
        _ => false,
    };
    let by_method = facts.attribute(parent).is_some_and(|(_, method)| {
        matches!(
            method,
            "append" | "add" | "pop" | "popitem" | "setdefault" | "clear" | "extend" | "discard"
        )
    });
    (by_key && matches!(facts.expr(parent).kind, ExprKind::Subscript { .. })) || by_method
}

/// The first use of a local name behind the region, in the same function.
fn used_behind(facts: &Facts, held: &Held, target: ExprId) -> Option<Span> {
    let name = facts.name(target)?;
    let scope = facts.expr(target).scope;
    let end = facts.stmt(*held.body.last()?).span.end;
    facts
        .exprs_named(name)
        .filter(|&id| facts.expr(id).scope == scope && facts.expr(id).span.start >= end)
        .find(|&id| facts.name(id).is_some())
        .map(|id| facts.expr(id).span)
}

/// `batch = self._pending; self._pending = []` under the lock hands the old one over whole.
fn is_replaced(facts: &Facts, held: &Held, value: ExprId) -> bool {
    let text = facts.dotted(value);
    held.body.iter().any(|&stmt| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(|&target| {
            facts.dotted(target) == text || tuple_holds(facts, target, text.as_deref())
        }),
        _ => false,
    })
}

fn tuple_holds(facts: &Facts, target: ExprId, text: Option<&str>) -> bool {
    match &facts.expr(target).kind {
        ExprKind::Tuple(items) => items
            .iter()
            .any(|&item| facts.dotted(item).as_deref() == text),
        _ => false,
    }
}

fn judge(
    cx: &Context<'_>,
    held: &Held,
    stmt: StmtId,
    escape: &Escape,
    name: &str,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let verdict = match facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody changes it meanwhile: {reason}.")),
        None => HitVerdict::Look,
    };
    let (value, used) = match escape {
        Escape::Returned(value) => (*value, None),
        Escape::Kept(value, used) => (*value, Some(*used)),
    };
    let anchor = Anchor {
        stmt,
        span: facts.expr(value).span,
    };
    let words = word(facts, held, name, used.is_some());
    let mut hit =
        Hit::new(&CHECK, anchor, verdict, words).with_related(held.span, "the lock is taken here");
    if let Some(used) = used {
        hit = hit.with_related(used, "used here without it");
        hit.causes.push(used);
    }
    out.hits.push(hit);
}

fn word(facts: &Facts, held: &Held, name: &str, kept: bool) -> Words {
    let lock = facts.shown(held.lock.expr);
    let how = if kept { "used after" } else { "returned from" };
    Words::new(
        format!("`{name}` itself, not a copy, is {how} the block that holds `{lock}`."),
        "Other threads go on changing it under the lock while the receiver reads it without: iterations fail, and counts disagree.",
        "Does anybody iterate or change what gets out here? Hand out a copy that is made under the lock.",
    )
}
