//! Futures, tasks or results collected on something long-lived and never dropped.

use super::ending::only_the_end_empties;
use super::lifespan::{owner_ask, weighed};
use super::per_caller::{is_called_back, is_of_caller};
use crate::facts::{
    Container, ExprId, ExprKind, Facts, Heat, Kind, Lifespan, Owner, Part, StmtId, StmtKind, Use,
    UseKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unpruned-collector",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "Futures, tasks, contexts or results are appended to a long-lived list or set that nothing prunes.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for container in cx.facts.containers() {
        let collects = matches!(container.kind, Kind::List | Kind::Set);
        let Some(append) = container
            .uses
            .iter()
            .find(|of| collects && of.kind == UseKind::Append)
        else {
            continue;
        };
        // What its end alone empties grows until then, if it is filled again and again.
        let until_end = only_the_end_empties(cx.facts, container);
        let goes_on = until_end && is_repeated(cx, append);
        let bounded = container.is_bounded() && !is_only_asked(cx.facts, container, append);
        if (bounded && !goes_on) || drains_itself(cx.facts, container) {
            continue;
        }
        if let Some(what) = collected(cx, container, append) {
            report(cx, container, append, what, out);
        }
    }
}

/// What is collected, where it is something that piles up with time.
fn collected(cx: &Context<'_>, container: &Container, append: &Use) -> Option<&'static str> {
    let facts = cx.facts;
    let value = appended(facts, append)?;
    let runs_often = is_repeated(cx, append);
    let what = match facts.kind_of(value) {
        Some(Kind::Future) => "futures",
        Some(Kind::Task) => "tasks",
        Some(Kind::Thread | Kind::Process) => "threads or processes",
        _ if is_called_back(facts, value) => "futures",
        _ if is_of_caller(facts, append, value) => "one entry for each caller",
        _ if runs_often && piles_up(&container.name) => "entries",
        _ if runs_often && is_task_by_name(facts, container, value) => "tasks",
        _ if measures(facts, value) && (runs_often || lasts(facts, container)) => "measurements",
        _ => return None,
    };
    let starts_up = matches!(facts.heat(append.stmt, cx.profile), Heat::Cold(_));
    let local_fill = facts.stmt(container.stmt).scope == facts.stmt(append.stmt).scope;
    let closed = matches!(
        container.owner,
        Owner::Module | Owner::Class(_) | Owner::Instance(_)
    );
    let is_crew = what == "threads or processes" && is_started_once(facts, append);
    (closed && !starts_up && !local_fill && !is_crew).then_some(what)
}

/// Nothing takes values out, and how many there are is only asked elsewhere: `if len(self._seconds) < 2:` of a summary.
fn is_only_asked(facts: &Facts, container: &Container, append: &Use) -> bool {
    let scope = facts.stmt(append.stmt).scope;
    container.uses.iter().all(|of| match of.kind {
        UseKind::Shrink | UseKind::Rebind => false,
        UseKind::Size => facts.stmt(of.stmt).scope != scope,
        _ => true,
    }) && appended(facts, append).is_some_and(|value| measures(facts, value))
}

/// One value for each time that something happens: how long it took.
fn measures(facts: &Facts, value: ExprId) -> bool {
    let says = |name: &str| {
        topic::ends_in_word(
            name,
            "seconds duration elapsed latency ms millis milliseconds",
        )
    };
    facts.parameter(value).is_some() && facts.last_name(value).is_some_and(says)
}

/// An object of the class is kept for good: by the module, or by what the module keeps.
fn lasts(facts: &Facts, container: &Container) -> bool {
    match container.owner {
        Owner::Instance(class) => facts.lifespan(class) == Lifespan::Lasting,
        Owner::Module | Owner::Class(_) => true,
    }
}

/// Appended to for each request or event, or in a loop that goes on.
fn is_repeated(cx: &Context<'_>, append: &Use) -> bool {
    let facts = cx.facts;
    let in_endless = facts.ancestors(append.stmt).any(|around| {
        around.part == Part::Body && matches!(facts.stmt(around.stmt).kind, StmtKind::While { .. })
    });
    matches!(facts.heat(append.stmt, cx.profile), Heat::Hot)
        || is_event(facts, append)
        || in_endless
        || facts.function_of(facts.stmt(append.stmt).scope).is_some() && is_headless(facts, append)
}

/// The function's head is not shown, nor what surrounds the append.
fn is_headless(facts: &Facts, append: &Use) -> bool {
    facts.function_name(append.stmt).is_none() && !facts.sees_enclosure(append.stmt)
}

/// `self._tasks.append(event_task)`: both say so.
fn is_task_by_name(facts: &Facts, container: &Container, value: ExprId) -> bool {
    let ends = |name: &str, words: &[&str]| {
        let last = topic::words(name).last();
        last.is_some_and(|last| words.contains(&&*last))
    };
    let name = facts.last_name(value);
    ends(&container.name, &["tasks", "futures", "jobs"])
        && name.is_some_and(|name| ends(name, &["task", "future", "job"]))
}

/// A crew of a fixed number, made in one loop of a function that starts, or that notes that it has started.
fn is_started_once(facts: &Facts, append: &Use) -> bool {
    let counts =
        facts
            .innermost_loop(append.stmt)
            .is_some_and(|outer| match facts.stmt(outer).kind {
                StmtKind::For { iter, .. } => facts
                    .call(iter)
                    .is_some_and(|call| call.callee() == "range"),
                _ => false,
            });
    let notes = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => {
            let is_flag = |&target: &ExprId| facts.self_attribute(target).is_some();
            matches!(facts.expr(*value).kind, ExprKind::True) && targets.iter().any(is_flag)
        }
        _ => false,
    };
    let name = facts.function_name(append.stmt).unwrap_or("");
    let scope = facts.stmt(append.stmt).scope;
    counts && (topic::says(name, "start") || facts.statements_of(scope).any(notes))
}

