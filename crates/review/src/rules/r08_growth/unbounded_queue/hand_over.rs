//! Queues that hand one thing over at a time: they never hold more.

use crate::facts::{
    Call, Container, ExprId, ExprKind, Facts, HeldUseKind, Keeper, Kind, ScopeId, StmtId, StmtKind,
    Use, UseKind,
};

/// One goes in and the same function takes one out, itself or through a generator: it never holds more.
pub(super) fn hands_over_one(facts: &Facts, container: &Container) -> bool {
    let scope = |of: &Use| facts.stmt(of.stmt).scope;
    let puts: Vec<&Use> = container
        .uses
        .iter()
        .filter(|of| of.kind == UseKind::Append)
        .collect();
    let gets: Vec<&Use> = container
        .uses
        .iter()
        .filter(|of| takes_out(facts, of))
        .collect();
    let drawn = gets.iter().all(|get| facts.scope(scope(get)).is_generator);
    !puts.is_empty()
        && !gets.is_empty()
        && puts.iter().all(|put| {
            gets.iter().any(|get| scope(get) == scope(put)) || (drawn && draws_next(facts, put))
        })
}

fn takes_out(facts: &Facts, of: &Use) -> bool {
    of.kind == UseKind::Shrink
        || facts
            .calls_within(of.span)
            .any(|call| matches!(call.method(), Some("get" | "get_nowait")))
}

/// The function that puts asks a generator for its next value afterwards.
fn draws_next(facts: &Facts, put: &Use) -> bool {
    let Some(function) = facts.function_of(facts.stmt(put.stmt).scope) else {
        return false;
    };
    facts
        .calls_within(facts.scope(function).span)
        .any(|call| matches!(call.callee(), "next" | "anext") && call.span().start > put.span.start)
}

/// A local queue through which its function asks one thing, or gets one answer. Of a question and its answer, each in
/// a queue of its own, others may know as well: they do likewise.
pub(super) fn carries_one(facts: &Facts, made: &Call<'_>, name: &str, function: ScopeId) -> bool {
    let own = Moves::of(facts, name, function);
    let beside = |other: &Moves| !other.repeats;
    match (own.puts, own.takes) {
        _ if own.repeats => false,
        (true, true) => true,
        (true, false) => {
            !leaves(facts, made)
                || moves_beside(facts, name, function).any(|other| beside(&other) && other.takes)
        }
        (false, true) => {
            let stays = !leaves(facts, made) && !is_fed_in_loop(facts, name, function);
            stays || moves_beside(facts, name, function).any(|other| beside(&other) && other.puts)
        }
        (false, false) => false,
    }
}

/// What a function does with a queue that it makes.
struct Moves {
    puts: bool,
    takes: bool,
    /// In a loop, or whenever somebody calls it back.
    repeats: bool,
}

impl Moves {
    fn of(facts: &Facts, name: &str, function: ScopeId) -> Moves {
        let span = facts.scope(function).span;
        let on_it = |id: ExprId| facts.name(id) == Some(name);
        let mut found = Moves {
            puts: false,
            takes: false,
            repeats: false,
        };
        for call in facts.calls_within(span) {
            let is_own = call.scope() == function;
            let puts = is_put(&call) && call.receiver().is_some_and(on_it);
            let gets = matches!(call.method(), Some("get" | "get_nowait"))
                && call.receiver().is_some_and(on_it);
            let takes = is_own && (gets || takes_from(facts, &call, name));
            let is_workers =
                facts.is_thread_body(facts.function_of(call.scope()).unwrap_or(function));
            found.puts |= puts;
            found.takes |= takes;
            found.repeats |=
                (puts || takes) && (is_repeated(facts, &call) || !(is_own || is_workers));
        }
        found
    }
}

fn is_put(call: &Call<'_>) -> bool {
    matches!(call.method(), Some("put" | "put_nowait"))
}

/// In a loop that does not end with it, or in a comprehension.
fn is_repeated(facts: &Facts, call: &Call<'_>) -> bool {
    let mut around = std::iter::successors(facts.expr(call.id).parent, |&at| facts.expr(at).parent);
    let in_comprehension =
        around.any(|at| matches!(facts.expr(at).kind, ExprKind::Comprehension { .. }));
    let ends_loop = || facts.always_leaves(facts.following(call.stmt()));
    in_comprehension || (facts.in_loop(call.stmt()) && !ends_loop())
}

