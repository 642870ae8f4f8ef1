//! A lock's own file is removed: two workers then hold two locks of one name.

mod own_class;
mod taken_over;

use super::deletes::is_lock_file;
use crate::facts::{BindingKind, Call, ExprId, Facts, Kind, Piece, says_lock};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-file-deleted",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "The file of a file lock is removed while others may hold or wait for it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    own_class::detect(cx, out);
    taken_over::detect(cx, out);
    for deletion in cx.facts.deletions() {
        if own_class::judges(cx.facts, deletion.path) {
            continue;
        }
        let Some(verdict) = verdict(cx, deletion.path) else {
            continue;
        };
        let words = word(cx.facts, deletion.path);
        let hit = Hit::new(
            &CHECK,
            Anchor::call(&deletion.call),
            cx.where_shared(verdict),
            words,
        );
        out.hits.push(match lock_of(cx.facts, deletion.path) {
            Some(lock) => hit.with_related(lock.span(), "the lock is made here"),
            None => hit,
        });
    }
}

/// Proven where the file shows the lock of that path; a name alone asks.
fn verdict(cx: &Context<'_>, path: ExprId) -> Option<HitVerdict> {
    let facts = cx.facts;
    let of_lock = facts.attribute(path).is_some_and(|(object, name)| {
        name == "lock_file" && facts.kind_of(object) == Some(Kind::FileLock)
    });
    if of_lock || lock_of(facts, path).is_some() || is_flocked(facts, path) {
        return Some(HitVerdict::Violation);
    }
    let uses_locks = ["filelock", "fasteners", "portalocker", "fcntl", "msvcrt"]
        .iter()
        .any(|module| facts.imports_from(module))
        || facts.system_locks().next().is_some();
    let may_import = || !facts.document.whole && is_beside_entry(facts, path);
    let by_name = is_lock_file(facts, path) && (uses_locks || may_import());
    // What `filelock` calls the path of a lock.
    let of_unseen_lock = facts.attribute(path).is_some_and(|(object, name)| {
        name == "lock_file" && facts.last_name(object).is_some_and(says_lock)
    });
    let asks = by_name || of_unseen_lock || is_guard_of_unseen_text(facts, path);
    asks.then_some(HitVerdict::Look)
}

/// `path + ".lock"`: the lock of an entry by its name, whatever imports are not shown.
fn is_beside_entry(facts: &Facts, path: ExprId) -> bool {
    let values = facts.values(path).into_iter().chain([path]);
    let is_suffix = |piece: &Piece| match piece {
        Piece::Text(text) => facts.text(*text) == ".lock",
        Piece::Value(value) => facts.string(*value) == Some(".lock"),
    };
    values.into_iter().any(|value| {
        let pieces = facts.pieces(value).unwrap_or_default();
        pieces.len() > 1 && pieces.last().is_some_and(is_suffix)
    })
}

/// `guard.unlink()` in a hunk that shows neither the lock nor what the name was given: no other file is called so.
fn is_guard_of_unseen_text(facts: &Facts, path: ExprId) -> bool {
    let says = facts.name(path).is_some_and(|name| {
        let last = topic::words(name).last();
        last.is_some_and(|last| last == "guard" || says_lock(&last))
    });
    let exclusive = facts.exprs_named("O_EXCL").next().is_some();
    let is_unseen = !facts.document.whole && facts.bindings_behind(path).is_empty();
    says && is_unseen && !exclusive
}

/// The construction of a file lock on the same path.
fn lock_of(facts: &Facts, path: ExprId) -> Option<Call<'_>> {
    facts
        .calls()
        .filter(|call| facts.constructs(call) == Some(Kind::FileLock))
        .find(|call| {
            call.arg(0, "lock_file").is_some_and(|of| {
                facts.is_same_path(of, path)
                    || facts
                        .values(path)
                        .into_iter()
                        .any(|value| facts.is_same_path(of, value))
            })
        })
}

/// The file of this path is opened and locked by the system.
fn is_flocked(facts: &Facts, path: ExprId) -> bool {
    let is_it = |file: ExprId| opened(facts, file).is_some_and(|of| facts.is_same_path(of, path));
    facts.system_locks().any(|lock| is_it(lock.file))
}

/// The path behind a file or its descriptor.
fn opened(facts: &Facts, file: ExprId) -> Option<ExprId> {
    facts
        .bindings_behind(file)
        .into_iter()
        .find_map(|binding| match binding.kind {
            BindingKind::With(value) | BindingKind::Value { value, index: None } => {
                let call = facts.call(value).filter(|call| call.name() == "open")?;
                call.positional(0).filter(|_| call.callee() != "")
            }
            _ => None,
        })
}

fn word(facts: &Facts, path: ExprId) -> Words {
    let path = facts.expr_text(path);
    Words::new(
        format!("`{path}` is the lock's own file, and it is removed."),
        "A worker that waits for the lock still has the removed file open, while the next one makes a new file: both then hold 'the' lock at once.",
        "Leave lock files where they are (they are empty), or keep them in a folder of their own that no clean-up touches.",
    )
}
