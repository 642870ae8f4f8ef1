//! `.result()` of a concurrent future without a timeout: it waits as long as the work hangs.

use super::mapped;
use crate::facts::{
    BindingKind, Bound, Call, ExprId, ExprKind, Facts, Heat, Kind, Part, Proof, StmtKind, Type,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbounded-result",
    rule: 4,
    severity: Severity::Block,
    references: &[],
    summary: "The result of a concurrent future is waited for without a timeout on a hot or dispatch path.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    mapped::detect(cx, out);
    for call in cx.facts.calls() {
        let asks = matches!(call.method(), Some("result" | "exception")) && !call.is_awaited();
        if let Some(wait) = asks.then(|| waited(cx.facts, &call)).flatten()
            && is_sure_or_hot(cx, &call)
        {
            judge(cx, &call, wait, out);
        }
    }
}

/// A wait for a future, and what is known of it.
struct Wait {
    proof: Proof,
    bound: Bound,
}

fn waited(facts: &Facts, call: &Call<'_>) -> Option<Wait> {
    let receiver = call.receiver()?;
    let found = facts.type_of(receiver)?;
    let is_future = found.is(Kind::Future) && !is_of_event_loop(facts, call, found);
    // For the loop of its own thread a wait never ends, with a timeout or without: that is a matter of R2.
    if !is_future || is_finished(facts, call, receiver) || facts.waits_for_own_loop(call) {
        return None;
    }
    let bound = match ends_by_itself(facts, receiver) {
        true => Bound::Given,
        false => facts.bound(call, 0, "timeout"),
    };
    // A wrapper that passes its caller's timeout on, around what may not even be a future, is no case. Nor is the error of
    // what only its name makes one: it is mostly asked for behind the end.
    let weak = (bound == Bound::Forwarded || call.method() == Some("exception"))
        && found.proof == Proof::Named;
    (!weak).then_some(Wait {
        proof: found.proof,
        bound,
    })
}

/// `run_coroutine_threadsafe(asyncio.wait_for(work, seconds), loop)`: the coroutine has its own end. So has a call of
/// gRPC that was given its deadline.
fn ends_by_itself(facts: &Facts, future: ExprId) -> bool {
    let has_deadline = |value: ExprId| {
        let asked = facts
            .call(value)
            .filter(|call| call.method() == Some("future"));
        asked.is_some_and(|call| call.keyword("timeout").is_some())
    };
    if facts.values(future).into_iter().any(has_deadline) {
        return true;
    }
    facts.values(future).into_iter().any(|value| {
        let handed = facts
            .call(value)
            .filter(|call| call.name() == "run_coroutine_threadsafe");
        let coroutine = handed.and_then(|call| facts.call(call.positional(0)?));
        coroutine.is_some_and(|inner| {
            inner.name() == "wait_for" && facts.bound(&inner, 1, "timeout") != Bound::Unbounded
        })
    })
}

/// `job.result()` of unknown origin is worth a look where requests and frames pass.
fn is_sure_or_hot(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let by_use = call
        .receiver()
        .is_some_and(|receiver| cx.facts.rests_on_use(receiver));
    !by_use || !call.args.is_empty() || cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot
}

/// In a coroutine a future that only its name makes one is most likely the loop's own: its `result` never blocks
/// and takes no timeout.
fn is_of_event_loop(facts: &Facts, call: &Call<'_>, found: Type) -> bool {
    found.proof == Proof::Named && call.args.is_empty() && facts.is_async(call.scope())
}

fn judge(cx: &Context<'_>, call: &Call<'_>, wait: Wait, out: &mut Outcome) {
    match wait.bound {
        Bound::Given | Bound::Literal(_) => {
            out.evidence(4, call.span(), "waits for the future with a timeout");
        }
        Bound::Unbounded | Bound::Forwarded => {
            let verdict = match (wait.proof, wait.bound) {
                (Proof::Proven, Bound::Unbounded) => HitVerdict::Violation,
                _ => HitVerdict::Look,
            };
            let verdict = place(cx, call, wait.proof, verdict);
            let mut hit = Hit::new(
                &CHECK,
                Anchor::call(call),
                verdict,
                word(cx.facts, call, &wait),
            );
            hit.severity = (call.method() == Some("exception")).then_some(Severity::Flag);
            out.hits.push(hit);
        }
    }
}

