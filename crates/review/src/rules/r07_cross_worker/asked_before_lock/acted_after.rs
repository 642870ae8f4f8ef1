//! Whether something is missing is asked under a lock, and it is made after the lock was let go.

use super::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts, Held, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts
        .held()
        .iter()
        .filter(|held| held.lock.kind == Kind::FileLock)
    {
        for &stmt in &held.body {
            if let Some((path, act)) = late(facts, held, stmt) {
                let words = word(facts, path, &act);
                let verdict = cx.where_shared(HitVerdict::Violation);
                let asked = facts.stmt(stmt).head;
                let mut hit = Hit::new(&CHECK, Anchor::call(&act), verdict, words);
                hit.causes.extend([asked, held.span]);
                out.hits
                    .push(hit.with_related(asked, "asked here, while the lock is held"));
            }
        }
    }
}

/// `missing = not path.exists()` in the region, and `if missing: fetch(path)` behind it.
fn late<'f>(facts: &'f Facts, held: &Held, stmt: StmtId) -> Option<(ExprId, Call<'f>)> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let name = facts.name(*targets.first()?)?;
    let question = match facts.expr(*value).kind {
        ExprKind::Not(inner) => facts.call(inner)?,
        _ => facts.call(*value)?,
    };
    let path = facts.asked_path(&question)?;
    let end = held
        .body
        .iter()
        .map(|&stmt| facts.stmt(stmt).span.end)
        .max()?;
    let decides = |test: ExprId| facts.within(test).any(|id| facts.name(id) == Some(name));
    let mut behind = facts
        .statements_of(facts.stmt(stmt).scope)
        .filter(|&other| facts.stmt(other).span.start >= end && !held.holds(other));
    behind.find_map(|other| {
        let StmtKind::If { test, body, .. } = &facts.stmt(other).kind else {
            return None;
        };
        let inside = facts.statements_in(body);
        let mut calls = inside
            .into_iter()
            .filter(|&inner| !facts.is_file_locked(inner))
            .flat_map(|inner| facts.calls_in(inner));
        let act = calls.find(|call| is_given(facts, call, path))?;
        decides(*test).then_some((path, act))
    })
}

/// A call that makes, fetches or removes what is at the path.
fn is_given(facts: &Facts, call: &Call<'_>, path: ExprId) -> bool {
    let args = call.args.iter().map(|arg| arg.value);
    let given = args
        .chain(call.receiver())
        .any(|arg| facts.is_same_path(arg, path));
    let says = topic::has_word(
        call.name(),
        "download fetch build create make write save export compile convert copy \
         install extract unpack train",
    );
    given && (says || facts.deletion(*call).is_some() || facts.write(*call).is_some())
}

fn word(facts: &Facts, path: ExprId, act: &Call<'_>) -> Words {
    let path = facts.expr_text(path);
    let name = act.name();
    Words::new(
        format!(
            "`{path}` is asked for under the lock, and `{name}` acts on it after the lock is given back."
        ),
        "The next worker gets the lock before anything is made, finds the same answer, and does the same work on the same path at the same time.",
        "Keep the lock until the work is done, or until the complete thing has been moved into place.",
    )
}
