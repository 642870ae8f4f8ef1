//! A lock around a write in place helps only against those who take it too.

use super::marked::is_marked_complete;
use super::switches::{excuse, is_marker};
use crate::facts::{Call, ExprId, Facts, StmtId, Write};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-is-not-atomicity",
    rule: 5,
    severity: Severity::Block,
    references: &[],
    summary: "A cache file is written in place under a lock that its readers do not take.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for write in cx.facts.writes() {
        let locked = cx.facts.is_file_locked(write.call.stmt());
        let concerns = locked
            && cx.facts.cache_proof(write.path, cx.profile).is_some()
            && !cx.facts.is_moved_away(write.path)
            && excuse(cx, write.call.stmt()).is_none()
            && !is_marked_complete(cx.facts, &write)
            && !is_marker(cx, &write);
        if concerns {
            judge(cx, &write, out);
        }
    }
}

fn judge(cx: &Context<'_>, write: &Write<'_>, out: &mut Outcome) {
    let readers: Vec<StmtId> = readers(cx.facts, write).collect();
    let unlocked = readers
        .iter()
        .find(|&&stmt| !is_read_locked(cx.facts, stmt))
        .copied();
    if unlocked.is_none() && !readers.is_empty() {
        out.evidence(5, write.call.span(), "reader and writer take the same lock");
        return;
    }
    let hit = Hit::new(
        &CHECK,
        Anchor::call(&write.call),
        cx.where_shared(HitVerdict::Look),
        word(cx.facts, write.path, unlocked.is_some()),
    );
    out.hits.push(match unlocked {
        Some(stmt) => hit.with_related(cx.facts.stmt(stmt).head, "read here without the lock"),
        None => hit,
    });
}

/// Under a lock of its own function; that its shown callers hold one says enough of a private function alone.
fn is_read_locked(facts: &Facts, stmt: StmtId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    let name = function.and_then(|function| facts.scope_name(function));
    let is_public = name.is_some_and(|name| !name.starts_with('_'));
    match is_public {
        true => facts.file_lock_at(stmt).is_some(),
        false => facts.is_file_locked(stmt),
    }
}

/// The places of the file that read what is written: the same path, or one from the same helper.
fn readers<'f>(facts: &'f Facts, write: &'f Write<'f>) -> impl Iterator<Item = StmtId> + 'f {
    facts
        .calls()
        .filter(move |call| {
            read_path(facts, call).is_some_and(|path| same_source(facts, path, write.path))
        })
        .map(|call| call.stmt())
}

/// Also what a helper is given that says that it reads: `load_index(path)`.
fn read_path(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let says = call.name().starts_with("read_") || call.name().starts_with("load_");
    let by_name = || call.arg(0, "path").filter(|_| says);
    facts.read_path(call).or_else(by_name)
}

fn same_source(facts: &Facts, a: ExprId, b: ExprId) -> bool {
    let maker = |id: ExprId| {
        facts
            .values(id)
            .into_iter()
            .find_map(|value| facts.call(value).map(|call| call.callee().to_string()))
            .filter(|callee| !callee.is_empty())
    };
    let same_maker = maker(a).is_some() && maker(a) == maker(b);
    facts.is_same_path(a, b) || same_maker
}

fn word(facts: &Facts, path: ExprId, read_unlocked: bool) -> Words {
    let path = facts.expr_text(path);
    let ask = if read_unlocked {
        "Write to a temp file in the same folder and `os.replace` it: then readers need no lock."
            .to_string()
    } else {
        format!(
            "Look for the readers of `{path}`: unless each takes this lock, write to a temp file in the same folder and `os.replace` it."
        )
    };
    Words::new(
        format!("`{path}` is written in place under a lock."),
        "The lock keeps two writers apart, not a reader: one that takes no lock still sees the file half-written, and a crash leaves it so.",
        ask,
    )
}
