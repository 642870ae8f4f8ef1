//! A clean-up loop over several items: the one that raises ends it.

use super::{CHECK, PEERS, can_fail, closes, hands_on, is_guarded, steps};
use crate::facts::{Call, CleanupPlace, ExprId, Facts, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, Outcome, Words};

/// `for model in self._models.values(): model.close()` in a method that closes, or a loop on the way of an error.
pub(super) fn judge(
    facts: &Facts,
    stmt: StmtId,
    target: ExprId,
    body: &[StmtId],
    out: &mut Outcome,
) {
    if is_guarded(facts, stmt) {
        return;
    }
    if let Some(step) = closing_step(facts, stmt, target, body) {
        report(facts, step, HitVerdict::Look, word_of_close(), out);
    } else if follows_error(facts, stmt) {
        judge_removals(facts, stmt, target, body, out);
    }
}

/// The step of a closing method's loop over what the object holds that can raise.
fn closing_step(facts: &Facts, stmt: StmtId, target: ExprId, body: &[StmtId]) -> Option<StmtId> {
    let StmtKind::For { iter, .. } = facts.stmt(stmt).kind else {
        return None;
    };
    let of_owner = facts
        .within(iter)
        .any(|id| facts.self_attribute(id).is_some());
    let in_closer = matches!(
        facts.cleanup_place(stmt),
        Some(CleanupPlace::Closer | CleanupPlace::Protocol)
    );
    let is_risk = |&step: &StmtId| {
        let mut calls = facts.calls_in(step);
        let closed = calls.find_map(|call| call.receiver().filter(|_| closes(&call)));
        closed.is_some_and(|closed| {
            let item = facts
                .name(closed)
                .filter(|&name| is_target(facts, target, name));
            item.is_some_and(|name| !is_calm(facts, closed, name) && is_telling(facts, step, name))
        })
    };
    let in_method = (of_owner && in_closer)
        .then(|| steps(facts, body).into_iter().find(is_risk))
        .flatten();
    let on_error = || {
        let of_item = |&step: &StmtId| is_risk(&step) && can_fail(facts, step);
        steps(facts, body).into_iter().find(of_item)
    };
    in_method.or_else(|| follows_error(facts, stmt).then(on_error).flatten())
}

/// In a `finally`, or in a handler for all errors that raises again.
fn follows_error(facts: &Facts, stmt: StmtId) -> bool {
    let hands = facts
        .enclosing_handler(stmt)
        .is_some_and(|handler| hands_on(facts, handler) || facts.reraises(handler));
    facts.in_finally(stmt) || hands || leads_into_raise(facts, stmt)
}

/// `raise error` right behind the loop: it stands in a handler whose head may not be shown, or is one in effect.
fn leads_into_raise(facts: &Facts, stmt: StmtId) -> bool {
    facts.following(stmt).first().is_some_and(|&next| {
        matches!(facts.stmt(next).kind, StmtKind::Raise) && facts.calls_in(next).next().is_none()
    })
}

fn judge_removals(facts: &Facts, stmt: StmtId, target: ExprId, body: &[StmtId], out: &mut Outcome) {
    let StmtKind::For { iter, .. } = facts.stmt(stmt).kind else {
        return;
    };
    let foreign = facts.within(iter).any(|id| {
        facts.self_attribute(id).is_some()
            || facts.parameter(id).is_some()
            || facts.name(id).is_some_and(|_| is_splat(facts, id))
    });
    let removal = body
        .iter()
        .flat_map(|&step| facts.calls_in(step))
        .find(|call| removes_item(facts, call, target));
    let Some(call) = removal.filter(|_| foreign) else {
        return;
    };
    let verdict = HitVerdict::sure_if(facts.sees_enclosure(stmt));
    let anchor = Anchor::call(&call);
    let words = word_of_removal(facts, &call);
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

/// `*segments` of the function itself.
fn is_splat(facts: &Facts, id: ExprId) -> bool {
    let Some(function) = facts.function_of(facts.expr(id).scope) else {
        return false;
    };
    let name = facts.name(id);
    let mut params = facts.scope(function).params.iter();
    params.any(|param| Some(facts.text(param.name).trim_start_matches('*')) == name)
}

/// A removal of the loop's item that raises where it is gone already: a path, or a segment of shared memory.
fn removes_item(facts: &Facts, call: &Call<'_>, target: ExprId) -> bool {
    let of_item = |id: ExprId| {
        facts.within(id).any(|id| {
            facts
                .name(id)
                .is_some_and(|name| is_target(facts, target, name))
        })
    };
    if let Some(deletion) = facts.deletion(*call) {
        return !deletion.is_tolerant && of_item(deletion.path);
    }
    let Some(segment) = call.receiver().filter(|_| call.method() == Some("unlink")) else {
        return false;
    };
    facts.kind_of(segment) == Some(Kind::SharedMemory) && of_item(segment)
}

fn is_target(facts: &Facts, target: ExprId, name: &str) -> bool {
    facts.within(target).any(|id| facts.name(id) == Some(name))
}

/// `stop()` alone says little: a timer has one as well as a camera. What is stopped has to have another side.
fn is_telling(facts: &Facts, step: StmtId, name: &str) -> bool {
    let only_stops = facts
        .calls_in(step)
        .any(|call| call.method() == Some("stop"));
    let more = [
        "source", "stream", "model", "session", "comm", "backend", "plugin", "detector", "camera",
        "device", "node", "server", "sink",
    ];
    let mut words = PEERS.iter().chain(&more);
    !only_stops || words.any(|word| topic::says(name, word))
}

/// Closing a file, a thread or a pool does not raise in practice.
fn is_calm(facts: &Facts, closed: ExprId, name: &str) -> bool {
    let by_kind = facts.kind_of(closed).is_some_and(|kind| {
        !matches!(
            kind,
            Kind::Client | Kind::Redis | Kind::MediaContainer | Kind::SharedMemory | Kind::Socket
        )
    });
    let calm = [
        "file", "thread", "worker", "executor", "pool", "timer", "capture", "cap", "writer",
        "event", "lock", "process", "proc", "task", "handle", "camera",
    ];
    by_kind || calm.iter().any(|word| topic::says(name, word))
}

fn report(facts: &Facts, step: StmtId, verdict: HitVerdict, words: Words, out: &mut Outcome) {
    let anchor = Anchor::stmt(facts, step);
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

fn word_of_close() -> Words {
    Words::new(
        "One item of this clean-up loop that raises ends it, and the others stay as they are.",
        "What the later items hold stays open because an earlier one met a dead peer.",
        "Can this close raise? Then give it a `try` inside the loop that logs and goes on.",
    )
}

fn word_of_removal(facts: &Facts, call: &Call<'_>) -> Words {
    let tolerates = match facts.tolerates_by(call) {
        Some(keyword) => format!(", or pass `{keyword}=True`"),
        None => String::new(),
    };
    Words::new(
        format!(
            "The first `{}` of this loop that finds its item gone ends the clean-up.",
            call.name()
        ),
        "The later items stay where they are, and the error of the removal hides the one that led here.",
        format!("Tolerate a missing item inside the loop: catch `FileNotFoundError`{tolerates}."),
    )
}
