//! `sys.modules` and `sys.path` are put back as they were, as if no other thread had imported anything meanwhile.

use super::torchscript::alone;
use crate::facts::{Call, ExprId, ExprKind, Facts, ScopeKind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "import-tables-restored",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "An entry of `sys.modules` or `sys.path` is put back or dropped by what was seen before, with no lock.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let in_function = facts.scope(facts.stmt(stmt).scope).kind == ScopeKind::Function;
        let Some(table) = restored(facts, stmt).filter(|_| in_function) else {
            continue;
        };
        if facts.held_at(stmt).next().is_some() || callers_lock(facts, stmt) {
            out.evidence(1, facts.stmt(stmt).head, "put back under a lock");
            continue;
        }
        let verdict = alone(cx, stmt).map_or(HitVerdict::Look, HitVerdict::Excused);
        let anchor = Anchor::stmt(facts, stmt);
        out.hits
            .push(Hit::new(&CHECK, anchor, verdict, word(table)));
    }
}

fn callers_lock(facts: &Facts, stmt: StmtId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    function.and_then(|function| facts.callers_hold(function)) == Some(true)
}

/// The table that a statement puts back: `sys.modules[name] = previous`, `sys.path.pop(0)`.
fn restored(facts: &Facts, stmt: StmtId) -> Option<&'static str> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => {
            let is_entry = targets.iter().any(|&target| is_module_entry(facts, target));
            (is_entry && was_there(facts, *value)).then_some("sys.modules")
        }
        _ => {
            let mut calls = facts.calls_in(stmt);
            calls
                .any(|call| pops_by_place(facts, &call))
                .then_some("sys.path")
        }
    }
}

fn is_module_entry(facts: &Facts, target: ExprId) -> bool {
    match facts.expr(target).kind {
        ExprKind::Subscript { object, .. } => facts.is_one_of(object, &["sys.modules"]),
        _ => false,
    }
}

/// The value was read from the table before.
fn was_there(facts: &Facts, value: ExprId) -> bool {
    facts.name(value).is_some()
        && facts.values(value).into_iter().any(|id| {
            let read = facts.call(id).and_then(|call| {
                call.receiver()
                    .filter(|_| matches!(call.method(), Some("get" | "pop")))
            });
            is_module_entry(facts, id)
                || read.is_some_and(|table| facts.is_one_of(table, &["sys.modules"]))
        })
}

/// `sys.path.pop(0)`: whatever stands first by now.
fn pops_by_place(facts: &Facts, call: &Call<'_>) -> bool {
    let of_path = call
        .receiver()
        .is_some_and(|table| facts.is_one_of(table, &["sys.path"]));
    call.method() == Some("pop") && of_path
}

fn word(table: &str) -> Words {
    let why = if table == "sys.path" {
        "Every thread imports by this list: one that added its own entry in between loses that one, and this one's stays."
    } else {
        "Every thread imports through this table: one that loaded the same name in between gets its module replaced by an older one."
    };
    let message = if table == "sys.path" {
        "`sys.path.pop` takes out whatever stands at that place by now, with no lock."
    } else {
        "`sys.modules` gets back what was seen before, with no lock."
    };
    Words::new(
        message,
        why,
        "Can two threads get here at once? Hold one lock from the change to the restore, and remove only what this call has put there itself.",
    )
}
