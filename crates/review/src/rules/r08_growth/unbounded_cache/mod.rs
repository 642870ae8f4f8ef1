//! A long-lived dict or set that takes keys from outside and never gives one up.

mod captured;
mod keys;
mod lifetime;
mod slots;
mod tables;
mod unseen;
mod visitors;

use super::ending::only_the_end_empties;
use super::incomplete_entries;
use super::lifespan::{owner_ask, weighed};
use crate::facts::{Container, ExprId, ExprKind, Facts, Kind, Owner, StmtKind, Use, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use captured::Captured;
use keys::{is_by_stream, is_of_sizes, is_open, settings};
use lifetime::{is_of_locks, lives_long};
use report::Severity;
use slots::{Slot, slot};
use tables::is_of_table;

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
    for found in captured::captured(cx.facts) {
        report_captured(cx, &found, out);
    }
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

/// Whether entries go out again: those that the insertion makes, or the ones that hold them.
fn gives_up(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let removes = |of: &Use| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size);
    let inner = container
        .inner_uses
        .iter()
        .any(|of| of.span == insertion.span);
    (container.is_bounded() && !only_the_end_empties(facts, container))
        || (inner && container.inner_uses.iter().any(removes))
        || counts_before(facts, container, insertion)
}

/// An explicit counter: the inserting function compares something with a constant that says maximum.
/// The length of something else, such as of one entry, is no such counter.
fn counts_before(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let Some(function) = facts.function_of(facts.stmt(insertion.stmt).scope) else {
        return false;
    };
    let says_limit = |id: ExprId| {
        let name = facts.last_name(id).unwrap_or("");
        ["max", "limit", "maximum", "capacity"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    facts
        .statements_of(function)
        .any(|stmt| match facts.stmt(stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                let compares = matches!(facts.expr(test).kind, ExprKind::Compare { .. });
                let of_other = facts
                    .within(test)
                    .any(|id| measures_other(facts, container, id));
                compares && !of_other && facts.within(test).any(says_limit)
            }
            _ => false,
        })
}

fn measures_other(facts: &Facts, container: &Container, id: ExprId) -> bool {
    let call = facts.call(id).filter(|call| call.callee() == "len");
    call.and_then(|call| call.positional(0))
        .is_some_and(|of| facts.name(of).is_some() && facts.expr_text(of) != container.name)
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
    let asks = |test: ExprId| {
        let text = facts.expr_text(test);
        text.contains(&container.name) && text.contains(" in ")
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
            StmtKind::For { iter, .. } => facts.expr_text(iter).contains(&container.name),
            _ => false,
        })
}

fn adds_open_value(facts: &Facts, of: &Use) -> bool {
    let call = facts
        .calls_within(of.span)
        .find(|call| call.method() == Some("add"));
    call.and_then(|call| call.positional(0))
        .is_some_and(|value| is_open(facts, value))
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
    let few = is_few(facts, container, insertion) || is_of_locks(facts, container, insertion);
    let plain = if facts.sees_all_uses(container) && !few {
        HitVerdict::Violation
    } else {
        HitVerdict::Look
    };
    let Some(verdict) = weighed(facts, container, plain.clone()) else {
        return;
    };
    let mut words = word(container);
    if verdict != plain {
        words.ask = owner_ask(facts, container);
    }
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    hit.causes.push(facts.stmt(insertion.stmt).head);
    out.hits
        .push(hit.with_related(insertion.span, "an entry goes in here"));
}

/// A slot that is cleared and never removed; it is told at the place that fills it.
fn report_slot(cx: &Context<'_>, container: &Container, slot: &Slot<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let plain = match facts.sees_all_uses(container) {
        true => HitVerdict::Violation,
        false => HitVerdict::Look,
    };
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
    let verdict = match facts.sees_all_of(found.made) {
        true => HitVerdict::Violation,
        false => HitVerdict::Look,
    };
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

fn word_of_slot(name: &str) -> Words {
    Words::new(
        format!(
            "Each entry of `{name}` keeps its key when it is given up: `None` is written over it."
        ),
        "The map grows by one key for each that ever came, and whoever walks through it meets all of them.",
        format!("Take the entry out where it is given up: `{name}.pop(key, None)`."),
    )
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

fn word_unseen(name: &str) -> Words {
    Words::new(
        format!(
            "`{name}` takes a new entry for every new key here, and nothing shown removes one."
        ),
        "If it lives across calls, its memory grows with every key that is ever seen.",
        format!(
            "Where is `{name}` made, and what takes entries out of it? A maximum size, an expiry or a removal would bound it."
        ),
    )
}

fn word(container: &Container) -> Words {
    let name = &container.name;
    let lives = match container.owner {
        Owner::Module => "as long as the process",
        Owner::Class(_) => "as long as the process, for all instances together",
        Owner::Instance(_) => "as long as its owner, across calls",
    };
    Words::new(
        format!("`{name}` takes a new entry for every new key and nothing shown removes one."),
        format!("It lives {lives}, so its memory grows with every key that is ever seen."),
        format!(
            "Bound `{name}`: a maximum size with eviction, an expiry, or removal when the key's owner goes away."
        ),
    )
}
