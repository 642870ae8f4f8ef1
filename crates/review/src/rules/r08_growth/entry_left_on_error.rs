//! An entry for work under way that goes only if the work does not fail.

use super::ending::ends_owner;
use super::removal::{put_key, removed_key};
use crate::facts::{Container, Facts, Kind, StmtId, StmtKind, Use, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "entry-left-on-error",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "A function puts an entry into a long-lived container and takes it out again only when nothing raises in between.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let unseen = facts.unseen_containers();
    let containers = facts.containers().iter().chain(&unseen);
    let holds = |one: &&Container| matches!(one.kind, Kind::Dict | Kind::Set | Kind::List);
    for container in containers.filter(holds) {
        for insertion in container.uses.iter() {
            if let Some(found) = left(facts, container, insertion) {
                report(cx, container, &found, out);
            }
        }
    }
}

/// An insertion, the removal of the same key, and the step between that can miss it.
struct Left {
    insertion: Use,
    step: StmtId,
    removal: Use,
}

fn left(facts: &Facts, container: &Container, insertion: &Use) -> Option<Left> {
    let key = facts.expr_text(put_key(facts, insertion)?);
    let scope = facts.stmt(insertion.stmt).scope;
    let function = facts.function_of(scope)?;
    // Who takes entries out elsewhere may take these.
    let elsewhere = |of: &Use| {
        let other = facts.stmt(of.stmt).scope != scope;
        let shrinks = matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size);
        other && shrinks && !ends_owner(facts, of.stmt)
    };
    if container.uses.iter().any(elsewhere) || facts.scope_name(function) == Some("__init__") {
        return None;
    }
    let removals: Vec<&Use> = container
        .uses
        .iter()
        .filter(|of| of.kind == UseKind::Shrink && facts.stmt(of.stmt).scope == scope)
        .collect();
    let removal = removals.iter().find(|of| {
        of.stmt > insertion.stmt
            && facts.always_before(insertion.stmt, of.stmt)
            && removed_key(facts, of).is_some_and(|removed| facts.expr_text(removed) == key)
    })?;
    let step = facts
        .statements_of(scope)
        .filter(|&stmt| stmt > insertion.stmt && stmt < removal.stmt)
        .filter(|&stmt| facts.always_before(insertion.stmt, stmt))
        .find(|&stmt| facts.can_fail(stmt) && !is_covered(facts, stmt, &removals))?;
    Some(Left {
        insertion: *insertion,
        step,
        removal: **removal,
    })
}

/// A `finally` or a handler around the step takes the entry out, or the step's own handler lets nothing through.
fn is_covered(facts: &Facts, stmt: StmtId, removals: &[&Use]) -> bool {
    let removes = |outer: StmtId| {
        let span = facts.stmt(outer).span;
        removals
            .iter()
            .any(|of| span.contains(facts.stmt(of.stmt).span) && of.stmt > stmt)
    };
    let tries = facts
        .ancestors(stmt)
        .filter(|around| facts.is_try(around.stmt));
    let mut outer = tries.map(|around| around.stmt);
    let is_removal = removals.iter().any(|of| of.stmt == stmt);
    is_removal || outer.any(|outer| removes(outer) || swallows(facts, outer))
}

fn swallows(facts: &Facts, outer: StmtId) -> bool {
    facts
        .handlers(outer)
        .iter()
        .any(|handler| facts.catches_all(handler) && !facts.always_leaves(&handler.body))
}

fn report(cx: &Context<'_>, container: &Container, left: &Left, out: &mut Outcome) {
    let facts = cx.facts;
    // A wait that has a limit is one that is expected to fail at times.
    let is_sure = facts.sees_all_uses(container) && times_out(facts, left.step);
    let verdict = match is_sure {
        true => HitVerdict::Violation,
        false => HitVerdict::Look,
    };
    let verdict = cx.where_shared(verdict);
    let anchor = Anchor::stmt(facts, left.insertion.stmt);
    let (step, removal) = (
        facts.stmt(left.step).head,
        facts.stmt(left.removal.stmt).head,
    );
    let waits =
        facts.awaits(left.step) || matches!(facts.stmt(left.step).kind, StmtKind::With { .. });
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(&container.name, waits))
        .with_related(step, "if this raises, the entry stays")
        .with_related(removal, "it is taken out only here");
    hit.causes.extend([step, removal]);
    out.hits.push(hit);
}

fn times_out(facts: &Facts, step: StmtId) -> bool {
    facts.calls_in(step).any(|call| {
        matches!(call.name(), "wait_for" | "timeout" | "fail_after")
            || call.keyword("timeout").is_some()
    })
}

fn word(name: &str, waits: bool) -> Words {
    let why = match waits {
        true => {
            "An error, or a client that goes away and so cancels the wait, leaves the entry behind for as long as the process lives, with all that it holds; whoever looks there takes it for work under way."
        }
        false => {
            "An error leaves the entry behind for as long as the process lives, with all that it holds; whoever looks there takes it for work under way."
        }
    };
    Words::new(
        format!("The entry in `{name}` is taken out only when nothing raises in between."),
        why,
        "Can the step in between fail? Then take the entry out in a `finally`.",
    )
}
