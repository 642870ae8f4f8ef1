//! Check-then-create of an object that the whole process shares, with no lock: two threads create two.

use super::coroutines::{Gap, gap};
use super::lazy_fields::{Shared, shared_field};
use super::made_where_missing::{Init, lazy_field, lazy_init};
use super::second_making::{is_cheap, is_coroutine, verdict, weaken_unseen, weigh};
use super::torchscript::alone;
use crate::facts::{Call, ExprKind, Facts, Heat, Held, Reach, StmtId, StmtKind};
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
        } else if let Some(init) = lazy_field(cx.facts, stmt)
            && let Some(shared) = shared_field(cx.facts, stmt, init.target)
        {
            judge_field(cx, &init, &shared, out);
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

fn word_field(facts: &Facts, init: &Init) -> Words {
    let target = facts.expr_text(init.target);
    Words::new(
        format!(
            "`{target}` is made where it is found missing, and threads that share the object are not kept apart."
        ),
        "Two threads that test at the same moment both create it: one of the two is lost with what it holds open, and callers work on different ones.",
        "Take the object's lock around test and creation, on every way that leads here; or make it in the constructor.",
    )
}

fn word_gap(facts: &Facts, init: &Init, gap: Gap) -> Words {
    let target = facts.expr_text(init.target);
    match gap {
        Gap::Before => Words::new(
            format!(
                "`{target}` is made where it is found missing, with an `await` between the test and the store."
            ),
            "At the `await` the loop runs other coroutines: one that tests meanwhile finds it missing as well, so two are made, and the first is lost with what it holds.",
            advice(
                facts,
                "Hold an `asyncio.Lock` around test and creation, or store the task or future that makes the object at once, and let all await that.",
            ),
        ),
        Gap::Behind => Words::new(
            format!("`{target}` is stored before it is ready, and awaited behind."),
            match is_taken_back(facts, init) {
                true => {
                    "At the `await` the loop runs other coroutines: one that asks meanwhile finds the object and uses it half set up, also where the set-up then fails."
                }
                false => {
                    "At the `await` the loop runs other coroutines: one that asks meanwhile finds the object and uses it half set up, and a failed set-up leaves it stored."
                }
            },
            advice(
                facts,
                "Set the object up first and store it then, with an `asyncio.Lock` a key around both; or store the task that sets it up, and let all await that.",
            ),
        ),
    }
}

/// A handler or `finally` of the function takes the object out again: `del _CLIENTS[key]`, `_CLIENTS.pop(key, None)`.
fn is_taken_back(facts: &Facts, init: &Init) -> bool {
    let whole = facts.expr_text(init.target);
    let table = match &facts.expr(init.target).kind {
        ExprKind::Subscript { object, .. } => facts.expr_text(*object),
        _ => whole,
    };
    let takes = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Delete(targets) => targets.iter().any(|&id| facts.expr_text(id) == whole),
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => {
            let none = matches!(facts.expr(*value).kind, ExprKind::None);
            none && targets.iter().any(|&id| facts.expr_text(id) == whole)
        }
        _ => facts.calls_in(stmt).any(|call| {
            let of_table = call
                .receiver()
                .is_some_and(|of| facts.expr_text(of) == table);
            call.method() == Some("pop") && of_table
        }),
    };
    let mut stmts = facts.statements_of(facts.stmt(init.stmt).scope);
    stmts.any(|stmt| {
        let is_late = facts.enclosing_handler(stmt).is_some() || facts.in_finally(stmt);
        is_late && takes(stmt)
    })
}

/// A lock of asyncio serves one loop: where each call runs its own, it is no help.
fn advice(facts: &Facts, on_one_loop: &str) -> String {
    let mut runs = facts.calls().filter(|call| call.is(&["asyncio.run"]));
    let by_call = runs.any(|call| {
        let function = facts.function_of(call.scope());
        let name = function.and_then(|function| facts.scope_name(function));
        name.is_some_and(|name| name != "main")
    });
    if by_call {
        return "Each call runs an event loop of its own here, so make the object before the loop starts, under a `threading.Lock`, or keep one for each loop.".to_string();
    }
    on_one_loop.to_string()
}

fn word(facts: &Facts, init: &Init, is_held: bool) -> Words {
    let target = facts.expr_text(init.target);
    let whose = match facts.reach(init.target) {
        Reach::Class => "all instances share",
        _ => "the whole process shares",
    };
    let message = if is_held {
        format!(
            "`{target}`, which {whose}, is tested before the lock is taken, and not again under it."
        )
    } else {
        format!(
            "`{target}`, which {whose}, is made where it is found missing, and no lock is held."
        )
    };
    Words::new(
        message,
        "Two threads that test at the same moment both create it: the work and its memory are spent twice, and callers hold different instances.",
        "Take a lock around test and creation; where the common path must stay free of it, test again under the lock.",
    )
}
