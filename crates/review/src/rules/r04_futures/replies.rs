//! Waits for an answer: a loop that takes messages until the one it asked for comes, one that takes from a queue which
//! went out with the question, and a request handler that waits for a task it has just started.

use crate::facts::{
    BindingKind, Bound, Call, ExprId, ExprKind, Facts, HeldUseKind, Holder, Kind, StmtId, StmtKind,
};

/// Whether a loop leaves with a message that it was asked for: `if message.id == wanted: return message`. A consumer's
/// loop leaves without one.
pub(super) fn waits_for_reply(facts: &Facts, call: &Call<'_>, outer: StmtId) -> bool {
    let names = bound_names(facts, call.stmt());
    let mentions = |id: ExprId| {
        facts
            .within(id)
            .any(|part| facts.name(part).is_some_and(|name| names.contains(&name)))
    };
    let asked_for = |id: ExprId| {
        let mut parts = facts.within(id);
        parts.any(|part| facts.parameter(part).is_some())
    };
    let hands_out = |stmt: StmtId| {
        let StmtKind::If { test, body, .. } = &facts.stmt(stmt).kind else {
            return false;
        };
        let returned = facts.statements_in(body).into_iter().any(
            |inner| matches!(facts.stmt(inner).kind, StmtKind::Return(Some(value)) if mentions(value)),
        );
        mentions(*test) && asked_for(*test) && returned
    };
    facts
        .blocks(outer)
        .into_iter()
        .flat_map(|(_, block)| facts.statements_in(block))
        .any(hands_out)
}

/// A queue of this very call that it sends along with its question: `jobs.put(Job(text, replies))`. Whoever should
/// fill it may have died, with the message that ends the loop.
pub(super) fn goes_with_question(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(queue) = call.receiver().filter(|&queue| facts.name(queue).is_some()) else {
        return false;
    };
    let Some(holder @ Holder::Local { .. }) = facts.holder_of(queue) else {
        return false;
    };
    let asks = |at: ExprId| {
        let outer = std::iter::successors(Some(at), |&at| facts.expr(at).parent);
        let mut calls = outer.filter_map(|at| facts.call(at));
        calls.any(|sent| sends(facts, &sent, queue))
    };
    let made_here = facts.values(queue).into_iter().any(|made| {
        let kind = facts.call(made).and_then(|call| facts.constructs(&call));
        matches!(kind, Some(Kind::Queue | Kind::AsyncQueue))
    });
    made_here
        && facts.uses_of(&holder).iter().any(|of| match of.kind {
            HeldUseKind::Passed(given) => asks(given),
            _ => false,
        })
}

/// A call that gives a message to somebody's queue or channel, not to the one that the answer comes by.
fn sends(facts: &Facts, sent: &Call<'_>, queue: ExprId) -> bool {
    let to = sent.receiver().and_then(|to| facts.dotted(to));
    let verb = matches!(
        sent.method(),
        Some("put" | "put_nowait" | "send" | "enqueue" | "append" | "appendleft" | "publish")
    );
    verb && to.is_some() && to != facts.dotted(queue)
}

fn bound_names(facts: &Facts, stmt: StmtId) -> Vec<&str> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .flat_map(|&target| facts.within(target))
            .filter_map(|part| facts.name(part))
            .collect(),
        _ => Vec::new(),
    }
}

/// Calls that start work elsewhere and return a handle on it.
const STARTS: &[&str] = &[
    "apply_async",
    "map_async",
    "starmap_async",
    "delay",
    "send_task",
    "enqueue",
];

/// The bound of a wait for a task that the same function has just started: `task.wait()`, `job.get()`.
pub(super) fn answer(facts: &Facts, call: &Call<'_>) -> Option<Bound> {
    let receiver = call.receiver()?;
    // `pool.map_async(work, items).get()` has no name for its handle.
    if facts.name(receiver).is_none() && !starts(facts, receiver) {
        return None;
    }
    let waits = matches!(call.method(), Some("wait" | "get" | "join"));
    let is_known = matches!(facts.kind_of(receiver), Some(kind) if kind != Kind::Task);
    if !waits || is_known || call.args.iter().any(|arg| arg.name.is_none()) {
        return None;
    }
    let (started, reported) = (is_started(facts, receiver), has_callback(facts, receiver));
    let is_answer = started || (reported && call.method() != Some("get"));
    is_answer.then(|| facts.bound(call, 0, "timeout"))
}

fn is_started(facts: &Facts, receiver: ExprId) -> bool {
    let values = facts.values(receiver);
    starts(facts, receiver)
        || values.into_iter().any(|value| starts(facts, value))
        || is_one_of_started(facts, receiver)
}

fn starts(facts: &Facts, value: ExprId) -> bool {
    let call = facts.call(value);
    call.is_some_and(|call| {
        let looks_up = call.name() == "AsyncResult" && !call.args.is_empty();
        (STARTS.contains(&call.name()) && call.method().is_some()) || looks_up
    })
}

/// `for job in jobs`, where `jobs` is a list of handles, made at once or grown by `append`.
fn is_one_of_started(facts: &Facts, receiver: ExprId) -> bool {
    let bindings = facts.bindings_behind(receiver);
    let walked = bindings.iter().filter_map(|binding| match binding.kind {
        BindingKind::Loop { iter, .. } => Some(iter),
        _ => None,
    });
    walked.into_iter().any(|list| {
        let mut values = facts.values(list).into_iter().chain([list]);
        values.any(|value| holds_started(facts, value)) || grows_by_started(facts, list)
    })
}

/// A display or a comprehension whose items are handles.
fn holds_started(facts: &Facts, value: ExprId) -> bool {
    let is_display = !matches!(
        facts.expr(value).kind,
        ExprKind::Call { .. } | ExprKind::Lambda { .. }
    );
    let is_item = |id: ExprId| facts.expr(id).parent == Some(value) && starts(facts, id);
    is_display && facts.within(value).any(is_item)
}

fn grows_by_started(facts: &Facts, list: ExprId) -> bool {
    let Some(name) = facts.name(list) else {
        return false;
    };
    let scope = facts.expr(list).scope;
    let puts = |call: Call<'_>| {
        let of_list = call.receiver().and_then(|of| facts.name(of)) == Some(name);
        let of_function = facts.function_of(call.scope()) == facts.function_of(scope);
        let given = call.positional(0);
        of_list && of_function && given.is_some_and(|given| starts(facts, given))
    };
    facts.calls_named("append").any(puts)
}

/// A local handle that is told what to call when it is done.
fn has_callback(facts: &Facts, receiver: ExprId) -> bool {
    let calls_back = |of: &ExprId| {
        let attribute = facts.expr(*of).parent.and_then(|at| facts.attribute(at));
        attribute.is_some_and(|(object, name)| object == *of && name == "add_done_callback")
    };
    let made = facts
        .values(receiver)
        .into_iter()
        .any(|value| facts.call(value).is_some());
    made && facts
        .exprs_within(facts.scope(facts.expr(receiver).scope).span)
        .filter(|&id| facts.name(id) == facts.name(receiver))
        .any(|id| calls_back(&id))
}
