//! A lock that a generator holds between two items: whoever goes through them decides how long.

use crate::facts::{Facts, Held, Home, Proof, StmtId, StmtKind, Taken};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-across-yield",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A generator yields its items while it holds a lock, so the consumer decides when the lock is given back.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts.held() {
        let is_shared = !matches!(held.lock.home, Home::Call | Home::External);
        if let Some(stmt) = handed_out(facts, held).filter(|_| is_shared) {
            judge(cx, held, stmt, out);
        }
    }
}

/// The `yield` of one of many items in the region. One that stands alone hands out the region itself, as contexts and
/// dependencies of requests do.
fn handed_out(facts: &Facts, held: &Held) -> Option<StmtId> {
    let in_region = |around: StmtId| {
        let is_loop = matches!(
            facts.stmt(around).kind,
            StmtKind::For { .. } | StmtKind::While { .. }
        );
        is_loop && held.holds(around)
    };
    let is_decorated = !facts.decorators(held.scope).is_empty();
    let is_item = |&stmt: &StmtId| {
        let looped = facts.ancestors(stmt).any(|around| in_region(around.stmt));
        facts.yields(stmt)
            && facts.stmt(stmt).scope == held.scope
            && (facts.yields_from(stmt) || looped)
    };
    let by_hand = matches!(held.taken, Taken::Decorator(_));
    (!is_decorated && !by_hand)
        .then(|| held.body.iter().copied().find(is_item))
        .flatten()
}

fn judge(cx: &Context<'_>, held: &Held, stmt: StmtId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match (facts.cold_file(cx.profile), held.lock.proof) {
        (Some(reason), _) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        (None, Proof::Proven) => HitVerdict::Violation,
        (None, Proof::Named) => HitVerdict::Look,
    };
    let words = word(&facts.shown(held.lock.expr));
    let lock = Anchor {
        stmt: held.stmt,
        span: held.span,
    };
    let item = Anchor::stmt(facts, stmt);
    let anchor = item.or_where_changed(facts, lock);
    let other = if anchor == item { held.span } else { item.span };
    let mut hit =
        Hit::new(&CHECK, anchor, verdict, words).with_related(other, "the other half of it");
    hit.causes.push(other);
    out.hits.push(hit);
}

fn word(lock: &str) -> Words {
    Words::new(
        format!("`{lock}` stays held while whoever asked for the items works on each of them."),
        "Between two items the generator is suspended inside of the lock: a slow consumer keeps all others waiting, one that asks for the same lock waits for itself, and one that stops early leaves it held until the generator is collected.",
        format!(
            "Copy what is needed under `{lock}` (`list(...)`), give it back, and yield from the copy."
        ),
    )
}
