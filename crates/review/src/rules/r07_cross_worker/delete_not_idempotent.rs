//! A removal that fails where another worker removed the path first.

use super::deletes::{Delete, Fault, deletes};
use crate::facts::Facts;
use crate::rules::{Anchor, Check, Context, Hit, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "delete-not-idempotent",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A removal of a cache path fails where another worker removed it first.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for delete in deletes(cx) {
        if delete.is_first(Fault::NotIdempotent) {
            let mut hit = Hit::new(
                &CHECK,
                Anchor::call(&delete.deletion.call),
                delete.verdict(cx, Fault::NotIdempotent),
                word(cx.facts, &delete),
            );
            hit.stands_for = delete.stands_for(cx.facts);
            out.hits.push(hit);
        }
    }
}

fn word(facts: &Facts, delete: &Delete<'_>) -> Words {
    let path = facts.expr_text(delete.deletion.path);
    let cure = if delete.deletion.is_tree {
        "Pass `ignore_errors=True`, or catch `FileNotFoundError` around it"
    } else {
        "Catch `FileNotFoundError` around it, or use `Path.unlink(missing_ok=True)`"
    };
    Words::new(
        format!(
            "Removing `{path}` raises if it is gone already.{}",
            delete.others()
        ),
        "The lock keeps out only those who take it: the worker that owns the entry, or one that cleared it before, can have removed it, and this one fails for something that is done.",
        format!("{cure}: gone is what was wanted."),
    )
}
