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
            let found = left(facts, container, insertion)
                .or_else(|| unanswered(facts, container, insertion));
            if let Some(found) = found {
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
    /// Only another function takes it out, when the answer comes.
    by_answer: bool,
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
        by_answer: false,
    })
}

/// `self._waiting[number] = future`, and then a wait for it with a limit: behind that nobody takes the entry out, for
/// only whoever brings the answer does.
fn unanswered(facts: &Facts, container: &Container, insertion: &Use) -> Option<Left> {
    let UseKind::Insert(key) = insertion.kind else {
        return None;
    };
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(insertion.stmt).kind
    else {
        return None;
    };
    let (mailbox, key) = (facts.name(value)?, facts.expr_text(key));
    let scope = facts.stmt(insertion.stmt).scope;
    let removal = answers(facts, container, insertion)?;
    let waits = |stmt: StmtId| {
        let named = |id| facts.name(id) == Some(mailbox);
        times_out(facts, stmt) && facts.exprs_of(stmt).any(named)
    };
    let step = facts
        .statements_of(scope)
        .filter(|&stmt| stmt > insertion.stmt)
        .find(|&stmt| waits(stmt))?;
    (!is_forgotten_by_helper(facts, step, key)).then_some(Left {
        insertion: *insertion,
        step,
        removal,
        by_answer: true,
    })
}

/// The only removals there are: of the entry of one answer, in other functions.
fn answers(facts: &Facts, container: &Container, insertion: &Use) -> Option<Use> {
    let scope = facts.stmt(insertion.stmt).scope;
    let changes = |of: &&Use| {
        matches!(
            of.kind,
            UseKind::Shrink | UseKind::Rebind | UseKind::Size | UseKind::Passed(_)
        ) && !ends_owner(facts, of.stmt)
    };
    let of_one = |of: &&Use| {
        let sweeps = facts
            .ancestors(of.stmt)
            .any(|around| match facts.stmt(around.stmt).kind {
                StmtKind::For { iter, .. } => facts.expr_text(iter).contains(&container.name),
                _ => false,
            });
        of.kind == UseKind::Shrink
            && facts.stmt(of.stmt).scope != scope
            && removed_key(facts, of).is_some()
            && !sweeps
    };
    let mut removals = container.uses.iter().filter(changes);
    let first = *removals.clone().next()?;
    removals.all(|of| of_one(&of)).then_some(first)
}

/// A handler or `finally` around the wait gives the key, or all, to something else.
fn is_forgotten_by_helper(facts: &Facts, step: StmtId, key: &str) -> bool {
    let handled = facts
        .handlers_around(step)
        .map(|handler| handler.body.as_slice());
    let finals = facts.finally_blocks(step).map(Vec::as_slice);
    let inside: Vec<StmtId> = handled.chain(finals).flatten().copied().collect();
    let mut stmts = facts.statements_in(&inside).into_iter();
    stmts.any(|stmt| {
        let mut calls = facts.calls_in(stmt);
        calls.any(|call| {
            call.args
                .iter()
                .any(|arg| facts.expr_text(arg.value) == key)
        })
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
    let verdict = HitVerdict::sure_if(is_sure);
    let verdict = cx.where_shared(verdict);
    let anchor = Anchor::stmt(facts, left.insertion.stmt);
    let (step, removal) = (
        facts.stmt(left.step).head,
        facts.stmt(left.removal.stmt).head,
    );
    let waits =
        facts.awaits(left.step) || matches!(facts.stmt(left.step).kind, StmtKind::With { .. });
    let words = match left.by_answer {
        true => word_unanswered(&container.name),
        false => word(&container.name, waits),
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
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

fn word_unanswered(name: &str) -> Words {
    Words::new(
        format!("The entry in `{name}` is taken out only when its answer comes."),
        "A wait that runs into its limit leaves the entry behind for as long as the owner lives, and an answer that comes later finds nobody.",
        "Take the entry out in a `finally` around the wait.",
    )
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
