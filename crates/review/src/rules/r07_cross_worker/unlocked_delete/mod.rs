//! A cache path is removed while other workers may use or fill it.

mod cleared_on_error;
mod unseen_removers;

use super::deletes::{Delete, Fault, deletes, guard_may_be_callers};
use crate::facts::{CacheProof, Call, Facts, Kind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unlocked-delete",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A cache path is removed with no file lock held.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    cleared_on_error::detect(cx, out);
    unseen_removers::detect(cx, out);
    for delete in deletes(cx) {
        let call = &delete.deletion.call;
        if delete.faults.is_empty() {
            out.evidence(7, call.span(), "tolerates a worker that was faster");
        } else if delete.is_first(Fault::Unlocked) && !delete.forgetful.is_empty() {
            forgetful_calls(cx, &delete, out);
        } else if delete.is_first(Fault::Unlocked) {
            let verdict = delete.verdict(cx, Fault::Unlocked);
            let words = word(cx.facts, &delete);
            let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words);
            hit.stands_for = delete.stands_for(cx.facts);
            out.hits.push(match delete.custom {
                Some(stmt) => {
                    let head = cx.facts.stmt(stmt).head;
                    hit.with_related(head, "here such a path is locked before it is touched")
                }
                None => hit,
            });
        }
    }
}

/// The function leaves the lock to its callers: those that hold none are told.
fn forgetful_calls(cx: &Context<'_>, delete: &Delete<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in &delete.forgetful {
        let may_be_locked = guard_may_be_callers(facts, call.stmt());
        let harms = delete.deletion.is_tree || !delete.deletion.is_tolerant;
        let verdict =
            HitVerdict::sure_if(harms && facts.sees_enclosure(call.stmt()) && !may_be_locked);
        let words = word_of_call(facts, delete, call);
        let hit = Hit::new(&CHECK, Anchor::call(call), cx.where_shared(verdict), words);
        out.hits
            .push(hit.with_related(delete.deletion.call.span(), "removed here"));
    }
}

fn word_of_call(facts: &Facts, delete: &Delete<'_>, call: &Call<'_>) -> Words {
    let path = facts.expr_text(delete.deletion.path);
    let name = call.name();
    Words::new(
        format!(
            "`{name}` removes `{path}` and leaves the lock to its callers; this one holds none."
        ),
        "The others hold a file lock around this call, so that no process loses files that it reads or fills: this removal goes past it.",
        "Take the same lock with a timeout around this call, and skip with a log line when it is busy.",
    )
}

fn word(facts: &Facts, delete: &Delete<'_>) -> Words {
    let path = facts.expr_text(delete.deletion.path);
    let of_folder = matches!(delete.deletion.call.name(), "rmdir" | "removedirs");
    let what = if of_folder {
        "a folder"
    } else if delete.deletion.is_tree {
        "a whole folder"
    } else {
        "a file"
    };
    let cure = "Take a `FileLock` with a timeout for this entry, ask again for the path under it, and skip with a log line when the lock is busy.";
    let ask = if delete.proof == CacheProof::Place && delete.custom.is_none() {
        format!(
            "Find out whether other workers read `{path}`. If so: {}",
            lower_first(cure)
        )
    } else {
        cure.to_string()
    };
    let why = "A worker that loads, downloads or replaces the same entry at that moment loses files under its hands, or publishes an entry with holes.";
    let why = match thread_lock(facts, delete) {
        Some(lock) => format!("`{lock}` keeps out the threads of this process alone. {why}"),
        None => why.to_string(),
    };
    Words::new(
        format!(
            "`{path}`, {what} that workers share, is removed with no file lock.{}",
            delete.others()
        ),
        why,
        ask,
    )
}

/// A lock of this process that is held around the removal.
fn thread_lock<'f>(facts: &'f Facts, delete: &Delete<'_>) -> Option<&'f str> {
    let held = facts.held_at(delete.deletion.call.stmt()).last()?;
    let is_of_process = matches!(held.lock.kind, Kind::ThreadLock | Kind::ReentrantLock);
    is_of_process.then(|| facts.expr_text(held.lock.expr))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}
