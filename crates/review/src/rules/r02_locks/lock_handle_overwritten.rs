//! A file lock keeps its descriptor on the shared object before it has the lock: whoever waits overwrites the holder's.

use crate::facts::{Call, ExprId, Facts, LockMode, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-handle-overwritten",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A file lock stores the opened file on the object before the lock on it is granted.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(stored) = locked_field(facts, &call).and_then(|field| stored(facts, &call, field))
        else {
            continue;
        };
        let verdict = match facts.cold_file(cx.profile) {
            Some(reason) => HitVerdict::Excused(format!("One thread is all there is: {reason}.")),
            None => HitVerdict::Look,
        };
        let anchor = Anchor::stmt(facts, stored.stmt);
        let words = word(facts, stored.field, &call);
        let mut hit = Hit::new(&CHECK, anchor, verdict, words)
            .with_related(call.span(), "the lock is waited for here");
        hit.causes.push(call.span());
        out.hits.push(hit);
    }
}

/// The field whose file a call locks: `flock(self._fd, LOCK_EX)`, `lockf(self._file.fileno(), LOCK_EX)`.
fn locked_field(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let lock = facts.system_lock(*call)?;
    let is_field = facts.self_attribute(lock.file).is_some();
    (is_field && lock.mode != LockMode::Release).then_some(lock.file)
}

/// Where the field is given the file that is to be locked.
struct Stored {
    stmt: StmtId,
    field: ExprId,
}

/// The open before the call, in a method that several threads can be in at once.
fn stored(facts: &Facts, call: &Call<'_>, field: ExprId) -> Option<Stored> {
    let function = facts.function_of(call.scope())?;
    let class = facts.class_of(function)?;
    let is_alone = facts.builds(function)
        || facts.held_at(call.stmt()).next().is_some()
        || facts.callers_hold(function) == Some(true)
        || facts.base_names(class).any(|base| base == "local")
        || !facts.is_acquirer(call.stmt());
    let name = facts.dotted(field)?;
    facts
        .statements_of(call.scope())
        .filter(|&stmt| stmt <= call.stmt())
        .find_map(|stmt| opens_into(facts, stmt, &name))
        .filter(|_| !is_alone)
}

fn opens_into(facts: &Facts, stmt: StmtId, name: &str) -> Option<Stored> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    facts.call(*value).filter(|call| call.name() == "open")?;
    let field = targets
        .iter()
        .copied()
        .find(|&target| facts.dotted(target).as_deref() == Some(name))?;
    Some(Stored { stmt, field })
}

fn word(facts: &Facts, field: ExprId, call: &Call<'_>) -> Words {
    let field = facts.expr_text(field);
    Words::new(
        format!(
            "`{field}` is replaced before `{}` has the lock.",
            call.name()
        ),
        "A second thread that waits for the lock overwrites the descriptor of the one that holds it: the release then unlocks and closes the wrong file, and the lock that is held is never given back.",
        "Can threads share this object? Keep the new descriptor in a local until the lock is granted, and put it on the object then; or hold a thread lock around the whole.",
    )
}
