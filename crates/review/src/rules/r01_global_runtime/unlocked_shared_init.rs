//! Check-then-create of an object that the whole process shares, with no lock: two threads create two.

use super::coroutines::gap;
use super::init_words::{word, word_field, word_gap};
use super::lazy_fields::{Shared, shared_field};
use super::made_where_missing::{Init, lazy_field, lazy_init};
use super::second_making::{is_cheap, is_coroutine, verdict, weaken_unseen, weigh};
use super::torchscript::alone;
use crate::facts::{Call, ExprKind, Facts, Heat, Held, Proof, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unlocked-shared-init",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A process-wide instance is made where it is found missing, with no lock around test and creation.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    super::unseen_tables::detect(cx, out);
    for stmt in cx.facts.stmt_ids() {
        if let Some(init) = lazy_init(cx.facts, stmt) {
            judge(cx, &init, out);
        } else if let Some(init) = lazy_field(cx.facts, stmt) {
            if let Some(held) = only_stored_under(cx.facts, &init) {
                judge_stored(cx, &init, held, out);
            } else if let Some(shared) = shared_field(cx.facts, stmt, init.target) {
                judge_field(cx, &init, &shared, out);
            }
        }
    }
}

fn judge(cx: &Context<'_>, init: &Init, out: &mut Outcome) {
    let facts = cx.facts;
    let held: Vec<&Held> = facts.held_at(init.stmt).collect();
    let retested = |held: &&Held| held.holds(init.test);
    if held.iter().any(retested) {
        out.evidence(
            1,
            facts.stmt(init.stmt).head,
            "tested and made under a lock",
        );
        return;
    }
    if is_made_between_locks(facts, init) {
        return;
    }
    let gap = gap(facts, init.test, init.stmt, init.target).filter(|_| is_coroutine(facts, init));
    if callers_guard(facts, init.stmt) || (is_coroutine(facts, init) && gap.is_none()) {
        return;
    }
    let weighed = |verdict| match gap {
        Some(_) => Some(verdict),
        None => weigh(facts, init, verdict),
    };
    let Some(verdict) = verdict(cx, init, gap).and_then(weighed) else {
        return;
    };
    let words = match gap {
        Some(gap) => word_gap(facts, init, gap),
        None => word(facts, init, !held.is_empty()),
    };
    let hit = hit(facts, init, verdict, words);
    out.hits.push(hit);
}

/// The table is read and filled under its lock, and what goes in is made under one that keeps processes apart: a second
/// thread makes it once more behind the first, which is meant, and the last one stays.
fn is_made_between_locks(facts: &Facts, init: &Init) -> bool {
    let is_entry = matches!(facts.expr(init.target).kind, ExprKind::Subscript { .. });
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(init.stmt).kind
    else {
        return false;
    };
    let makings = facts
        .values(value)
        .into_iter()
        .filter_map(|made| facts.call(made));
    let is_apart =
        |call: Call<'_>| call.stmt() != init.stmt && facts.file_lock_at(call.stmt()).is_some();
    is_entry && facts.held_at(init.stmt).next().is_some() && makings.into_iter().any(is_apart)
}

/// Shown at the store; at the test where that stands so far above that nobody sees the two together.
fn hit(facts: &Facts, init: &Init, verdict: HitVerdict, words: Words) -> Hit {
    let (test, store) = (
        Anchor::stmt(facts, init.test),
        Anchor::stmt(facts, init.stmt),
    );
    let first = if is_far(facts, init) { test } else { store };
    let anchor = first.or_where_changed(facts, store);
    let (other, note) = match anchor == test {
        true => (store.span, "made and stored here"),
        false => (test.span, "tested here"),
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words).with_related(other, note);
    hit.causes.push(other);
    hit
}

/// Whether more lines than a glance takes in stand between an `if` and the store in it.
fn is_far(facts: &Facts, init: &Init) -> bool {
    const AT_A_GLANCE: u32 = 3;
    let is_around = facts
        .ancestors(init.stmt)
        .any(|around| around.stmt == init.test);
    let line = |at: u32| facts.lines.line(at);
    let test = line(facts.stmt(init.test).head.end);
    let store = line(facts.stmt(init.stmt).head.start);
    let is_test = matches!(facts.stmt(init.test).kind, StmtKind::If { .. });
    is_around && is_test && store.saturating_sub(test) > AT_A_GLANCE
}

/// The lock of the object that is taken behind the test, where nothing under it tests again: who took it thinks of threads.
fn only_stored_under<'f>(facts: &'f Facts, init: &Init) -> Option<&'f Held> {
    let mut held = facts.held_at(init.stmt).peekable();
    let first = held.peek().copied()?;
    let is_own = facts.self_attribute(first.lock.expr).is_some()
        && first.lock.kind.is_blocking_lock()
        && first.holds(init.stmt);
    let retested = held.any(|held| held.holds(init.test));
    (is_own && !retested && !callers_guard(facts, init.stmt)).then_some(first)
}

fn judge_stored(cx: &Context<'_>, init: &Init, held: &Held, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match (alone(cx, init.stmt), held.lock.proof) {
        (Some(reason), _) => HitVerdict::Excused(reason),
        (None, Proof::Proven) if !is_cheap(facts, init.stmt) => {
            weaken_unseen(facts, init, HitVerdict::Violation)
        }
        _ => HitVerdict::Look,
    };
    let words = word(facts, init, true);
    let mut hit =
        hit(facts, init, verdict, words).with_related(held.span, "the lock is taken here");
    hit.causes.push(held.span);
    out.hits.push(hit);
}

fn judge_field(cx: &Context<'_>, init: &Init, shared: &Shared, out: &mut Outcome) {
    let facts = cx.facts;
    // A lock that is held here was taken to test again under it, or for more than this.
    if facts.held_at(init.stmt).next().is_some()
        || is_cheap(facts, init.stmt) && !shared.is_proven()
    {
        return;
    }
    let verdict = match (alone(cx, init.stmt), facts.heat(init.stmt, cx.profile)) {
        (Some(reason), _) => HitVerdict::Excused(reason),
        (None, Heat::Cold(reason)) => {
            HitVerdict::Excused(format!("No second thread is there yet: {reason}."))
        }
        _ if shared.is_proven() && !is_cheap(facts, init.stmt) => {
            weaken_unseen(facts, init, HitVerdict::Violation)
        }
        _ => HitVerdict::Look,
    };
    let (place, note) = shared.place();
    let mut hit = hit(facts, init, verdict, word_field(facts, init)).with_related(place, note);
    hit.causes.push(place);
    out.hits.push(hit);
}

/// A function that only runs under its callers' lock, or in a pool of one worker.
fn callers_guard(facts: &Facts, stmt: StmtId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    function.is_some_and(|function| {
        facts.callers_hold(function) == Some(true) || facts.runs_in_one_worker(function)
    })
}
