//! A cache path is removed while other workers may use or fill it.

use super::deletes::{Delete, Fault, deletes};
use crate::facts::{CacheProof, Facts};
use crate::rules::{Anchor, Check, Context, Hit, Outcome, Words};
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
    for delete in deletes(cx) {
        let call = &delete.deletion.call;
        if delete.faults.is_empty() {
            out.evidence(7, call.span(), "tolerates a worker that was faster");
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
    Words::new(
        format!(
            "`{path}`, {what} that workers share, is removed with no file lock.{}",
            delete.others()
        ),
        "A worker that loads, downloads or replaces the same entry at that moment loses files under its hands, or publishes an entry with holes.",
        ask,
    )
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}
