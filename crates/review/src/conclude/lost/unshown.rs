//! Guards that the change deletes while nothing of what they guarded is shown.
//!
//! A diff shows every change. So where it deletes `self._pool.shutdown()` and neither side shows where `self._pool`
//! is made, the pool is still made there. The finding stands on the old side, since the new one shows nothing of it,
//! and is a look: another call that is not shown may have taken over.

use super::pruning;
use crate::conclude::found::Found;
use crate::conclude::seen::{Half, Seen, Sighting};
use crate::facts::{Call, Facts, StmtKind};
use crate::rules::{self, Anchor, Check, Hit, HitVerdict, Words};
use report::Side;

/// A call that ends or gives back what its receiver stands for.
struct Guard {
    methods: &'static [&'static str],
    /// Phrases of which the receiver's name must say one; empty where the method says enough.
    receivers: &'static [&'static str],
    /// The check whose hit the loss makes.
    check: &'static str,
    /// What stays behind.
    loss: &'static str,
}

const GUARDS: &[Guard] = &[
    Guard {
        methods: &["shutdown", "terminate"],
        receivers: &["executor", "executors", "pool", "pools", "workers"],
        check: "executor-never-shut-down",
        loss: "its workers stay alive when their owner is done",
    },
    Guard {
        methods: &["join"],
        receivers: &[
            "thread", "threads", "worker", "process", "consumer", "producer",
        ],
        check: "thread-not-joined",
        loss: "it may still run when what it uses is gone",
    },
    Guard {
        methods: &["release"],
        receivers: &["lock", "mutex", "semaphore"],
        check: "acquire-without-release",
        loss: "whoever needs it next waits for ever",
    },
    Guard {
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
        check: "resource-not-closed",
        loss: "it stays open until the process ends or the collector comes by",
    },
];

/// Adds what was lost to the old sides, and finds it there.
pub(super) fn add(seen: &mut [Seen<'_>]) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, file) in seen.iter_mut().enumerate() {
        let hits = lost(file);
        let Some(old) = &mut file.old else { continue };
        for hit in hits {
            let sighting = Sighting::new(old.facts, hit);
            found.push(Found::new(at, Side::Old, old.sightings.len(), &sighting));
            old.sightings.push(sighting);
        }
    }
    found
}

fn lost(file: &Seen<'_>) -> Vec<Hit> {
    let (Some(old), Some(new)) = (&file.old, &file.new) else {
        return Vec::new();
    };
    // Whole files show what is made where: there the checks see for themselves.
    if new.facts.document.whole {
        return Vec::new();
    }
    let calls = old
        .changed
        .iter()
        .flat_map(|(stmt, _)| old.facts.calls_in(*stmt));
    let ends = calls.filter_map(|call| {
        let (guard, receiver) = guard(old.facts, &call)?;
        let is_lost = class_stays(old, new, &call)
            && !is_shown(file, old, new, &receiver)
            && !has_hit(new, guard.check);
        is_lost.then(|| hit(&call, guard, &receiver)).flatten()
    });
    ends.chain(pruning::unseen(old, new)).collect()
}

/// The guard that a call is, and its receiver: a field, since a local's whole life would be shown or deleted.
fn guard(facts: &Facts, call: &Call<'_>) -> Option<(&'static Guard, String)> {
    let receiver = call.receiver()?;
    let field = facts.self_attribute(receiver)?;
    let method = call.method()?;
    let fits = |guard: &&Guard| {
        guard.methods.contains(&method)
            && guard
                .receivers
                .iter()
                .any(|phrase| topic::says(field, phrase))
    };
    let guard = GUARDS.iter().find(fits)?;
    Some((guard, facts.dotted(receiver)?))
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
fn is_shown(file: &Seen<'_>, old: &Half<'_>, new: &Half<'_>, receiver: &str) -> bool {
    let is_made = |facts: &Facts| {
        facts.stmt_ids().any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => {
                let mut targets = targets.iter();
                targets.any(|&target| facts.dotted(target).as_deref() == Some(receiver))
            }
            _ => false,
        })
    };
    let is_added = || {
        file.rows
            .added
            .iter()
            .any(|row| row.text.contains(receiver))
    };
    is_made(old.facts) || is_made(new.facts) || is_added()
}

fn has_hit(new: &Half<'_>, check: &str) -> bool {
    new.sightings
        .iter()
        .any(|sighting| sighting.hit.check.id == check)
}

fn hit(call: &Call<'_>, guard: &Guard, receiver: &str) -> Option<Hit> {
    let check: &'static Check = rules::checks().find(|check| check.id == guard.check)?;
    let method = call.method()?;
    let words = Words::new(
        format!(
            "The change deletes `{receiver}.{method}()`, and nothing that is shown takes its place."
        ),
        format!(
            "The diff does not change where `{receiver}` comes from, so it is still there: {}.",
            guard.loss
        ),
        format!(
            "Look where `{receiver}` is made and who ends it now; keep the call if nobody does."
        ),
    );
    Some(Hit::new(check, Anchor::call(call), HitVerdict::Look, words))
}
