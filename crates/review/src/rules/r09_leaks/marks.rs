//! Marks of work under way that are taken back only when nothing raises: a flag that refuses a second call, a count of
//! requests in flight.

use super::closed_only_on_success::CHECK;
use super::opened::unless_cold;
use super::pooled::skipping_step;
use crate::facts::{ExprId, ExprKind, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let Some(mark) = mark(facts, stmt).filter(|mark| mark.sets) else {
            continue;
        };
        let backs: Vec<StmtId> = facts
            .statements_of(facts.stmt(stmt).scope)
            .filter(|&back| back > stmt && takes_back(facts, &mark, stmt, back))
            .collect();
        if let Some(step) = skipping_step(facts, stmt, &backs, |_| false)
            && let Some(&back) = backs.last()
            && matters(facts, &mark, stmt)
        {
            report(cx, (stmt, step, back), &mark, out);
        }
    }
}

/// `self._busy = True` and `self._active += 1`, or what takes them back.
struct Mark {
    target: ExprId,
    counts: bool,
    sets: bool,
}

fn mark(facts: &Facts, stmt: StmtId) -> Option<Mark> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        augmented,
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let &[target] = targets.as_slice() else {
        return None;
    };
    facts.self_attribute(target)?;
    let sets = match &facts.expr(*value).kind {
        ExprKind::True if !augmented => true,
        ExprKind::False if !augmented => false,
        ExprKind::Number if *augmented && facts.expr_text(*value) == "1" => {
            facts.text(facts.stmt(stmt).span).contains("+=")
        }
        _ => return None,
    };
    Some(Mark {
        target,
        counts: *augmented,
        sets,
    })
}

fn takes_back(facts: &Facts, set: &Mark, stmt: StmtId, back: StmtId) -> bool {
    mark(facts, back).is_some_and(|other| {
        !other.sets
            && other.counts == set.counts
            && facts.expr_text(other.target) == facts.expr_text(set.target)
            && !facts.is_other_branch(stmt, back)
    })
}

/// A count that says that it is one of work, or a flag that the same function asks first and then leaves.
fn matters(facts: &Facts, mark: &Mark, stmt: StmtId) -> bool {
    let name = facts.last_name(mark.target).unwrap_or_default();
    if mark.counts {
        return topic::words(name).any(|word| WORK.contains(&&*word));
    }
    let asks = |test: ExprId| {
        facts
            .within(test)
            .any(|id| facts.expr_text(id) == facts.expr_text(mark.target))
    };
    facts
        .statements_of(facts.stmt(stmt).scope)
        .take_while(|&earlier| earlier < stmt)
        .any(|earlier| match &facts.stmt(earlier).kind {
            StmtKind::If { test, body, .. } => facts.always_leaves(body) && asks(*test),
            _ => false,
        })
}

/// Words in the names of counts of what is being worked on.
const WORK: &[&str] = &[
    "flight",
    "inflight",
    "active",
    "running",
    "concurrent",
    "outstanding",
    "ongoing",
    "busy",
];

fn report(
    cx: &Context<'_>,
    (stmt, step, back): (StmtId, StmtId, StmtId),
    mark: &Mark,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let sure = facts.sees_enclosure(stmt) && facts.sees_enclosure(back) && !mark.counts;
    let verdict = HitVerdict::sure_if(sure);
    let anchor = Anchor::stmt(facts, stmt).or_where_changed(facts, Anchor::stmt(facts, back));
    let words = word(&facts.shown(mark.target), mark.counts);
    let head = |stmt: StmtId| facts.stmt(stmt).head;
    let mut hit = Hit::new(&CHECK, anchor, unless_cold(cx, verdict), words)
        .with_related(head(step), "can leave before it is taken back")
        .with_related(head(back), "takes it back");
    hit.causes.extend([head(step), head(back)]);
    out.hits.push(hit);
}

fn word(name: &str, counts: bool) -> Words {
    let why = match counts {
        true => {
            "Each error, and each wait that is cancelled, leaves it one too high: whoever compares it with a limit, or waits for it to reach zero, is led astray for good."
        }
        false => {
            "After an error the flag stays set, and every later call is refused as if the first were still at work."
        }
    };
    Words::new(
        format!("`{name}` is taken back only when nothing raises before."),
        why,
        "Can the step in between fail? Then take it back in a `finally`.",
    )
}
