//! A path is asked for, and acted on when the answer may be stale.

use super::deletes::{Delete, Fault, asked_before, deletes, fragile_use};
use crate::facts::{Call, ExprId, Facts, StmtId, says_own};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "check-then-act",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A cache path is asked for before the lock and acted on without asking again.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for delete in deletes(cx) {
        if delete.is_first(Fault::CheckThenAct) {
            out.hits.push(stale_removal(cx, &delete));
        }
    }
    for call in cx.facts.calls() {
        if let Some((path, asked)) = stale_fetch(cx, &call) {
            let words = word_of_fetch(cx.facts, path, asked.is_some());
            let verdict = cx.where_shared(HitVerdict::Look);
            let anchor = Anchor {
                stmt: call.stmt(),
                span: cx.facts.expr(call.function).span,
            };
            let hit = Hit::new(&CHECK, anchor, verdict, words);
            out.hits.push(match asked {
                Some(asked) => {
                    hit.with_related(cx.facts.stmt(asked).head, "asked for here, before the lock")
                }
                None => hit,
            });
        }
        if let Some(path) = stale_link(cx, &call).filter(|&path| !is_told(cx.facts, out, path)) {
            let verdict = cx.where_shared(HitVerdict::Look);
            let words = word_of_link(cx.facts, path);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// The removal of the same path right before has been told.
fn is_told(facts: &Facts, out: &Outcome, path: ExprId) -> bool {
    let mut removals = facts.deletions();
    removals.any(|removal| {
        facts.is_same_path(removal.path, path)
            && removal.call.scope() == facts.expr(path).scope
            && out
                .hits
                .iter()
                .any(|hit| hit.anchor == Anchor::call(&removal.call))
    })
}

fn stale_removal(cx: &Context<'_>, delete: &Delete<'_>) -> Hit {
    let mut hit = Hit::new(
        &CHECK,
        Anchor::call(&delete.deletion.call),
        delete.verdict(cx, Fault::CheckThenAct),
        word(cx.facts, delete),
    );
    hit.stands_for = delete.stands_for(cx.facts);
    let fragile = fragile_use(cx.facts, &delete.deletion, delete.lock);
    for (stmt, note) in [
        (delete.asked, "asked for here"),
        (fragile, "fails here where it is gone"),
    ] {
        if let Some(stmt) = stmt {
            hit.causes.push(cx.facts.stmt(stmt).head);
            hit = hit.with_related(cx.facts.stmt(stmt).head, note);
        }
    }
    hit
}

fn word(facts: &Facts, delete: &Delete<'_>) -> Words {
    let path = facts.expr_text(delete.deletion.path);
    let (when, ask) = match delete.lock {
        Some(_) => (
            "before the lock is taken",
            format!(
                "Ask again for `{path}` as the first thing under the lock, and treat its absence as done."
            ),
        ),
        None => (
            "and removed in the next step with nothing in between that keeps others out",
            format!(
                "Take a file lock with a timeout, ask for `{path}` under it, and tolerate `FileNotFoundError`."
            ),
        ),
    };
    Words::new(
        format!("`{path}` is asked for {when}.{}", delete.others()),
        "Another worker can remove the path between the question and the act; then the act fails, or removes what that worker has just put there.",
        ask,
    )
}

/// A download under a lock that asks for its target before the lock, or nowhere: each worker that waited repeats it.
fn stale_fetch(cx: &Context<'_>, call: &Call<'_>) -> Option<(ExprId, Option<StmtId>)> {
    let facts = cx.facts;
    if !is_fetch(call) || !facts.sees_enclosure(call.stmt()) {
        return None;
    }
    let lock = facts.file_lock_at(call.stmt())?;
    let path = locked_target(facts, call, lock.stmt)?;
    let under_lock = |stmt: StmtId| {
        facts
            .file_lock_at(stmt)
            .is_some_and(|held| held.stmt == lock.stmt)
    };
    let asks_inside = facts
        .calls_beside(lock.stmt)
        .any(|inner| asks(facts, &inner) && under_lock(inner.stmt()));
    let callee_asks = facts
        .callee_scope(call)
        .is_some_and(|function| facts.calls_of(function).any(|inner| asks(facts, &inner)));
    (!asks_inside && !callee_asks).then(|| (path, last_asked(facts, path, lock.stmt)))
}

/// A question for a path, in its own words or through a helper that says so.
fn asks(facts: &Facts, call: &Call<'_>) -> bool {
    facts.asked_path(call).is_some()
        || topic::has_word(call.name(), "exists exist cached valid verify missing")
}

/// The argument of a fetch that the lock's name is made of too: what the lock is for.
fn locked_target(facts: &Facts, call: &Call<'_>, lock: StmtId) -> Option<ExprId> {
    let taken = facts.held().iter().find(|held| held.stmt == lock)?;
    let of_lock = facts.names_behind(taken.lock.expr);
    call.args
        .iter()
        .map(|arg| arg.value)
        .filter(|&value| facts.name(value).is_some_and(|name| !says_own(name)))
        .find(|&value| {
            facts
                .name(value)
                .is_some_and(|name| says_path(name) && of_lock.iter().any(|known| known == name))
        })
}

fn says_path(name: &str) -> bool {
    topic::has_word(name, "path file dir target destination dst")
}

fn is_fetch(call: &Call<'_>) -> bool {
    topic::has_word(call.name(), "download fetch urlretrieve")
}

fn last_asked(facts: &Facts, path: ExprId, before: StmtId) -> Option<StmtId> {
    let scope = facts.stmt(before).scope;
    facts
        .calls_beside(before)
        .filter(|call| call.stmt() < before && facts.stmt(call.stmt()).scope == scope)
        .filter(|call| {
            facts
                .asked_path(call)
                .is_some_and(|asked| facts.is_same_path(asked, path))
        })
        .last()
        .map(|call| call.stmt())
}

fn word_of_fetch(facts: &Facts, path: ExprId, asked: bool) -> Words {
    let path = facts.expr_text(path);
    let message = if asked {
        format!("`{path}` is asked for before the lock only, and fetched under it.")
    } else {
        format!("`{path}` is fetched under the lock without asking whether it is there by now.")
    };
    Words::new(
        message,
        "Workers that waited for the lock fetch again what the first one has already put there, and replace it under those who use it.",
        format!(
            "Can several workers wait here for the same entry? Ask for `{path}` right after the lock is taken, and return if it is there."
        ),
    )
}

/// A symlink into the cache that fails where another worker was faster.
fn stale_link(cx: &Context<'_>, call: &Call<'_>) -> Option<ExprId> {
    let facts = cx.facts;
    let path = if call.is(&["os.symlink", "os.link"]) {
        call.arg(1, "dst")?
    } else if call.method() == Some("symlink_to") {
        call.receiver()?
    } else {
        return None;
    };
    let asked = || asked_before(facts, path, call.stmt()).is_some();
    let in_cache = facts.cache_proof(path, cx.profile).is_some()
        || facts.common_folder(path).is_some()
        || (asked() && facts.starts_unseen(path));
    let tolerant = facts.is_caught(call.stmt(), &["FileExistsError", "OSError"]);
    let rechecked = facts.is_file_locked(call.stmt());
    (in_cache && !tolerant && !rechecked).then_some(path)
}

fn word_of_link(facts: &Facts, path: ExprId) -> Words {
    let path = facts.expr_text(path);
    Words::new(
        format!("`{path}` is linked with no lock, and an existing name is an error."),
        "Two workers that prepare the same entry both get here; the second one fails with `FileExistsError`.",
        format!(
            "Can two workers reach this for the same `{path}`? Treat `FileExistsError` as success, or link under a file lock after asking again."
        ),
    )
}
