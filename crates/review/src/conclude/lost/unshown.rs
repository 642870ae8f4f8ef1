//! Guards that the change deletes while nothing of what they guarded is shown.
//!
//! A diff shows every change. So where it deletes `self._pool.shutdown()` and neither side shows where `self._pool`
//! is made, the pool is still made there. The finding stands on the old side, since the new one shows nothing of it,
//! and is a look: another call that is not shown may have taken over.

use super::{Loss, Sides, Told, pruning};
use crate::conclude::seen::Half;
use crate::facts::{Call, Facts, StmtKind};
use crate::rules::{
    ACQUIRE_WITHOUT_RELEASE, Anchor, Check, EXECUTOR_NEVER_SHUT_DOWN, Hit, HitVerdict,
    RESOURCE_NOT_CLOSED, THREAD_NOT_JOINED, Words,
};

/// A call that ends or gives back what its receiver stands for.
struct End {
    methods: &'static [&'static str],
    /// Phrases of which the receiver's name must say one.
    receivers: &'static [&'static str],
    /// The check whose hit the loss makes.
    check: &'static Check,
    /// What stays behind.
    loss: &'static str,
}

const ENDS: &[End] = &[
    End {
        methods: &["shutdown", "terminate"],
        receivers: &["executor", "executors", "pool", "pools", "workers"],
        check: EXECUTOR_NEVER_SHUT_DOWN,
        loss: "its workers stay alive when their owner is done",
    },
    End {
        methods: &["join"],
        receivers: &[
            "thread", "threads", "worker", "process", "consumer", "producer",
        ],
        check: THREAD_NOT_JOINED,
        loss: "it may still run when what it uses is gone",
    },
    End {
        methods: &["release"],
        receivers: &["lock", "mutex", "semaphore"],
        check: ACQUIRE_WITHOUT_RELEASE,
        loss: "whoever needs it next waits for ever",
    },
    End {
        methods: &["close", "release", "disconnect"],
        receivers: &[
            "session",
            "client",
            "connection",
            "socket",
            "file",
            "capture",
            "writer",
            "stream",
            "pool",
        ],
        check: RESOURCE_NOT_CLOSED,
        loss: "it stays open until the process ends or the collector comes by",
    },
];

/// Hits at the deleted calls, on the old side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    // Whole files show what is made where: there the checks see for themselves.
    if new.facts.document.whole {
        return Vec::new();
    }
    let ended = old.changed_calls().filter_map(|call| {
        let (end, receiver) = end(old.facts, &call)?;
        let is_lost = class_stays(old, new, &call)
            && !is_shown(sides, &receiver)
            && sides.told(Told::By(end.check)).next().is_none();
        is_lost.then(|| hit(&call, end, &receiver))
    });
    let unpruned = pruning::unseen(old, new);
    ended.chain(unpruned).map(Loss::here).collect()
}

/// The end that a call is, and its receiver: a field, since a local's whole life would be shown or deleted.
fn end(facts: &Facts, call: &Call<'_>) -> Option<(&'static End, String)> {
    let receiver = call.receiver()?;
    let field = facts.self_attribute(receiver)?;
    let method = call.method()?;
    let fits = |end: &&End| {
        let mut phrases = end.receivers.iter();
        end.methods.contains(&method) && phrases.any(|phrase| topic::says(field, phrase))
    };
    Some((ENDS.iter().find(fits)?, facts.dotted(receiver)?))
}

/// Whether the class goes on: with a class its fields go.
fn class_stays(old: &Half<'_>, new: &Half<'_>, call: &Call<'_>) -> bool {
    let Some(class) = old.facts.class_of(call.scope()) else {
        return true;
    };
    let name = old.facts.scope_name(class);
    let mut scopes = new.facts.scope_ids();
    name.is_none() || scopes.any(|scope| new.facts.scope_name(scope) == name)
}

/// Whether the diff shows where the receiver is made, or that the new side still deals with it.
fn is_shown(sides: &Sides<'_>, receiver: &str) -> bool {
    let &Sides { old, new, rows, .. } = sides;
    let is_made = |facts: &Facts| {
        facts.stmt_ids().any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => {
                let mut targets = targets.iter();
                targets.any(|&target| facts.dotted(target).as_deref() == Some(receiver))
            }
            _ => false,
        })
    };
    let is_added = || rows.added.iter().any(|row| row.text.contains(receiver));
    is_made(old.facts) || is_made(new.facts) || is_added()
}

fn hit(call: &Call<'_>, end: &End, receiver: &str) -> Hit {
    let method = call.name();
    let words = Words::new(
        format!(
            "The change deletes `{receiver}.{method}()`, and nothing that is shown takes its place."
        ),
        format!(
            "The diff does not change where `{receiver}` comes from, so it is still there: {}.",
            end.loss
        ),
        format!(
            "Look where `{receiver}` is made and who ends it now; keep the call if nobody does."
        ),
    );
    Hit::new(end.check, Anchor::call(call), HitVerdict::Look, words)
}
