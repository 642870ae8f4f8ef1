//! What an entry is like, its age or whether anybody uses it, is asked before its lock and not again under it.

use super::{CHECK, left_by};
use crate::facts::{
    Call, Deletion, ExprId, Facts, Held, Kind, Part, Proof, REMOVAL_ERRORS, StmtId, StmtKind,
};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts.held() {
        if held.lock.kind != Kind::FileLock || !waits(facts, held) {
            continue;
        }
        let removals = facts
            .deletions()
            .filter(|deletion| held.holds(deletion.call.stmt()));
        for deletion in removals {
            if let Some(asked) = stale_test(facts, held, &deletion) {
                out.hits.push(hit(cx, held, &deletion, asked));
            }
        }
    }
}

/// A lock that is not waited for makes no answer old.
fn waits(facts: &Facts, held: &Held) -> bool {
    let made = facts.values(held.lock.expr);
    let calls = made.into_iter().filter_map(|value| facts.call(value));
    let is_zero = |value: ExprId| matches!(facts.expr_text(value), "0" | "0.0" | "False");
    let mut limits = calls.flat_map(|call| {
        let timeout = call.arg(1, "timeout");
        timeout.into_iter().chain(call.keyword("blocking"))
    });
    !limits.any(is_zero)
}

/// The test before the lock that decides on the removal, where nothing under the lock decides on it again.
fn stale_test(facts: &Facts, held: &Held, deletion: &Deletion<'_>) -> Option<StmtId> {
    let name = facts.name(deletion.path)?;
    let before = left_by(facts, held.stmt).into_iter().chain(
        facts
            .ancestors(held.stmt)
            .filter(|around| around.part == Part::Body)
            .map(|around| around.stmt)
            .filter(|&stmt| matches!(facts.stmt(stmt).kind, StmtKind::If { .. })),
    );
    let asked = before
        .into_iter()
        .find(|&stmt| asks_state(facts, stmt, name))?;
    let decides_again = held.body.iter().any(|&stmt| {
        stmt < deletion.call.stmt()
            && matches!(
                facts.stmt(stmt).kind,
                StmtKind::If { .. } | StmtKind::While { .. }
            )
    });
    let fails_when_gone = || {
        let caught = facts.is_caught(deletion.call.stmt(), REMOVAL_ERRORS);
        held.body.iter().any(|&stmt| {
            facts
                .calls_in(stmt)
                .any(|call| may_refuse(&call, facts, name))
        }) && caught
    };
    (!decides_again && !fails_when_gone()).then_some(asked)
}

/// A helper that is given the entry under the lock and may raise: `self._require_unused(path)`.
fn may_refuse(call: &Call<'_>, facts: &Facts, name: &str) -> bool {
    let given = call
        .args
        .iter()
        .any(|arg| facts.name(arg.value) == Some(name));
    given && says_state(call.name())
}

/// The test calls something on the entry that tells of its age or its use.
fn asks_state(facts: &Facts, stmt: StmtId, name: &str) -> bool {
    let StmtKind::If { test, .. } = facts.stmt(stmt).kind else {
        return false;
    };
    let behind = facts
        .within(test)
        .flat_map(|id| facts.values(id).into_iter().chain([id]));
    let parts = behind.flat_map(|value| facts.within(value));
    parts
        .filter_map(|id| facts.call(id))
        .any(|call| tells_state(facts, &call, name))
}

fn tells_state(facts: &Facts, call: &Call<'_>, name: &str) -> bool {
    let args = call.args.iter().map(|arg| arg.value);
    let of_entry = args
        .chain(call.receiver())
        .any(|id| facts.within(id).any(|part| facts.name(part) == Some(name)));
    let by_system = matches!(
        call.name(),
        "stat" | "lstat" | "getmtime" | "getatime" | "getctime"
    );
    of_entry && (by_system || says_state(call.name()))
}

fn says_state(name: &str) -> bool {
    topic::has_word(
        name,
        "fresh stale expired old age used unused busy idle active current \
         outdated orphan orphaned referenced",
    )
}

fn hit(cx: &Context<'_>, held: &Held, deletion: &Deletion<'_>, asked: StmtId) -> Hit {
    let facts = cx.facts;
    let sure = held.lock.proof == Proof::Proven && facts.sees_enclosure(deletion.call.stmt());
    let verdict = HitVerdict::sure_if(sure);
    let words = word(facts.expr_text(deletion.path));
    let anchor = Anchor::call(&deletion.call);
    let head = facts.stmt(asked).head;
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words)
        .with_related(head, "decided here, before the lock");
    hit.causes.extend([head, held.span]);
    hit
}

pub(crate) fn word(path: &str) -> Words {
    Words::new(
        format!(
            "`{path}` is found to be removable before its lock is taken, and not looked at again under it."
        ),
        "While this worker waited for the lock, the one that held it may have made the entry anew or taken it into use: then what is fresh by now is removed.",
        "Repeat the test as the first thing under the lock, and leave the entry alone where it no longer holds.",
    )
}
