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
        _ if keeps_one_reader(facts, held, stmt) => HitVerdict::Excused(
            "The lock keeps a second reader from a live stream, which nobody can copy first."
                .to_string(),
        ),
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

/// What is handed out comes in while it is waited for, and nothing but reading takes the lock.
fn keeps_one_reader(facts: &Facts, held: &Held, stmt: StmtId) -> bool {
    let mut around = facts.ancestors(stmt).map(|around| around.stmt);
    let is_live = around.any(|around| {
        let StmtKind::For { iter, .. } = facts.stmt(around).kind else {
            let is_loop = matches!(facts.stmt(around).kind, StmtKind::While { .. });
            return is_loop && comes_in(facts, held, around);
        };
        facts.awaits(around)
            || facts
                .calls_within(facts.expr(iter).span)
                .any(|call| says_live(call.name()))
    });
    let mut others = facts
        .held()
        .iter()
        .filter(|other| other.lock.is_same(&held.lock));
    let reads = |function: &str| topic::words(function).any(|word| READING.contains(&&*word));
    is_live
        && others.all(|other| {
            other.scope == held.scope || facts.scope_name(other.scope).is_some_and(reads)
        })
}

/// The loop awaits or reads each item.
fn comes_in(facts: &Facts, held: &Held, round: StmtId) -> bool {
    let inside = |&&stmt: &&StmtId| facts.ancestors(stmt).any(|around| around.stmt == round);
    let mut body = held.body.iter().filter(inside);
    body.any(|&stmt| facts.awaits(stmt) || facts.calls_in(stmt).any(|call| says_live(call.name())))
}

fn says_live(name: &str) -> bool {
    topic::words(name).any(|word| READING.contains(&&*word) || word == "frames")
}

/// Words of what takes the next item of something that still goes on.
const READING: &[&str] = &[
    "read",
    "recv",
    "receive",
    "stream",
    "streaming",
    "listen",
    "subscribe",
    "burst",
    "get",
];

fn word(lock: &str) -> Words {
    Words::new(
        format!("`{lock}` stays held while whoever asked for the items works on each of them."),
        "Between two items the generator is suspended inside of the lock: a slow consumer keeps all others waiting, one that asks for the same lock waits for itself, and one that stops early leaves it held until the generator is collected.",
        format!(
            "Copy what is needed under `{lock}` (`list(...)`), give it back, and yield from the copy."
        ),
    )
}