/// A public blocking wrapper waits for whoever calls it, and a service loop for every request:
/// both are hot for a future that is proven.
fn place(cx: &Context<'_>, call: &Call<'_>, proof: Proof, verdict: HitVerdict) -> HitVerdict {
    let weighed = cx.where_it_matters(call.stmt(), verdict.clone());
    let name = cx.facts.function_name(call.stmt());
    let wraps = name.is_some_and(|name| matches!(name, "put" | "get" | "run" | "call"));
    let serves = endless_loop_around(cx.facts, call);
    let weak = weighed == HitVerdict::Look && verdict == HitVerdict::Violation;
    if weak && proof == Proof::Proven && (wraps || serves) {
        verdict
    } else {
        weighed
    }
}

fn endless_loop_around(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .ancestors(call.stmt())
        .any(|ancestor| match facts.stmt(ancestor.stmt).kind {
            StmtKind::While { test, .. } => {
                matches!(facts.expr(test).kind, ExprKind::True | ExprKind::Not(_))
            }
            _ => false,
        })
}

/// Whether the future is done when it is asked: it came out of `as_completed` or `wait`,
/// `.done()` was tested, its pool has been left, or this is its done callback.
fn is_finished(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    comes_finished(facts, receiver)
        || waited_before(facts, call)
        || done_was_tested(facts, call, receiver)
        || pool_was_left(facts, call, receiver)
        || in_done_callback(facts, receiver)
}

/// `wait(futures)` without a timeout came before in any case: all are done, or one has failed and was dealt with. Where
/// that wait has no end, it is the one to be told of.
fn waited_before(facts: &Facts, call: &Call<'_>) -> bool {
    facts.calls_of(call.scope()).any(|wait| {
        wait.is(&["concurrent.futures.wait"])
            && facts.bound(&wait, 1, "timeout") == Bound::Unbounded
            && wait
                .keyword("return_when")
                .is_none_or(|when| facts.last_name(when) != Some("FIRST_COMPLETED"))
            && facts.always_before(wait.stmt(), call.stmt())
    })
}

fn comes_finished(facts: &Facts, receiver: ExprId) -> bool {
    facts
        .bindings_behind(receiver)
        .iter()
        .any(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => yields_finished(facts, iter),
            BindingKind::Value { value, .. } => {
                let popped = facts
                    .call(value)
                    .filter(|call| call.method() == Some("pop"));
                popped
                    .and_then(|call| call.receiver())
                    .is_some_and(|set| yields_finished(facts, set))
            }
            _ => false,
        })
}

/// Calls that hand on, one by one, what their first argument yields.
const HANDS_ON: &[&str] = &["enumerate", "list", "reversed", "sorted", "tqdm", "track"];

/// What is handed on, behind the calls that do so.
fn inmost(facts: &Facts, id: ExprId) -> ExprId {
    let inner = facts
        .call(id)
        .filter(|call| HANDS_ON.contains(&call.name()))
        .and_then(|call| call.positional(0));
    inner.map_or(id, |inner| inmost(facts, inner))
}

/// `as_completed(...)`, or the done set that `wait(...)` returned, also counted or drawn as progress.
pub(super) fn yields_finished(facts: &Facts, iter: ExprId) -> bool {
    // Where the import is not shown, the name speaks: `cf.wait(...)`.
    let finished = |id: ExprId| {
        facts.call(inmost(facts, id)).is_some_and(|call| {
            call.is(&["concurrent.futures.as_completed", "concurrent.futures.wait"])
                || (matches!(call.name(), "as_completed" | "wait") && !call.args.is_empty())
        })
    };
    let returned = facts
        .bindings_behind(iter)
        .into_iter()
        .any(|binding| match binding.kind {
            BindingKind::Value { value, index } => index != Some(1) && finished(value),
            _ => false,
        });
    let attribute = facts.attribute(iter).is_some_and(|(object, name)| {
        name == "done" && facts.values(object).into_iter().any(finished)
    });
    let by_name = facts.bindings_behind(iter).is_empty()
        && facts
            .last_name(iter)
            .is_some_and(|name| topic::has_word(name, "done finished completed"));
    finished(iter) || returned || attribute || by_name
}

