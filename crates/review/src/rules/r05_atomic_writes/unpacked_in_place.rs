//! An archive is unpacked straight into a folder that callers name, and the callers are not shown.

use crate::facts::{ExprId, Facts, Leads, StmtId, Write, Writing};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unpacked-in-place",
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "An archive is unpacked straight into a folder that hidden callers name.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.document.whole || facts.idle_file(cx.profile).is_some() {
        return;
    }
    for write in facts.writes().filter(|write| write.how == Writing::Extract) {
        let unknown = facts.leads(write.path, cx.profile) == Leads::Unknown;
        if unknown && is_named_by_callers(facts, write.path) && !is_settled(facts, &write) {
            let anchor = Anchor::call(&write.call);
            let words = word(facts, write.path);
            out.hits
                .push(Hit::new(&CHECK, anchor, HitVerdict::Look, words));
        }
    }
}

/// A parameter of a private method that nothing shown calls: what its class takes the folder for is not shown either.
fn is_named_by_callers(facts: &Facts, path: ExprId) -> bool {
    let Some((function, _)) = facts.parameter(path) else {
        return false;
    };
    let is_private = facts
        .scope_name(function)
        .is_some_and(|name| name.starts_with('_') && !name.starts_with("__"));
    is_private && facts.class_of(function).is_some() && facts.callers(function).is_empty()
}

/// It is moved away, locked, or removed where the unpacking fails.
fn is_settled(facts: &Facts, write: &Write<'_>) -> bool {
    let stmt: StmtId = write.call.stmt();
    facts.is_moved_away(write.path)
        || facts.is_file_locked(stmt)
        || facts.is_removed_on_error(write.path)
}

fn word(facts: &Facts, path: ExprId) -> Words {
    let path = facts.expr_text(path);
    Words::new(
        format!("An archive is unpacked straight into `{path}`, which hidden callers name."),
        "If they take it for ready once it is there, others use it while files are still missing, and a failed run leaves it incomplete for good.",
        format!(
            "Does anybody ask whether `{path}` exists? Then unpack into a folder beside it and rename that onto the name when it is complete."
        ),
    )
}