/// A field that a method fills with a queue, empties and takes back: it lives for one message or stream.
pub(super) fn is_taken_back(facts: &Facts, container: &Container) -> bool {
    let Some(function) = facts.function_of(facts.stmt(container.stmt).scope) else {
        return false;
    };
    let is_own = |stmt: StmtId| facts.function_of(facts.stmt(stmt).scope) == Some(function);
    let takes = |of: &Use| is_own(of.stmt) && takes_out(facts, of);
    let is_none = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => {
            let mut named = targets.iter().map(|&target| facts.expr_text(target));
            matches!(facts.expr(*value).kind, ExprKind::None)
                && named.any(|text| text == container.name)
        }
        _ => false,
    };
    let mut behind = facts.statements_of(function);
    container.uses.iter().any(takes) && behind.any(|stmt| stmt > container.stmt && is_none(stmt))
}

/// `reply = wait_for_reply(replies)`: a function that is given the queue and gives back what it took out.
fn takes_from(facts: &Facts, call: &Call<'_>, name: &str) -> bool {
    let mut args = call.args.iter().map(|arg| arg.value);
    let Some(given) = args.find(|&value| facts.name(value) == Some(name)) else {
        return false;
    };
    if call.is_dropped() {
        return false;
    }
    let Some(function) = facts.callee_scope(call) else {
        let is_class = call.name().starts_with(char::is_uppercase);
        return !is_class && topic::words(call.name()).any(|word| TAKING.contains(&&*word));
    };
    let span = facts.expr(given).span;
    let Some(parameter) = facts.parameter_given(call, function, span) else {
        return false;
    };
    facts.calls_of(function).any(|inner| {
        let of = inner.receiver().and_then(|of| facts.name(of));
        matches!(inner.method(), Some("get" | "get_nowait")) && of == Some(&*parameter)
    })
}

/// Words in the names of functions that take out of what they are given.
const TAKING: &[&str] = &[
    "get", "wait", "receive", "recv", "read", "take", "await", "fetch", "poll", "response",
    "reply", "answer", "result",
];

/// Whether others get to know the queue and keep it.
fn leaves(facts: &Facts, made: &Call<'_>) -> bool {
    let Keeper::Holder(holder) = facts.keeper_of(made.id) else {
        return true;
    };
    facts.uses_of(&holder).iter().any(|of| {
        matches!(
            of.kind,
            HeldUseKind::Returned | HeldUseKind::Yielded | HeldUseKind::Stored(_)
        )
    })
}

/// What the function does with the other queues that it makes.
fn moves_beside<'f>(
    facts: &'f Facts,
    name: &'f str,
    function: ScopeId,
) -> impl Iterator<Item = Moves> + 'f {
    facts
        .calls_of(function)
        .filter(|call| facts.constructs(call) == Some(Kind::Queue))
        .filter_map(|call| super::bound_name(facts, &call))
        .filter(move |&other| other != name)
        .map(move |other| Moves::of(facts, other, function))
}

/// Whether a worker that is shown and is handed the queue puts into it again and again.
fn is_fed_in_loop(facts: &Facts, name: &str, function: ScopeId) -> bool {
    let mentions = |id: ExprId| facts.within(id).any(|part| facts.name(part) == Some(name));
    facts
        .calls_of(function)
        .filter(|call| call.args.iter().any(|arg| mentions(arg.value)))
        .filter_map(|call| worker(facts, &call))
        .any(|(home, worker)| puts_in_loop(home, worker))
}

fn worker<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<(&'f Facts, ScopeId)> {
    let is_thread = matches!(facts.constructs(call), Some(Kind::Thread | Kind::Process));
    match call.name() {
        _ if is_thread => facts.thread_target_across(call),
        "submit" => Some((facts, facts.function_given(call.positional(0)?)?)),
        _ => facts.callee(call),
    }
}

fn puts_in_loop(home: &Facts, worker: ScopeId) -> bool {
    let repeats = |call: Call<'_>| is_put(&call) && is_repeated(home, &call);
    let is_method = home.class_of(worker);
    home.calls_of(worker).any(repeats)
        || is_method.is_some_and(|class| home.calls_of_class(class).any(repeats))
}