/// `if future.done():` around, or `while not future.done():` and `if not future.done(): return` before.
fn done_was_tested(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    let Some(text) = facts.dotted(receiver) else {
        return false;
    };
    let tests_done = |test: ExprId| {
        facts.within(test).any(|id| {
            let inner = facts
                .call(id)
                .filter(|inner| matches!(inner.method(), Some("done" | "cancelled")));
            inner
                .and_then(|inner| facts.dotted(inner.receiver()?))
                .is_some_and(|of| of == text)
        })
    };
    let around =
        facts
            .ancestors(call.stmt())
            .any(|ancestor| match facts.stmt(ancestor.stmt).kind {
                StmtKind::If { test, .. } => ancestor.part == Part::Body && tests_done(test),
                _ => false,
            });
    let before = facts
        .block_of(call.stmt())
        .iter()
        .take_while(|&&stmt| stmt < call.stmt());
    around
        || before
            .into_iter()
            .any(|&stmt| match &facts.stmt(stmt).kind {
                StmtKind::While { test, .. } => tests_done(*test),
                StmtKind::If { test, body, .. } => facts.always_leaves(body) && tests_done(*test),
                _ => false,
            })
        || filtered_by_done(facts, call, &tests_done)
}

/// `[f.result() for f in futures if f.done()]` and `f.result() if f.done() else None`.
fn filtered_by_done(facts: &Facts, call: &Call<'_>, tests_done: &dyn Fn(ExprId) -> bool) -> bool {
    let mut at = facts.expr(call.id).parent;
    while let Some(parent) = at {
        let holds = match &facts.expr(parent).kind {
            ExprKind::Comprehension { conditions, .. } => {
                conditions.iter().any(|&test| tests_done(test))
            }
            ExprKind::Conditional { test, .. } => tests_done(*test),
            ExprKind::Bool { left, .. } => tests_done(*left),
            _ => false,
        };
        if holds {
            return true;
        }
        at = facts.expr(parent).parent;
    }
    false
}

/// `with ThreadPoolExecutor() as pool: future = pool.submit(...)`, and asked behind the block, whose end waits for
/// everything that was submitted in it.
fn pool_was_left(facts: &Facts, call: &Call<'_>, receiver: ExprId) -> bool {
    let (Some(function), false) = (
        facts.function_of(call.scope()),
        facts.bindings_behind(receiver).is_empty(),
    ) else {
        return false;
    };
    let mut submits = facts
        .calls_within(facts.scope(function).span)
        .filter(|other| other.method() == Some("submit"))
        .peekable();
    submits.peek().is_some() && submits.all(|submit| left_its_pool(facts, &submit, call))
}

fn left_its_pool(facts: &Facts, submit: &Call<'_>, asked: &Call<'_>) -> bool {
    let pool = submit.receiver().and_then(|pool| facts.name(pool));
    facts.ancestors(submit.stmt()).any(|around| {
        let stmt = facts.stmt(around.stmt);
        let StmtKind::With { items, .. } = &stmt.kind else {
            return false;
        };
        let enters = items.iter().any(|item| {
            let makes = facts.type_of(item.context);
            makes.is_some_and(|made| made.is(Kind::Executor))
                && item.target.and_then(|target| facts.name(target)) == pool
        });
        enters && pool.is_some() && asked.span().start >= stmt.span.end
    })
}

/// The future is the parameter of a function that `add_done_callback` is given.
fn in_done_callback(facts: &Facts, receiver: ExprId) -> bool {
    let Some((function, _)) = facts.parameter(receiver) else {
        return false;
    };
    let name = facts.scope_name(function);
    facts
        .calls()
        .filter(|call| call.method() == Some("add_done_callback"))
        .any(|call| {
            call.positional(0)
                .is_some_and(|given| match facts.expr(given).kind {
                    ExprKind::Lambda { scope, .. } => scope == function,
                    _ => name.is_some() && facts.last_name(given) == name,
                })
        })
}

fn word(facts: &Facts, call: &Call<'_>, wait: &Wait) -> Words {
    let what = call
        .receiver()
        .map_or("the future", |receiver| facts.expr_text(receiver));
    let method = call.method().unwrap_or("result");
    let how = match wait.bound {
        Bound::Forwarded => "with a timeout that is None unless a caller gives one",
        _ => "without a timeout",
    };
    let ask = match wait.proof {
        Proof::Proven => {
            "Pass a timeout that can end the wait, and handle the TimeoutError.".to_string()
        }
        Proof::Named => format!(
            "Find out where `{what}` is made: if it is a concurrent.futures.Future, pass a timeout and handle the TimeoutError."
        ),
    };
    Words::new(
        format!("`{what}.{method}()` waits {how}."),
        "If the work behind the future stalls (a hung GPU, a dead worker), this thread waits for ever, and everything that waits for it does too.",
        ask,
    )
}
