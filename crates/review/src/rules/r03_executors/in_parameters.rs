//! Pools among the parameters that a function puts together for somebody else: `parameters["pool"] = Executor()`.

use super::executor_never_shut_down::CHECK;
use super::kept;
use crate::facts::{ExprKind, Facts, HeldUseKind, Holder, Keeper, Made, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for made in facts.made().iter().filter(|made| made.resource.is_pool()) {
        if is_under_a_name(facts, made) && is_given_away(facts, made) {
            let anchor = Anchor {
                stmt: made.stmt,
                span: facts.expr(made.call).span,
            };
            let verdict = kept::unless_cold(cx, HitVerdict::Look);
            out.hits.push(Hit::new(&CHECK, anchor, verdict, word(made)));
        }
    }
}

/// An entry of a dictionary under a string.
fn is_under_a_name(facts: &Facts, made: &Made) -> bool {
    let by_target = match &facts.stmt(made.stmt).kind {
        StmtKind::Assign { targets, .. } => {
            targets
                .iter()
                .any(|&target| match &facts.expr(target).kind {
                    ExprKind::Subscript { index, .. } => {
                        index.iter().any(|&key| facts.string(key).is_some())
                    }
                    _ => false,
                })
        }
        _ => false,
    };
    let in_display = || {
        let parent = facts.expr(made.call).parent.map(|at| &facts.expr(at).kind);
        match parent {
            Some(ExprKind::Dict(pairs)) => pairs.iter().any(|(key, value)| {
                *value == made.call && key.is_some_and(|key| facts.string(key).is_some())
            }),
            _ => false,
        }
    };
    by_target || in_display()
}

/// The dictionary is one of this function, which hands it to a call and never asks it for the pool again.
fn is_given_away(facts: &Facts, made: &Made) -> bool {
    let Keeper::Element(holder @ Holder::Local { function, name }) = &made.keeper else {
        return false;
    };
    let uses = facts.uses_of(holder);
    let is_passed = uses
        .iter()
        .any(|of| matches!(of.kind, HeldUseKind::Passed(_)));
    let ends = facts.calls_of(*function).any(|call| {
        let closes = call
            .method()
            .is_some_and(|method| made.resource.closers().contains(&method));
        closes || call.name() == "enter_context"
    });
    is_passed && !ends && !name.is_empty()
}

fn word(made: &Made) -> Words {
    let noun = made.resource.noun();
    let closer = made.resource.closer();
    Words::new(
        format!(
            "The {noun} is made for the parameters of something else, and nothing shown shuts it down."
        ),
        "Who is given parameters seldom owns what is in them: each call of this function leaves its workers behind, idle, until the process ends.",
        format!(
            "Who calls `{closer}` on it? If the receiver does not, keep the {noun} here and shut it down when the receiver has ended."
        ),
    )
}
