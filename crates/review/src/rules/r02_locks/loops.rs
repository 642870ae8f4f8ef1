//! Which event loops a file makes and runs, and which of them serve one primitive.

use crate::facts::{
    Call, ExprId, Facts, HeldUse, HeldUseKind, Holder, Keeper, Kind, ScopeId, Span, StmtId,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};

/// An async method that uses a primitive on the caller's loop, while a thread of the class runs another over it.
pub(super) struct Second {
    pub(super) proven: bool,
    /// Where the class starts the loop of its thread.
    pub(super) run: Span,
    /// Where the other loop waits.
    pub(super) wait: Span,
}

/// Whether a thread of the class runs a loop that reaches the primitive, and a public coroutine that this loop does not
/// run waits on it, too.
pub(super) fn second(facts: &Facts, target: ExprId) -> Option<Second> {
    let class = facts.class_of(facts.expr(target).scope)?;
    let field = facts.self_attribute(target)?;
    let runs = |call: &Call<'_>| {
        let starts = call.is(&["asyncio.run"])
            || matches!(call.method(), Some("run_until_complete" | "run_forever"));
        starts && facts.handover_of(call.stmt()).is_some()
    };
    let run = facts.calls_of_class(class).find(runs)?;
    let body = facts.scope(facts.function_of(run.scope())?).span;
    let served = reached(facts, body);
    let mentions = |scope: ScopeId| mention(facts, scope, field);
    served.iter().find_map(|&scope| mentions(scope))?;
    let is_apart = |&scope: &ScopeId| {
        let name = facts.scope_name(scope).unwrap_or("_");
        facts.is_async(scope)
            && !name.starts_with('_')
            && !served.contains(&facts.canonical(scope))
            && !is_sent_over(facts, scope)
    };
    let wait = facts.methods(class).filter(is_apart).find_map(|scope| {
        let at = mention(facts, scope, field)?;
        facts.awaits(facts.expr(at).stmt).then_some(at)
    })?;
    // Who can get at the loop from outside may send the coroutine over.
    let keeps_loop = facts
        .exprs_within(facts.scope(class).span)
        .any(|id| facts.self_attribute(id).is_some() && facts.kind_of(id) == Some(Kind::EventLoop));
    Some(Second {
        proven: !keeps_loop && facts.is_visible(class),
        run: run.span(),
        wait: facts.expr(wait).span,
    })
}

fn mention(facts: &Facts, scope: ScopeId, field: &str) -> Option<ExprId> {
    let span = facts.scope(scope).span;
    facts
        .exprs_within(span)
        .find(|&id| facts.self_attribute(id) == Some(field))
}

/// The functions that an expression calls, and those that they call or start.
fn reached(facts: &Facts, from: Span) -> Vec<ScopeId> {
    let called = |span: Span| {
        let calls = facts.calls_within(span);
        calls.filter_map(|call| facts.callee_scope(&call))
    };
    let mut seen: Vec<ScopeId> = Vec::new();
    let mut todo: Vec<ScopeId> = called(from).collect();
    while let Some(function) = todo.pop().map(|function| facts.canonical(function)) {
        if !seen.contains(&function) && seen.len() < 64 {
            seen.push(function);
            todo.extend(called(facts.scope(function).span));
        }
    }
    seen
}

/// `run_coroutine_threadsafe(self.process(item), self._loop)`: it runs where the loop is.
fn is_sent_over(facts: &Facts, function: ScopeId) -> bool {
    let is_sent = |call: Call<'_>| {
        let given = call.positional(0).and_then(|given| facts.call(given));
        let callee = given.and_then(|given| facts.callee_scope(&given));
        callee.map(|scope| facts.canonical(scope)) == Some(facts.canonical(function))
    };
    facts.calls_named("run_coroutine_threadsafe").any(is_sent)
}

/// Reports loops that are made, given work, and run by nothing that is shown.
pub(super) fn detect_idle(cx: &Context<'_>, check: &'static Check, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        if facts.constructs(&call) != Some(Kind::EventLoop) || call.name() != "new_event_loop" {
            continue;
        }
        let Keeper::Holder(holder) = facts.keeper_of(call.id) else {
            continue;
        };
        if let Some(work) = work_of_idle(facts, call.id, &holder) {
            report_idle(cx, check, &call, &holder, work, out);
        }
    }
}

