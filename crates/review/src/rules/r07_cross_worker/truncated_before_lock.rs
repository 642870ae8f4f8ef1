//! A shared file is opened for writing, which empties it, and only then locked.

use super::deletes::{deciding_test, is_lock_file};
use crate::facts::{Call, ExprId, ExprKind, Facts, LockMode, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "truncated-before-lock",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A file is opened with a mode that empties it before the lock on it is granted.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for write in facts.writes() {
        let Some((file, lock)) = locked_behind(facts, &write.call) else {
            continue;
        };
        if !empties(facts, &write.call)
            || is_lock_file(facts, write.path)
            || !is_filled(facts, file, &lock)
            || facts.is_file_locked(write.call.stmt())
        {
            continue;
        }
        let asked = deciding_test(facts, write.path, write.call.stmt());
        let anchor = match asked {
            Some(test) => Anchor::stmt(facts, test),
            None => Anchor::call(&write.call),
        };
        let verdict = HitVerdict::sure_if(facts.sees_enclosure(write.call.stmt()));
        let words = word(facts, write.path, asked.is_some());
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words)
            .with_related(lock.span(), "the lock is taken only here");
        hit.causes.extend([write.call.span(), lock.span()]);
        out.hits.push(hit);
    }
}

/// The name that an opened file gets, and the call behind that locks it for itself.
fn locked_behind<'f>(facts: &'f Facts, open: &Call<'f>) -> Option<(ExprId, Call<'f>)> {
    let file = match &facts.stmt(open.stmt()).kind {
        StmtKind::Assign { targets, value, .. } if *value == Some(open.id) => {
            targets.first().copied()
        }
        StmtKind::With { items, .. } => items
            .iter()
            .find(|item| item.context == open.id)
            .and_then(|item| item.target),
        _ => None,
    }?;
    let name = facts.dotted(file)?;
    let lock = facts
        .calls_of(open.scope())
        .filter(|call| call.span().start > open.span().end)
        .filter_map(|call| facts.system_lock(call))
        .find(|lock| {
            let of_it = facts.dotted(lock.file).as_deref() == Some(&*name);
            of_it && lock.mode == LockMode::Exclusive
        })?;
    Some((file, lock.call))
}

/// A mode with `w`; what appends leaves the rest in place.
fn empties(facts: &Facts, open: &Call<'_>) -> bool {
    open.args
        .iter()
        .filter_map(|arg| facts.string(arg.value))
        .any(|mode| mode.starts_with('w') && mode.len() <= 3)
}

/// Content that others read goes in under the lock: more than the holder's number.
fn is_filled(facts: &Facts, file: ExprId, lock: &Call<'_>) -> bool {
    let name = facts.dotted(file);
    let says_holder = |value: ExprId| {
        facts.within(value).any(|id| {
            facts
                .last_name(id)
                .is_some_and(|name| topic::has_word(name, "pid getpid hostname time"))
        }) || matches!(facts.expr(value).kind, ExprKind::Str(_))
    };
    facts
        .calls_of(lock.scope())
        .filter(|call| call.span().start > lock.span().end)
        .any(|call| {
            let by_method = call.method() == Some("write")
                && call.receiver().and_then(|of| facts.dotted(of)) == name;
            let by_dump = call.name() == "dump"
                && call.args.iter().any(|arg| facts.dotted(arg.value) == name);
            (by_method || by_dump) && call.positional(0).is_some_and(|value| !says_holder(value))
        })
}

fn word(facts: &Facts, path: ExprId, is_asked: bool) -> Words {
    let path = facts.expr_text(path);
    let message = if is_asked {
        format!("`{path}` is asked for and opened for writing before the lock on it is taken.")
    } else {
        format!("`{path}` is emptied by its open, before the lock on it is taken.")
    };
    Words::new(
        message,
        "Opening with `w` cuts the file at once, whoever holds the lock: what another process has just written is gone, or it is read half.",
        "Open with `a+` or `r+` (or `os.open` with `O_CREAT`), take the lock, and only then `seek(0)` and `truncate()`; decide under the lock what is there.",
    )
}
