//! A file that the same code reads back is written in place, although no name calls it a cache's.

use super::switches::is_given_root;
use crate::facts::{Call, Facts, Leads, Part, StmtId, StmtKind, Write, Writing};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "read-back-written-in-place",
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "A file that the same function looks up, or the same object reads, is written in place under its final name.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for write in facts.writes().filter(|write| write.how == Writing::File) {
        let unknown = facts.leads(write.path, cx.profile) == Leads::Unknown;
        let settled = facts.is_moved_away(write.path) || facts.is_file_locked(write.call.stmt());
        if !unknown || settled {
            continue;
        }
        let read = looked_up(facts, &write)
            .or_else(|| read_by_owner(facts, &write))
            .or_else(|| modified(facts, &write));
        if let Some(read) = read {
            let anchor = Anchor::call(&write.call);
            let words = word(facts, &write);
            let hit = Hit::new(&CHECK, anchor, HitVerdict::Look, words);
            let read = facts.stmt(read).head;
            out.hits.push(hit.with_related(read, "read here"));
        }
    }
}

/// An earlier read of the path whose result is the function's answer; a handler makes a miss of a missing file.
fn looked_up(facts: &Facts, write: &Write<'_>) -> Option<StmtId> {
    let stmt = write.call.stmt();
    let scope = facts.stmt(stmt).scope;
    facts
        .calls_beside(stmt)
        .filter(|call| call.stmt() < stmt && facts.stmt(call.stmt()).scope == scope)
        .filter(|call| reads(facts, call, write))
        .map(|call| call.stmt())
        .find(|&read| answers_from(facts, read) && misses(facts, read, stmt))
}

fn reads(facts: &Facts, call: &Call<'_>, write: &Write<'_>) -> bool {
    let path = facts.read_path(call);
    path.is_some_and(|path| facts.is_same_path(path, write.path))
}

/// `return pickle.loads(path.read_bytes())`, or a `with open(path)` in which something is returned.
fn answers_from(facts: &Facts, read: StmtId) -> bool {
    match &facts.stmt(read).kind {
        StmtKind::Return(Some(_)) => true,
        StmtKind::With { body, .. } => {
            let returns =
                |stmt: &StmtId| matches!(facts.stmt(*stmt).kind, StmtKind::Return(Some(_)));
            body.last().is_some_and(returns)
        }
        _ => false,
    }
}

/// The read stands in a `try` that goes on where there is no such file, or makes it there.
fn misses(facts: &Facts, read: StmtId, made: StmtId) -> bool {
    let in_body = facts
        .ancestors(read)
        .any(|around| facts.is_try(around.stmt) && around.part == Part::Body);
    in_body
        && facts.handlers_around(read).any(|handler| {
            facts.catches(handler, &["FileNotFoundError", "OSError", "IOError"])
                && !facts.reraises(handler)
                && (!facts.always_leaves(&handler.body)
                    || facts.statements_in(&handler.body).contains(&made))
        })
}

/// An object that keeps its state in a file whose path no shown text gives, and that is shown to read it.
fn read_by_owner(facts: &Facts, write: &Write<'_>) -> Option<StmtId> {
    let class = facts.class_of(write.call.scope())?;
    let is_own = facts.self_attribute(write.path).is_some();
    if !is_own || !facts.is_unseen_attribute(write.path) || !keeps_state(facts, write) {
        return None;
    }
    let mut calls = facts.calls_of_class(class);
    let read = calls.find(|call| {
        let by_method = facts.self_attribute(call.function).is_some_and(says_read);
        by_method || reads(facts, call, write)
    })?;
    Some(read.stmt())
}

/// Read, changed and written over by one function: whoever else does so meanwhile is lost, too.
fn modified(facts: &Facts, write: &Write<'_>) -> Option<StmtId> {
    let stmt = write.call.stmt();
    // A path that callers give may be of one run, and is theirs to guard.
    let is_kept =
        facts.self_attribute(write.path).is_some() || !is_given_root(facts, write.path, 6);
    if !is_kept || !keeps_state(facts, write) || facts.held_at(stmt).next().is_some() {
        return None;
    }
    let mut calls = facts.calls_of(write.call.scope());
    let read = calls.find(|call| call.stmt() < stmt && reads(facts, call, write))?;
    Some(read.stmt())
}

fn says_read(name: &str) -> bool {
    let bare = name.trim_start_matches('_');
    matches!(topic::words(bare).next().as_deref(), Some("read" | "load"))
}

/// What is written is the dump of some structure: no log, and no text for people.
fn keeps_state(facts: &Facts, write: &Write<'_>) -> bool {
    let dumps = |call: Call<'_>| {
        call.is(&[
            "json.dump",
            "json.dumps",
            "pickle.dump",
            "pickle.dumps",
            "yaml.dump",
            "yaml.safe_dump",
        ])
    };
    let inside = match &facts.stmt(write.call.stmt()).kind {
        StmtKind::With { body, .. } => facts.statements_in(body),
        _ => vec![write.call.stmt()],
    };
    let direct = inside
        .into_iter()
        .any(|stmt| facts.calls_in(stmt).any(dumps));
    let given = write.call.positional(0).is_some_and(|given| {
        let mut values = facts.values(given).into_iter();
        values.any(|value| facts.call(value).is_some_and(dumps))
    });
    direct || given
}

fn word(facts: &Facts, write: &Write<'_>) -> Words {
    let path = facts.expr_text(write.path);
    Words::new(
        format!("`{path}` is written in place, and this code reads it back."),
        "Who reads it in the meantime, another process or the next start after a crash, finds half a file.",
        format!(
            "Can another process or thread read `{path}` while it is written? Write to a temp file in the same folder, then `os.replace` it onto the name."
        ),
    )
}
