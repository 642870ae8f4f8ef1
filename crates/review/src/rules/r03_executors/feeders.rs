//! Functions that start consumers, feed them from a listing, and end them only when the listing does not raise.

use super::kept;
use super::sentinel_only_on_success::{CHECK, is_in_both_paths, is_quiet, puts_sentinel};
use super::signals::is_caught;
use crate::facts::{
    Bound, Call, ExprId, ExprKind, Facts, Handover, Kind, ScopeId, Span, StmtId, StmtKind,
};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut judged: Vec<(ScopeId, Option<&str>)> = Vec::new();
    for call in facts.calls().filter(|call| puts_sentinel(facts, call)) {
        let Some(function) = facts.function_of(call.scope()) else {
            continue;
        };
        let queue = call.receiver().and_then(|queue| facts.last_name(queue));
        let is_new = !judged.contains(&(function, queue));
        if let Some(feed) = feed(facts, &call, function).filter(|_| is_new) {
            judged.push((function, queue));
            report(cx, &call, &feed, out);
        }
    }
}

/// Consumers that run, and the step between their start and their sentinel that can raise.
struct Feed {
    start: Span,
    work: StmtId,
    wait: Span,
    /// The step is a call; what merely walks something may be a list.
    is_call: bool,
}

fn feed(facts: &Facts, put: &Call<'_>, function: ScopeId) -> Option<Feed> {
    let runs_itself = facts.handovers().iter().any(|of| of.function == function);
    if runs_itself || facts.in_finally(put.stmt()) || is_in_both_paths(facts, put, function) {
        return None;
    }
    let consumers = consumers(facts, put);
    let (start, wait) = consumers
        .iter()
        .find_map(|(handover, wait)| Some((start_of(facts, handover, function)?, *wait)))?;
    let (work, is_call) = work_between(facts, start.stmt(), put)?;
    Some(Feed {
        start: start.span(),
        work,
        wait,
        is_call,
    })
}

/// The functions that threads run and that wait without a timeout at the queue, with the wait.
fn consumers(facts: &Facts, put: &Call<'_>) -> Vec<(Handover, Span)> {
    let queue = put.receiver();
    let waits = |handover: &Handover| {
        let span = facts.scope(handover.function).span;
        let mut gets = facts
            .calls_within(span)
            .filter_map(|call| Some((waited_queue(facts, &call)?, call.span())));
        gets.find(|(inner, _)| is_same_queue(facts, handover, *inner, queue))
            .map(|(_, wait)| wait)
    };
    let each = |handover: &Handover| Some((*handover, waits(handover)?));
    facts.handovers().iter().filter_map(each).collect()
}

/// The queue that a call waits at without a timeout: `q.get()`, or `iter(q.get, None)`.
fn waited_queue(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let untimed = call.args.is_empty() && facts.bound(call, 1, "timeout") == Bound::Unbounded;
    if call.method() == Some("get") && untimed {
        return call.receiver();
    }
    let given = call.positional(0).filter(|_| call.callee() == "iter")?;
    let (queue, _) = facts.attribute(given).filter(|(_, name)| *name == "get")?;
    Some(queue)
}

/// The queue has the same name in the consumer, or the consumer's parameter is given it.
fn is_same_queue(facts: &Facts, handover: &Handover, inner: ExprId, queue: Option<ExprId>) -> bool {
    let Some(outer) = queue else {
        return false;
    };
    let same_name = facts.last_name(inner) == facts.last_name(outer);
    let given = || {
        let args = facts.call(handover.call).map_or(&[][..], |call| call.args);
        let outer = facts.dotted(outer);
        let mut named = args.iter().flat_map(|arg| facts.within(arg.value));
        facts.parameter(inner).is_some() && named.any(|id| facts.dotted(id) == outer)
    };
    same_name || given()
}

/// Where the function itself starts what runs the consumer: `Thread(...).start()`, `worker.start()`, `pool.submit(...)`.
fn start_of<'f>(facts: &'f Facts, handover: &Handover, function: ScopeId) -> Option<Call<'f>> {
    let made = facts.call(handover.call)?;
    let in_function = |call: &Call<'_>| facts.function_of(call.scope()) == Some(function);
    if !in_function(&made) {
        return None;
    }
    let is_thread = facts.constructs(&made).is_some();
    if !is_thread {
        return Some(made);
    }
    let mut starts = facts.calls_named("start").filter(in_function);
    starts.find(|start| start.span().start >= made.span().start)
}

