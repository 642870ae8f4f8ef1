//! A session, device or process that only the interpreter's orderly end closes.

use super::{inherited_over_fork, kept};
use crate::facts::{Call, Facts, Holder, How, Kind, Made, Resource, ScopeId, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "atexit-only-cleanup",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "An external session, device or process is closed only by `atexit`, which a killed or forked worker does not run, or is inherited by a forked child.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in cx
        .facts
        .made()
        .iter()
        .filter(|made| is_external(made.resource))
    {
        let Some(holder) = cx.facts.field_of(made).or_else(|| lasting(cx.facts, made)) else {
            continue;
        };
        let closings = cx.facts.closings(&holder, made.resource);
        let at_exit = closings
            .iter()
            .find(|closing| closing.how == How::Atexit || runs_at_exit(cx.facts, closing.stmt));
        let otherwise = closings
            .iter()
            .any(|closing| closing.how != How::Atexit && !runs_at_exit(cx.facts, closing.stmt));
        if let (Some(at_exit), false) = (at_exit, otherwise) {
            let verdict = kept::unless_cold(cx, HitVerdict::Look);
            let anchor = Anchor::stmt(cx.facts, at_exit.stmt);
            let hit = Hit::new(&CHECK, anchor, verdict, word(made, &holder));
            let mut hit = hit.with_related(cx.facts.expr(made.call).span, "opened here");
            hit.causes.push(cx.facts.expr(made.call).span);
            out.hits.push(hit);
        }
    }
    inherited_over_fork::detect(cx, out);
}

/// What other machines or the system keep for us, and pools of processes.
fn is_external(resource: Resource) -> bool {
    matches!(
        resource,
        Resource::Object(
            Kind::Client
                | Kind::Socket
                | Kind::Capture
                | Kind::VideoWriter
                | Kind::MediaContainer
                | Kind::Process
                | Kind::Subprocess
                | Kind::SharedMemory
                | Kind::Pool
        ) | Resource::Manager
            | Resource::Connection
    )
}

/// A name of the module or the class, or one of a function that keeps what it returns for all callers.
fn lasting(facts: &Facts, made: &Made) -> Option<Holder> {
    let lasts = |holder: &&Holder| match holder {
        Holder::Global { .. } | Holder::ClassName { .. } => true,
        Holder::Local { function, .. } => facts.keeps_results(*function),
        Holder::Attribute { .. } => false,
    };
    made.holder().filter(lasts).cloned()
}

/// Whether a closing stands in a function that is registered with `atexit` and called by nobody shown.
fn runs_at_exit(facts: &Facts, stmt: StmtId) -> bool {
    let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
        return false;
    };
    let registers = |call: &Call<'_>| {
        call.is(&["atexit.register"])
            && call
                .positional(0)
                .and_then(|given| facts.function_given(given))
                .is_some_and(|given| facts.canonical(given) == facts.canonical(function))
    };
    let decorated = facts
        .decorators(function)
        .iter()
        .any(|&decorator| facts.is_one_of(decorator, &["atexit.register"]));
    (decorated || facts.calls().any(|call| registers(&call)))
        && facts.calls_to(function).next().is_none()
        && !is_handed_elsewhere(facts, function)
}

/// The function is also registered for a signal, a fork or a server's shutdown.
fn is_handed_elsewhere(facts: &Facts, function: ScopeId) -> bool {
    facts
        .calls()
        .filter(|call| !call.is(&["atexit.register"]))
        .any(|call| {
            call.args.iter().any(|arg| {
                facts
                    .function_given(arg.value)
                    .is_some_and(|given| facts.canonical(given) == facts.canonical(function))
            })
        })
}

fn word(made: &Made, holder: &Holder) -> Words {
    let name = holder.text();
    let noun = made.resource.noun();
    Words::new(
        format!("Only `atexit` closes the {noun} in `{name}`."),
        "A worker that is killed by a signal, or that a server forks and ends with `os._exit`, never runs it, and the other side keeps the session.",
        format!(
            "Is `{name}` also closed on SIGTERM and in the server's shutdown hook? A forked child must not use its parent's."
        ),
    )
}
