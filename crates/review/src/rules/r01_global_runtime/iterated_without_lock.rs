//! A dict, set or deque is walked through without the lock under which others change it.

use super::torchscript::alone;
use crate::facts::{
    Container, ExprId, ExprKind, Facts, Held, Kind, Owner, Proof, ScopeId, StmtKind, UseKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "iterated-without-lock",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A shared dict, set or deque is iterated without the lock under which this file changes it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.held().is_empty() {
        return;
    }
    for walked in facts.expr_ids().filter_map(|id| walked_through(facts, id)) {
        let found = container_of(facts, walked)
            .and_then(|container| Some((container, guard(facts, container, walked)?)));
        if let Some((container, held)) = found {
            judge(cx, walked, container, held, out);
        }
    }
}

/// What a loop, a comprehension or `next(iter(...))` goes through step by step. A copy (`list(x)`) is made in one.
pub(super) fn walked_through(facts: &Facts, id: ExprId) -> Option<ExprId> {
    let stmt = facts.expr(id).stmt;
    let by_loop = matches!(facts.stmt(stmt).kind, StmtKind::For { iter, .. } if iter == id);
    let by_clause = facts.expr(id).parent.is_some_and(|parent| {
        matches!(&facts.expr(parent).kind, ExprKind::Comprehension { clauses, .. }
            if clauses.iter().any(|clause| clause.iter == id))
    });
    let by_next = || {
        let made = facts.call(facts.expr(id).parent?)?;
        let taken = facts.call(facts.expr(made.id).parent?)?;
        (made.callee() == "iter" && taken.callee() == "next").then_some(())
    };
    if !by_loop && !by_clause && by_next().is_none() {
        return None;
    }
    let view = facts
        .call(id)
        .filter(|call| matches!(call.method(), Some("items" | "keys" | "values")));
    match view {
        Some(view) => view.receiver(),
        None => Some(id),
    }
}

pub(super) fn container_of(facts: &Facts, id: ExprId) -> Option<&Container> {
    let name = facts.last_name(id)?;
    let class = facts
        .self_attribute(id)
        .and_then(|_| facts.class_of(facts.expr(id).scope));
    let is_it = |container: &&Container| {
        let plain = container.name.rsplit('.').next();
        let owned = match container.owner {
            Owner::Module => facts.name(id).is_some() && facts.reach(id).is_process_wide(),
            Owner::Class(of) | Owner::Instance(of) => class == Some(facts.canonical(of)),
        };
        let breaks = matches!(container.kind, Kind::Dict | Kind::Set | Kind::Deque);
        owned && breaks && plain == Some(name)
    };
    facts.containers().iter().find(is_it)
}

/// The lock under which other functions change the container, where it is not held at the walk.
fn guard<'f>(facts: &'f Facts, container: &Container, walked: ExprId) -> Option<&'f Held> {
    let function = facts.function_of(facts.expr(walked).scope)?;
    if !is_shared_code(facts, function) {
        return None;
    }
    let changes: Vec<Option<&Held>> = container
        .uses
        .iter()
        .filter(|of| {
            matches!(
                of.kind,
                UseKind::Insert(_) | UseKind::Append | UseKind::Shrink
            )
        })
        .filter_map(|of| {
            let other = facts.function_of(facts.stmt(of.stmt).scope)?;
            let is_other = facts.canonical(other) != facts.canonical(function);
            (is_other && is_after_start(facts, other)).then(|| {
                let own = facts.held_at(of.stmt).find(|held| is_thread_lock(held));
                own.or_else(|| lock_of_callers(facts, other, 3))
            })
        })
        .collect();
    let held = changes.iter().flatten().next().copied()?;
    let free = changes.iter().filter(|change| change.is_none()).count();
    let is_guarded = facts.held_around(walked).next().is_some();
    (!is_guarded && free * 2 <= changes.len()).then_some(held)
}

/// The lock that all shown callers of a function hold, or their callers do.
fn lock_of_callers(facts: &Facts, function: ScopeId, depth: u32) -> Option<&Held> {
    let depth = depth.checked_sub(1)?;
    let mut found = None;
    for call in facts.calls_to(function) {
        let own = facts.held_around(call.id).find(|held| is_thread_lock(held));
        let caller = facts.function_of(call.scope())?;
        found = Some(own.or_else(|| lock_of_callers(facts, caller, depth))?);
    }
    found
}

/// Neither a constructor nor something whose callers hold the lock, or that says so.
fn is_shared_code(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or("");
    let says_so = topic::has_word(name, "locked unlocked unsafe nolock");
    !says_so && is_after_start(facts, function) && lock_of_callers(facts, function, 3).is_none()
}

fn is_after_start(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or("");
    let is_special = matches!(name, "__init__" | "__new__" | "__del__" | "__repr__");
    !is_special && !facts.builds(function)
}

fn is_thread_lock(held: &Held) -> bool {
    matches!(
        held.lock.kind,
        Kind::ThreadLock | Kind::ReentrantLock | Kind::Condition
    )
}

fn judge(cx: &Context<'_>, walked: ExprId, container: &Container, held: &Held, out: &mut Outcome) {
    let facts = cx.facts;
    let (stmt, span) = (facts.expr(walked).stmt, facts.expr(walked).span);
    if facts.function_name(stmt).is_none() && !facts.sees_enclosure(stmt) {
        return;
    }
    let sure = held.lock.proof == Proof::Proven && facts.sees_enclosure(stmt);
    let verdict = match alone(cx, stmt) {
        Some(reason) => HitVerdict::Excused(reason),
        None if sure => HitVerdict::Violation,
        None => HitVerdict::Look,
    };
    let words = word(facts, walked, container, held);
    let hit = Hit::new(&CHECK, Anchor { stmt, span }, verdict, words);
    out.hits
        .push(hit.with_related(held.span, "it is changed under this lock"));
}

fn word(facts: &Facts, walked: ExprId, container: &Container, held: &Held) -> Words {
    let what = facts.expr_text(walked);
    let lock = facts.shown(held.lock.expr);
    let noun = match container.kind {
        Kind::Set => "set",
        Kind::Deque => "deque",
        _ => "dict",
    };
    Words::new(
        format!("`{what}` is gone through without `{lock}`, under which others change it."),
        format!(
            "A {noun} that another thread changes meanwhile ends the loop with `RuntimeError` (changed during iteration)."
        ),
        format!("Take a copy under `{lock}` (`list(...)`) and go through that."),
    )
}
