//! A file lock whose name differs from process to process: each holds one of its own.

use crate::facts::{Call, ExprId, Facts, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-of-one-process",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "The name of a file lock has the process's own number or a random token in it, so that it keeps nobody out.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let locks = facts
        .calls()
        .filter(|call| facts.constructs(call) == Some(Kind::FileLock));
    for lock in locks {
        let Some(path) = lock.arg(0, "lock_file").filter(|&path| is_own(facts, path)) else {
            continue;
        };
        if is_handed_on(facts, path, &lock) {
            continue;
        }
        let verdict = cx.where_shared(HitVerdict::Violation);
        let words = word(facts, path);
        out.hits
            .push(Hit::new(&CHECK, Anchor::call(&lock), verdict, words));
    }
}

/// Made of what only this process or this call knows; a folder that is its own as a whole needs no lock with others.
fn is_own(facts: &Facts, path: ExprId) -> bool {
    let values = facts.values(path).into_iter().chain([path]);
    let made_here = values.flat_map(|value| facts.within(value)).any(|part| {
        let given = facts.values(part).into_iter().chain([part]);
        given
            .flat_map(|value| facts.within(value))
            .any(|value| facts.call(value).is_some_and(|call| call.is(TELLERS)))
    });
    made_here && facts.temp(path).is_none_or(|temp| !temp.removes_itself)
}

/// What tells one process or call from every other.
const TELLERS: &[&str] = &[
    "os.getpid",
    "threading.get_ident",
    "uuid.uuid4",
    "uuid.uuid1",
    "secrets.token_hex",
];

/// The name goes elsewhere, too: others may be told it.
fn is_handed_on(facts: &Facts, path: ExprId, lock: &Call<'_>) -> bool {
    let Some(name) = facts.dotted(path) else {
        return false;
    };
    let is_elsewhere = |stmt: StmtId| {
        let is_made = matches!(&facts.stmt(stmt).kind, StmtKind::Assign { targets, .. }
            if targets.iter().any(|&target| facts.dotted(target).as_deref() == Some(&name)));
        stmt != lock.stmt() && !is_made
    };
    let last = name.rsplit('.').next().unwrap_or(&name);
    facts
        .exprs_named(last)
        .any(|id| facts.dotted(id).as_deref() == Some(&name) && is_elsewhere(facts.expr(id).stmt))
}

fn word(facts: &Facts, path: ExprId) -> Words {
    let path = facts.shown(path);
    Words::new(
        format!("The lock `{path}` has a name that no other process uses."),
        "A file lock keeps apart those who lock one file: here each worker locks a file of its own, so that all of them hold 'the' lock at once.",
        "Name the lock after what it guards alone.",
    )
}
