//! A long-lived dict or set that takes keys from outside and never gives one up.

mod captured;
mod closed;
mod defaults;
mod emptied;
mod idle;
mod keys;
mod lazy;
mod lifetime;
mod limits;
mod slots;
mod tables;
mod unseen;
mod visitors;
mod wording;

use super::lifespan::{owner_ask, weighed};
use super::per_caller::is_of_caller;
use super::{high_cardinality, incomplete_entries};
use crate::facts::{Container, ExprId, Facts, Kind, Owner, StmtKind, Use, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use captured::Captured;
use emptied::emptied;
use idle::{is_private, left_to_nobody};
use keys::{is_by_stream, is_of_sizes, is_open, settings};
use lazy::goes_only_when_asked;
use lifetime::{is_of_locks, lives_long};
use limits::gives_up;
use report::Severity;
use slots::{Slot, slot};
use tables::is_of_table;
use wording::{word, word_emptied, word_idle, word_lazy, word_of_slot, word_unseen};

pub(super) const CHECK: Check = Check {
    id: "unbounded-cache",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "A long-lived dict or set is filled by keys from outside and nothing is ever removed.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let containers = cx.facts.containers();
    for container in containers
        .iter()
        .filter(|one| matches!(one.kind, Kind::Dict | Kind::Set))
    {
        if let Some(slot) = slot(cx.facts, container) {
            report_slot(cx, container, &slot, out);
            continue;
        }
        let Some(insertion) = insertion(cx.facts, container) else {
            continue;
        };
        if gives_up(cx.facts, container, insertion) || may_be_pruned_elsewhere(cx.facts, container)
        {
            note_bound(container, out);
        } else if !is_of_table(cx.facts, container, insertion)
            && lives_long(cx, container, insertion)
        {
            report(cx, container, insertion, out);
        }
    }
    incomplete_entries::detect(cx, out);
    high_cardinality::detect(cx, out);
    for found in captured::captured(cx.facts) {
        report_captured(cx, &found, out);
    }
    defaults::detect(cx, out);
    for found in unseen::unseen(cx) {
        let anchor = Anchor::stmt(cx.facts, found.stmt);
        let words = word_unseen(&found.name);
        out.hits
            .push(Hit::new(&CHECK, anchor, HitVerdict::Look, words));
    }
}

/// The insertion that makes it grow: by an open key, or, where the keys are streams and end with them,
/// by an open key of what one stream holds.
fn insertion<'c>(facts: &Facts, container: &'c Container) -> Option<&'c Use> {
    let open = open_insertion(facts, container)?;
    let mut keyed = container
        .uses
        .iter()
        .filter(|of| grows_by_key(of))
        .peekable();
    let by_stream = keyed.peek().is_some() && keyed.all(|of| is_by_stream(facts, of));
    if !by_stream {
        return Some(open);
    }
    container
        .inner_uses
        .iter()
        .find(|of| is_open_insertion(facts, of) && !is_by_stream(facts, of))
}

fn is_open_insertion(facts: &Facts, of: &Use) -> bool {
    matches!(of.kind, UseKind::Insert(key) if is_open(facts, key))
}

fn grows_by_key(of: &Use) -> bool {
    matches!(of.kind, UseKind::Insert(_) | UseKind::Inner(_))
}

/// The first insertion whose key can take any number of values.
fn open_insertion<'c>(facts: &Facts, container: &'c Container) -> Option<&'c Use> {
    let makes_keys = facts
        .call(container.value)
        .is_some_and(|call| call.name() == "defaultdict");
    container.uses.iter().find(|of| match of.kind {
        UseKind::Insert(_) => is_open_insertion(facts, of),
        UseKind::Inner(key) => makes_keys && is_open(facts, key),
        UseKind::Keyed(key) => makes_keys && is_open(facts, key) && !is_asked(facts, of, container),
        UseKind::Append => container.kind == Kind::Set && adds_open_value(facts, of),
        _ => false,
    })
}

/// `if key in self._by_key: return self._by_key[key]`: a read of an entry that is there makes none.
fn is_asked(facts: &Facts, of: &Use, container: &Container) -> bool {
    let is_it = |id: ExprId| facts.is_about(id, container.bare_name());
    let asks = |test: ExprId| {
        let mut asked = facts.asked_members(test);
        asked.any(|member| is_it(member.container))
    };
    let own = match facts.stmt(of.stmt).kind {
        StmtKind::If { test, .. } | StmtKind::While { test, .. } => asks(test),
        _ => false,
    };
    own || facts
        .ancestors(of.stmt)
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => asks(test),
            // The keys that it has are walked through.
            StmtKind::For { iter, .. } => is_it(iter),
            _ => false,
        })
}

