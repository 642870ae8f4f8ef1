//! Generators that let go of what they work with only behind their last item.

use super::opened;
use super::yield_without_finally::{CHECK, is_context_manager, word_of_generator};
use crate::facts::{Call, ExprId, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told = Vec::new();
    for stmt in facts.stmt_ids().filter(|&stmt| facts.yields(stmt)) {
        let scope = facts.stmt(stmt).scope;
        let is_open = facts.in_loop(stmt) && facts.finally_blocks(stmt).next().is_none();
        if !is_open || told.contains(&scope) || is_context_manager(facts, scope) {
            continue;
        }
        let Some(release) = release_behind(facts, stmt) else {
            continue;
        };
        told.push(scope);
        let verdict = opened::unless_cold(cx, HitVerdict::Look);
        let anchor = Anchor::stmt(facts, release);
        let hit = Hit::new(&CHECK, anchor, verdict, word_of_generator());
        let yielded = facts.stmt(stmt).head;
        let mut hit = hit.with_related(yielded, "left here by whoever stops asking");
        hit.causes.push(yielded);
        out.hits.push(hit);
    }
}

/// The first statement behind the outermost loop around a `yield` that ends something which was not made here: what was,
/// is judged where it is made.
fn release_behind(facts: &Facts, stmt: StmtId) -> Option<StmtId> {
    let scope = facts.stmt(stmt).scope;
    let around = facts.ancestors(stmt).map(|around| around.stmt);
    let outer = around
        .filter(|&around| facts.stmt(around).scope == scope && is_loop(facts, around))
        .last()?;
    let behind = facts.statements_in(facts.following(outer));
    behind.into_iter().find(|&after| {
        facts.handlers_around(after).next().is_none()
            && facts.calls_in(after).any(|call| ends_part(facts, &call))
    })
}

fn ends_part(facts: &Facts, call: &Call<'_>) -> bool {
    let ends = call.ends_receiver() || call.leaves_peer();
    let is_made_here = |of: ExprId| {
        let values = facts.values(of);
        facts.made().iter().any(|made| values.contains(&made.call))
    };
    ends && call.is_dropped() && call.receiver().is_some_and(|of| !is_made_here(of))
}

fn is_loop(facts: &Facts, stmt: StmtId) -> bool {
    matches!(
        facts.stmt(stmt).kind,
        StmtKind::While { .. } | StmtKind::For { .. }
    )
}