/// A step behind the start and before the sentinel that can raise, with nothing in the function that catches all:
/// a call, or a loop over something that is handed in.
fn work_between(facts: &Facts, start: StmtId, put: &Call<'_>) -> Option<(StmtId, bool)> {
    let between = facts.statements_of(facts.stmt(put.stmt()).scope);
    let mut open = between.filter(|&stmt| {
        let starting = facts.stmt(stmt).span.contains(facts.stmt(start).span);
        stmt > start && stmt < put.stmt() && !starting && !is_caught(facts, stmt)
    });
    open.find_map(|stmt| {
        let calls = facts.calls_in(stmt).any(|call| is_work(facts, &call));
        (calls || walks_handed_in(facts, stmt)).then_some((stmt, calls))
    })
}

/// A loop over something that is handed in, before the sentinel: its next item can raise.
pub(super) fn walk_before(facts: &Facts, put: &Call<'_>) -> Option<StmtId> {
    let mut before = facts.statements_of(facts.stmt(put.stmt()).scope);
    before.find(|&stmt| {
        let walks = walks_handed_in(facts, stmt) || walks_unseen_field(facts, stmt);
        stmt < put.stmt() && !is_caught(facts, stmt) && walks
    })
}

/// A loop over a field that a hunk shows nothing else of.
fn walks_unseen_field(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::For { iter, .. } = facts.stmt(stmt).kind else {
        return false;
    };
    let is_unseen = facts.bindings_behind(iter).is_empty() && facts.kind_of(iter).is_none();
    !facts.document.whole && facts.self_attribute(iter).is_some() && is_unseen
}

fn walks_handed_in(facts: &Facts, stmt: StmtId) -> bool {
    matches!(facts.stmt(stmt).kind, StmtKind::For { iter, .. } if is_handed_in(facts, iter))
}

/// Starting another worker, joining paths and counting do not raise in practice.
fn is_work(facts: &Facts, call: &Call<'_>) -> bool {
    let calm = matches!(
        call.name(),
        "start" | "append" | "join" | "Thread" | "enumerate" | "zip" | "sorted" | "list" | "format"
    );
    !calm && !is_quiet(call) && facts.constructs(call).is_none()
}

/// A parameter or a field that is no list of this file's making.
fn is_handed_in(facts: &Facts, iter: ExprId) -> bool {
    let is_plain = matches!(
        facts.expr(iter).kind,
        ExprKind::Name | ExprKind::Attribute { .. }
    );
    let is_list = matches!(
        facts.kind_of(iter),
        Some(Kind::List | Kind::Dict | Kind::Set | Kind::Thread | Kind::Process)
    );
    let of_parameter = facts.parameter(iter).is_some() || facts.is_handed_in(iter);
    is_plain && !is_list && of_parameter
}

fn report(cx: &Context<'_>, put: &Call<'_>, feed: &Feed, out: &mut Outcome) {
    let facts = cx.facts;
    let sure = feed.is_call && facts.sees_all_of(put.stmt()) && facts.sees_enclosure(put.stmt());
    let verdict = HitVerdict::sure_if(sure);
    let verdict = kept::unless_cold(cx, verdict);
    let mut hit = Hit::new(&CHECK, Anchor::call(put), verdict, word(facts, put))
        .with_related(feed.start, "the consumer runs from here on")
        .with_related(
            facts.stmt(feed.work).head,
            "an error here skips the sentinel",
        )
        .with_related(feed.wait, "waits for it without a timeout");
    hit.causes
        .extend([feed.start, facts.stmt(feed.work).head, feed.wait]);
    out.hits.push(hit);
}

fn word(facts: &Facts, put: &Call<'_>) -> Words {
    let queue = put
        .receiver()
        .map_or("the queue", |queue| facts.expr_text(queue));
    Words::new(
        format!("The consumers of `{queue}` are told to end only when nothing raised before."),
        "If what feeds them fails, they wait at the queue for ever, and threads that are no daemons keep the process from ending.",
        "Put the sentinels in a `finally` around the feeding.",
    )
}