/// Names of what is kept about the past.
fn piles_up(name: &str) -> bool {
    [
        "history",
        "pending",
        "results",
        "log",
        "logs",
        "records",
        "timings",
        "latencies",
        "futures",
        "contexts",
        "durations",
        "errors",
        "failures",
        "exceptions",
        "alerts",
        "events",
        "metrics",
        "traces",
        "samples",
        "responses",
        "measurements",
    ]
    .iter()
    .any(|word| topic::says(name, word))
}

/// Fired by events: `fire`, `emit`, `push`, `record`.
fn is_event(facts: &Facts, append: &Use) -> bool {
    let name = facts.function_name(append.stmt).unwrap_or("");
    [
        "fire", "emit", "push", "record", "send", "publish", "schedule", "spawn", "enqueue",
    ]
    .iter()
    .any(|word| topic::says(name, word))
}

fn appended(facts: &Facts, append: &Use) -> Option<ExprId> {
    let call = facts
        .calls_within(append.span)
        .find(|call| matches!(call.method(), Some("append" | "add")))?;
    call.positional(0)
}

/// `task.add_done_callback(self._tasks.discard)` takes each one out again.
fn drains_itself(facts: &Facts, container: &Container) -> bool {
    let discard = [
        format!("{}.discard", container.name),
        format!("{}.remove", container.name),
    ];
    facts
        .calls_named("add_done_callback")
        .filter(|call| call.method().is_some())
        .any(|call| {
            call.positional(0)
                .and_then(|given| facts.dotted(given))
                .is_some_and(|given| discard.contains(&given))
        })
}

fn report(cx: &Context<'_>, container: &Container, append: &Use, what: &str, out: &mut Outcome) {
    let facts = cx.facts;
    let plain = HitVerdict::sure_if(facts.sees_all_uses(container) && !is_headless(facts, append));
    let Some(verdict) = weighed(facts, container, plain.clone()) else {
        return;
    };
    let mut words = word(container, what);
    if verdict != plain {
        words.ask = owner_ask(facts, container);
    }
    let anchor = Anchor {
        stmt: append.stmt,
        span: append.span,
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    hit.causes.push(facts.stmt(container.stmt).head);
    out.hits
        .push(hit.with_related(facts.stmt(container.stmt).head, "kept here"));
}

fn word(container: &Container, what: &str) -> Words {
    let name = &container.name;
    Words::new(
        format!("`{name}` collects {what} and nothing shown takes them out."),
        "What is done stays referenced with all that it holds, for as long as the owner lives.",
        format!(
            "Drop what is done before adding to `{name}`, or remove each entry when it finishes."
        ),
    )
}