fn adds_open_value(facts: &Facts, of: &Use) -> bool {
    let call = facts
        .calls_within(of.span)
        .find(|call| call.method() == Some("add"));
    // Of a connection that its function serves the place that takes it in is told.
    call.and_then(|call| call.positional(0))
        .is_some_and(|value| is_open(facts, value) && !is_of_caller(facts, of, value))
}

/// Handed to something whose name says that it prunes, or weak: not ours to judge.
fn may_be_pruned_elsewhere(facts: &Facts, container: &Container) -> bool {
    container.uses.iter().any(|of| match of.kind {
        UseKind::Passed(call) => facts.call(call).is_some_and(|call| {
            [
                "prune", "evict", "trim", "expire", "clean", "cleanup", "shrink", "limit",
            ]
            .iter()
            .any(|word| topic::says(call.name(), word))
        }),
        _ => false,
    })
}

fn note_bound(container: &Container, out: &mut Outcome) {
    let removal = container
        .uses
        .iter()
        .find(|of| matches!(of.kind, UseKind::Shrink | UseKind::Size | UseKind::Rebind));
    if let Some(removal) = removal {
        out.evidence(
            8,
            removal.span,
            format!("`{}` gives entries up", container.name),
        );
    }
}

fn report(cx: &Context<'_>, container: &Container, insertion: &Use, out: &mut Outcome) {
    let facts = cx.facts;
    let anchor = Anchor::stmt(facts, container.stmt);
    let idle = left_to_nobody(facts, container);
    let few = is_few(facts, container, insertion)
        || is_of_locks(facts, container, insertion)
        || idle.is_some_and(|of| !is_private(facts, of));
    let plain = HitVerdict::sure_if(facts.sees_all_uses(container) && !few);
    let Some(verdict) = weighed(facts, container, plain.clone()) else {
        return;
    };
    let evictor = idle.and_then(|of| facts.scope_name(of));
    let left = emptied(facts, container, insertion);
    let mut words = match evictor {
        Some(evictor) => word_idle(container, evictor),
        None if left.is_some() => word_emptied(container),
        None if goes_only_when_asked(facts, container) => word_lazy(container),
        None => word(container),
    };
    if verdict != plain {
        words.ask = owner_ask(facts, container);
    }
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    hit.causes.push(facts.stmt(insertion.stmt).head);
    let mut hit = hit.with_related(insertion.span, "an entry goes in here");
    if let Some(left) = left {
        hit = hit.with_related(left.span, "only a member goes here, the key stays");
    }
    out.hits.push(hit);
}

/// A slot that is cleared and never removed; it is told at the place that fills it.
fn report_slot(cx: &Context<'_>, container: &Container, slot: &Slot<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let plain = HitVerdict::sure_if(facts.sees_all_uses(container));
    let Some(verdict) = weighed(facts, container, plain) else {
        return;
    };
    let anchor = Anchor::stmt(facts, slot.filled.stmt);
    let words = word_of_slot(&container.name);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    let cleared = facts.stmt(slot.cleared.stmt).head;
    hit.causes.push(cleared);
    out.hits
        .push(hit.with_related(cleared, "only the value goes here, the key stays"));
}

/// A dict of the function that makes the application, filled by its handlers.
fn report_captured(cx: &Context<'_>, found: &Captured, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = HitVerdict::sure_if(facts.sees_all_of(found.made));
    let words = Words::new(
        format!(
            "`{}` takes a new entry for every new key, and nothing shown removes one.",
            found.name
        ),
        match found.wraps {
            true => {
                "The decorated function keeps it as long as the process lives, so its memory grows with every argument that is ever seen."
            }
            false => {
                "The handlers keep it as long as the application lives; an expiry that is only compared frees nothing."
            }
        },
        "Bound it: a maximum size with eviction, or removal of what has expired.",
    );
    let anchor = Anchor::stmt(facts, found.made);
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
    let filled = facts.stmt(found.insertion).head;
    hit.causes.push(filled);
    out.hits
        .push(hit.with_related(filled, "an entry goes in here"));
}

/// One entry for each published checkpoint; or for each size or setting that occurs, in an object that lives as long as
/// its model or stream.
fn is_few(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let UseKind::Insert(key) = insertion.kind else {
        return false;
    };
    if names_checkpoint(facts, key) {
        return true;
    }
    let Owner::Instance(class) = container.owner else {
        return false;
    };
    let unpacked = |id: ExprId| facts.is_module_class(class) && facts.parameter(id).is_some();
    is_of_sizes(facts, key) || !settings(facts, key).is_empty() || unpacked(key)
}

/// There are not many of them, and what is no checkpoint fails to load before it is kept.
fn names_checkpoint(facts: &Facts, key: ExprId) -> bool {
    facts.last_name(key).is_some_and(|name| {
        [
            "huggingface",
            "hf id",
            "checkpoint",
            "backbone",
            "architecture",
        ]
        .iter()
        .any(|word| topic::says(name, word))
    })
}
