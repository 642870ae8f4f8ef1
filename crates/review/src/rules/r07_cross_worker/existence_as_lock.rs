//! A file whose existence is a lock is asked for and then made: two processes both find it missing.

use super::deletes::asked_before;
use crate::facts::{
    Call, ExprId, ExprKind, Facts, StmtId, StmtKind, Write, Writing, says_acquire, says_lock,
    says_lock_file,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "existence-as-lock",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A file that serves as a lock by its existence is asked for and then made, in two steps.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for write in facts.writes().filter(|write| write.how == Writing::File) {
        let stmt = write.call.stmt();
        let is_lock = is_lock_by_name(facts, &write) && facts.writes_anew(&write.call);
        if !is_lock || facts.is_file_locked(stmt) {
            continue;
        }
        let Some(asked) = asked_before(facts, write.path, stmt) else {
            continue;
        };
        if decides(facts, asked, stmt) {
            let words = word(facts, write.path);
            let verdict = cx.where_shared(HitVerdict::Violation);
            let mut hit = Hit::new(&CHECK, Anchor::call(&write.call), verdict, words);
            hit.causes.push(facts.stmt(asked).head);
            out.hits
                .push(hit.with_related(facts.stmt(asked).head, "asked for here"));
        }
    }
}

/// Its name says so, or its holder's number is what goes into it.
fn is_lock_by_name(facts: &Facts, write: &Write<'_>) -> bool {
    let says = |name: &str| {
        let holds = |word: &str| matches!(word, "pidfile" | "pid" | "running" | "busy");
        says_lock(name) || says_lock_file(name) || topic::words(name).any(|word| holds(&word))
    };
    let names = facts.names_behind(write.path);
    let by_path = names.iter().any(|name| says(name)) || says(facts.expr_text(write.path));
    let by_function = facts
        .function_name(write.call.stmt())
        .is_some_and(says_acquire);
    by_path || (by_function && holds_number(facts, &write.call))
}

/// `fh.write(str(os.getpid()))` in the function.
fn holds_number(facts: &Facts, open: &Call<'_>) -> bool {
    facts
        .calls_of(open.scope())
        .any(|call| call.is(&["os.getpid"]))
}

/// The answer decides on the making: it leaves where the file is there, or encloses the making where it is not.
fn decides(facts: &Facts, asked: StmtId, made: StmtId) -> bool {
    let StmtKind::If { test, body, .. } = &facts.stmt(asked).kind else {
        return false;
    };
    let encloses = facts.ancestors(made).any(|around| around.stmt == asked);
    match facts.expr(*test).kind {
        ExprKind::Not(_) => encloses,
        _ => !encloses && (facts.always_leaves(body) || ends_process(facts, body)),
    }
}

/// `sys.exit("already running")` as the last step.
fn ends_process(facts: &Facts, body: &[StmtId]) -> bool {
    let Some(&last) = body.last() else {
        return false;
    };
    facts.calls_in(last).any(|call| call.ends_process())
}

fn word(facts: &Facts, path: ExprId) -> Words {
    let path = facts.shown(path);
    Words::new(
        format!("`{path}` is asked for and then made, as if that were one step."),
        "Two processes that come at once both find it missing, both make it, and both go on as its only holder.",
        "Make it in one step that fails where it is there (`os.open` with `O_CREAT | O_EXCL`, mode `x`), or hold a lock on an open file.",
    )
}
