//! A background loop that its first error ends, where nobody looks after the thread or task that runs it.

use crate::facts::{Call, ExprId, ExprKind, Facts, ScopeId, StmtId, StmtKind, Wait};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "loop-dies-on-error",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A loop in a thread or task that nobody watches ends for good with the first error of a step.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    let runs = |stmt: &StmtId| match facts.stmt(*stmt).kind {
        StmtKind::While { test, .. } => serves(facts, test),
        _ => false,
    };
    for outer in facts.stmt_ids().filter(runs) {
        let Some(runner) = runner(facts, outer) else {
            continue;
        };
        if facts.handlers_around(outer).next().is_some() || is_watched(facts, runner) {
            continue;
        }
        if let Some(step) = risky_step(cx, outer) {
            report(facts, outer, step, runner, out);
        }
    }
}

/// `while True`, `while not stop.wait(60)`, `while self._running`: as long as the service lives.
fn serves(facts: &Facts, test: ExprId) -> bool {
    match &facts.expr(test).kind {
        ExprKind::True | ExprKind::Not(_) => true,
        ExprKind::Number => facts.expr_text(test) != "0",
        _ => facts.self_attribute(test).is_some(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    Thread,
    Task,
}

/// Who runs the loop's function, where the file shows that it has a thread or task of its own.
fn runner(facts: &Facts, outer: StmtId) -> Option<Runner> {
    let function = facts.function_of(facts.stmt(outer).scope)?;
    match facts.is_async(function) {
        true => facts.runs_as_task(function).then_some(Runner::Task),
        false => (facts.is_thread_body(function) && !is_of_process(facts, function))
            .then_some(Runner::Thread),
    }
}

/// A process that ends has a code that tells, and whoever started it can ask.
fn is_of_process(facts: &Facts, function: ScopeId) -> bool {
    let runs = |call: Call<'_>| {
        let target = facts.thread_target(&call);
        target.map(|scope| facts.canonical(scope)) == Some(facts.canonical(function))
    };
    let mut processes = facts.calls_named("Process");
    let of_class = facts.class_of(function).is_some_and(|class| {
        let mut bases = facts.base_names(class);
        bases.any(|base| base == "Process")
    });
    of_class || processes.any(runs)
}

/// Somebody hears of a task that ended: a callback, a group, a `gather`.
fn is_watched(facts: &Facts, runner: Runner) -> bool {
    let watches = [
        "add_done_callback",
        "gather",
        "TaskGroup",
        "create_task_group",
        "as_completed",
    ];
    let waits = || facts.calls().any(|call| call.is(&["asyncio.wait"]));
    runner == Runner::Task
        && (waits()
            || watches
                .iter()
                .any(|name| facts.exprs_named(name).next().is_some()))
}

/// The first call in the loop that fails now and then, and that no handler in the function stands around.
fn risky_step(cx: &Context<'_>, outer: StmtId) -> Option<ExprId> {
    let facts = cx.facts;
    let inside = facts.calls_within(facts.stmt(outer).span);
    let scope = facts.stmt(outer).scope;
    let mut steps = inside.filter(|call| {
        call.scope() == scope && facts.handlers_around(call.stmt()).next().is_none()
    });
    steps
        .find(|call| fails(cx, call) || fails_below(cx, call))
        .map(|call| call.id)
}

/// The other side of a network, a child or somebody else's function.
fn fails(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let outside = facts
        .blocking(call)
        .is_some_and(|(wait, _)| matches!(wait, Wait::Network | Wait::Subprocess));
    outside
        || facts.failing(call).is_some()
        || facts.fetches(call, cx.profile)
        || call.is(&["json.loads", "pickle.loads"])
        || is_handed_in(facts, call)
        || asks_somebody(facts, call)
}

/// A step that something not shown does: awaited, or by a verb of what goes outside on an object that was handed in.
fn asks_somebody(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(receiver) = call.receiver() else {
        return false;
    };
    let is_unknown = facts.kind_of(receiver).is_none() && facts.callee_scope(call).is_none();
    let acts = || topic::words(call.name()).any(|word| OUTSIDE.contains(&&*word));
    let is_part = || facts.self_attribute(receiver).is_some();
    is_unknown
        && acts()
        && (call.is_awaited() || (is_part() && facts.is_handed_in(receiver)))
        && !facts.is_attribute_of_module(call.function)
}

/// Verbs of what goes over a network, to a disk or a device.
const OUTSIDE: &[&str] = &[
    "commit", "connect", "delete", "download", "execute", "fetch", "flush", "insert", "load",
    "ping", "post", "publish", "recv", "refresh", "remove", "report", "request", "save", "send",
    "sync", "update", "upload", "write",
];

/// `handle(job)` of a parameter, `self._handler(job)` of a field that was handed in.
fn is_handed_in(facts: &Facts, call: &Call<'_>) -> bool {
    let is_given = facts.parameter(call.function).is_some() || facts.is_handed_in(call.function);
    is_given && !call.args.is_empty()
}

/// A function of this file that does so, with nothing around it there.
fn fails_below(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let below: Option<ScopeId> = facts.callee_scope(call);
    below
        .filter(|&function| !is_caught_around(facts, function))
        .is_some_and(|function| {
            let mut calls = facts.calls_of(function);
            calls.any(|inner| {
                facts.handlers_around(inner.stmt()).next().is_none() && fails(cx, &inner)
            })
        })
}

/// `@never_raises` of this file, whose wrapper catches what the function raises.
fn is_caught_around(facts: &Facts, function: ScopeId) -> bool {
    facts.decorators(function).iter().any(|&decorator| {
        let wrapper = facts.definition(decorator);
        wrapper.is_some_and(|wrapper| {
            let mut calls = facts.calls_within(facts.scope(wrapper).span);
            calls.any(|call| facts.handlers_around(call.stmt()).next().is_some())
        })
    })
}

fn report(facts: &Facts, outer: StmtId, step: ExprId, runner: Runner, out: &mut Outcome) {
    let step = facts.expr(step);
    let words = word(facts.text(step.span), runner);
    let hit = Hit::new(&CHECK, Anchor::stmt(facts, outer), HitVerdict::Look, words);
    let mut hit = hit.with_related(step.span, "can raise here");
    hit.causes.push(facts.stmt(step.stmt).head);
    out.hits.push(hit);
}

fn word(step: &str, runner: Runner) -> Words {
    let step = step.split('(').next().unwrap_or(step);
    let (who, where_told) = match runner {
        Runner::Thread => ("thread", "on the standard error output at best"),
        Runner::Task => ("task", "when the collector comes by, if at all"),
    };
    Words::new(
        format!("The first error of `{step}` ends this loop for good."),
        format!(
            "It leaves the {who}, which nobody watches: the error is told {where_told}, the service goes on, and what the loop did is not done any more."
        ),
        format!(
            "Can `{step}` raise? Catch and log inside of the loop, with a pause before the next try, or watch the {who} and start it again."
        ),
    )
}