/// What is given to a loop that nothing runs, where everything is shown that could.
fn work_of_idle(facts: &Facts, made: ExprId, holder: &Holder) -> Option<StmtId> {
    let shown = match holder {
        Holder::Attribute { class, name } => {
            name.starts_with('_') && class.is_some_and(|class| facts.is_visible(class))
        }
        // A name that the change brings is used in its lines alone.
        Holder::Local { function, .. } => {
            let is_new = facts.is_changed(facts.expr(made).span);
            facts.is_visible(*function) || is_new
        }
        _ => false,
    };
    let uses = facts.uses_of(holder);
    let is_given = |of: &HeldUse| is_given_work(facts, of);
    let runs = |of: &HeldUse| !is_given(of) && may_run(facts, of);
    if !shown || uses.iter().any(runs) {
        return None;
    }
    uses.iter().find(|of| is_given(of)).map(|of| of.stmt)
}

/// `loop.create_task(...)`, `run_coroutine_threadsafe(..., loop)`, `Queue(loop=loop)`, `Lock(loop)`.
fn is_given_work(facts: &Facts, of: &HeldUse) -> bool {
    match of.kind {
        HeldUseKind::Method(call) => matches!(
            facts.call(call).and_then(|call| call.method()),
            Some(
                "create_task"
                    | "create_future"
                    | "call_soon"
                    | "call_soon_threadsafe"
                    | "call_later"
                    | "run_in_executor"
            )
        ),
        HeldUseKind::Passed(call) => facts.call(call).is_some_and(|call| {
            let kind = facts.constructs(&call);
            // `Lock(loop)`: before 3.10 the loop was its only argument.
            let is_lock =
                kind.is_some_and(|kind| matches!(kind, Kind::AsyncLock | Kind::AsyncEvent));
            let by_place = is_lock && call.args.len() == 1;
            call.name() == "run_coroutine_threadsafe"
                || (kind.is_some() && (call.keyword("loop").is_some() || by_place))
        }),
        _ => false,
    }
}

/// Anything but an end and a question may run it, or hand it to somebody who does.
fn may_run(facts: &Facts, of: &HeldUse) -> bool {
    match of.kind {
        HeldUseKind::Method(call) => !matches!(
            facts.call(call).and_then(|call| call.method()),
            Some(
                "close"
                    | "stop"
                    | "is_running"
                    | "is_closed"
                    | "set_debug"
                    | "set_exception_handler"
            )
        ),
        HeldUseKind::Bound(attribute, _) => {
            let method = facts.attribute(attribute).map(|(_, name)| name);
            !matches!(method, Some("close" | "stop"))
        }
        HeldUseKind::Read => false,
        _ => true,
    }
}

fn report_idle(
    cx: &Context<'_>,
    check: &'static Check,
    call: &Call<'_>,
    holder: &Holder,
    work: StmtId,
    out: &mut Outcome,
) {
    let verdict = match cx.facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nothing waits for it: {reason}.")),
        None => HitVerdict::Violation,
    };
    let name = holder.text();
    let words = Words::new(
        format!("`{name}` is an event loop that nothing shown runs."),
        "What is scheduled on it never starts, and whoever waits for the result waits for ever or runs into the timeout.",
        format!("Run it in a thread (`{name}.run_forever`), or use the loop that runs already."),
    );
    let mut hit = Hit::new(check, Anchor::call(call), verdict, words).with_related(
        cx.facts.stmt(work).head,
        "given to a loop that does not run",
    );
    hit.causes.push(cx.facts.stmt(work).head);
    out.hits.push(hit);
}

/// What a wait on a second loop is told.
pub(super) fn words_of_second(facts: &Facts, target: ExprId) -> Words {
    let what = facts.shown(target);
    Words::new(
        format!(
            "`{what}` is waited on by two event loops: the thread's own, and that of whoever calls from outside."
        ),
        "An asyncio primitive serves one loop. From another it raises, or its waiter is never woken.",
        "Send the outer use over with `asyncio.run_coroutine_threadsafe`, or use a thread-safe queue or event between the two.",
    )
}
