//! What a lock is there for: shared state, or just the slow work that it surrounds.

use super::lock_across_blocking::{Slow, What};
use crate::facts::{Facts, Held, Home, Kind, Reach, StmtId, StmtKind, Wait};

/// What a lock is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To let one caller at a time do this very work for one key, model or file.
    ThisWork,
    /// Shared state that others need meanwhile.
    State,
    /// Perhaps it is there to serialise this work.
    Unclear,
    /// A lock of coroutines around what it should order.
    Loop,
}

pub(super) fn purpose(facts: &Facts, held: &Held, slow: &Slow) -> Purpose {
    let by_key = matches!(held.lock.home, Home::Keyed | Home::External)
        || matches!(held.lock.kind, Kind::FileLock | Kind::DistributedLock);
    let is_work = !matches!(
        slow.what,
        What::Waits(Wait::Future | Wait::Join | Wait::Queue)
            | What::Deeper(Wait::Future | Wait::Join | Wait::Queue, _)
    );
    let shared = is_taken_elsewhere(facts, held);
    if !shared && is_work && makes_once(facts, held) {
        return Purpose::ThisWork;
    }
    if by_key && is_work {
        return Purpose::ThisWork;
    }
    if held.lock.is_async() && !shared {
        return Purpose::Loop;
    }
    let is_named_for_it = facts.last_name(held.lock.expr).is_some_and(says_purpose);
    if !is_named_for_it && !by_key && (shared || changes_state(facts, held)) {
        Purpose::State
    } else {
        Purpose::Unclear
    }
}

/// The region is one test for what the process has once and the making of it, behind a first test without the lock: whoever
/// comes meanwhile waits for just that, and nobody after it.
fn makes_once(facts: &Facts, held: &Held) -> bool {
    let Some(&test) = held.body.first() else {
        return false;
    };
    let StmtKind::If { body, .. } = &facts.stmt(test).kind else {
        return false;
    };
    let is_alone = facts.statements_in(body).len() + 1 == held.body.len();
    let stores = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(|&target| {
            let is_name = facts.name(target).is_some() || facts.attribute(target).is_some();
            let is_kept = facts.reach(target) != Reach::Local;
            is_name
                && is_kept
                && facts.tested_before(held.stmt, target).is_some()
                && facts.tested_before(stmt, target) == Some(test)
        }),
        _ => false,
    };
    is_alone && facts.statements_in(body).into_iter().any(stores)
}

/// Whether another function takes the same lock.
fn is_taken_elsewhere(facts: &Facts, held: &Held) -> bool {
    let scope = held.scope;
    facts
        .held()
        .iter()
        .any(|other| other.scope != scope && other.lock.is_same(&held.lock))
}

/// Whether the region changes attributes or entries that outlive the call.
fn changes_state(facts: &Facts, held: &Held) -> bool {
    held.body.iter().any(|&stmt| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => {
            targets.iter().any(|&target| facts.name(target).is_none())
        }
        StmtKind::Delete(_) => true,
        _ => false,
    })
}

/// `_download_lock`, `_connect_lock`: named for the work itself.
fn says_purpose(name: &str) -> bool {
    topic::has_word(
        name,
        "load loading download fetch connect connection io send write read \
         request open init start publish refresh device serial cuda gpu",
    )
}
