//! How long a container lives, and whether it is filled as the program goes on.

use super::emptied::emptied;
use super::idle::left_to_nobody;
use super::keys::is_setting;
use super::lazy::goes_only_when_asked;
use super::visitors::{asked_from_afar, is_by_visitor, remembers_ids};
use crate::facts::{Container, ExprId, Facts, Heat, Kind, Owner, ScopeId, StmtKind, Use, UseKind};
use crate::rules::Context;

/// A module or class lives as long as the process. An instance does if its class keeps state across calls
/// on a hot path, guards it, or is named for it.
pub(super) fn lives_long(cx: &Context<'_>, container: &Container, insertion: &Use) -> bool {
    let facts = cx.facts;
    let fills_at_import = facts
        .function_of(facts.stmt(insertion.stmt).scope)
        .is_none();
    if fills_at_import || is_registration(facts, container, insertion) {
        return false;
    }
    let heat = facts.heat(insertion.stmt, cx.profile);
    let is_cold = matches!(heat, Heat::Cold(_));
    if is_by_thread(facts, insertion) || is_of_locks(facts, container, insertion) {
        return !makes_and_fills(facts, container, insertion) && !is_cold;
    }
    match container.owner {
        Owner::Module | Owner::Class(_) => !is_cold,
        Owner::Instance(class) => {
            let says = |name: &str| KEEPS.iter().any(|word| topic::says(name, word));
            let hot = heat == Heat::Hot
                || (!facts.is_visible(class) && remembers_ids(facts, container, insertion))
                || (is_by_visitor(facts, insertion) && asked_from_afar(facts, insertion));
            let kept = says(&container.name) || facts.scope_name(class).is_some_and(says);
            let settings = matches!(insertion.kind, UseKind::Insert(key) if is_setting(facts, key));
            // Who gives entries an expiry, or keeps what somebody waits for, means them to outlive calls.
            let ages = (goes_only_when_asked(facts, container)
                || left_to_nobody(facts, container).is_some()
                || emptied(facts, container, insertion).is_some()
                || keeps_mailbox(facts, insertion))
                && !is_cold;
            let kept = kept || has_lock(facts, class) || is_by_occurrence(facts, insertion);
            !makes_and_fills(facts, container, insertion) && !settings && (ages || (hot && kept))
        }
    }
}

/// A lock for each id that comes: whoever asks makes one, and nobody knows when it is not wanted any more.
pub(super) fn is_of_locks(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let key = match insertion.kind {
        UseKind::Insert(key) | UseKind::Keyed(key) => key,
        _ => return false,
    };
    let by_id = facts.last_name(key).is_some_and(|name| {
        topic::ends_in_word(name, "id uuid session request job task user url token")
    });
    let factory = facts
        .call(container.value)
        .filter(|call| call.name() == "defaultdict")
        .and_then(|call| facts.resolved(call.positional(0)?));
    let makes_locks = factory.is_some_and(|name| name.ends_with("Lock"));
    let stores_lock = || {
        let values = facts
            .exprs_of(insertion.stmt)
            .filter_map(|id| facts.call(id));
        values
            .into_iter()
            .any(|call| facts.constructs(&call).is_some_and(Kind::is_lock))
    };
    by_id && (makes_locks || stores_lock())
}

/// One entry for each thread, task or event loop: they come and go, and tell nobody.
fn is_by_thread(facts: &Facts, insertion: &Use) -> bool {
    let UseKind::Insert(key) = insertion.kind else {
        return false;
    };
    let names_runner = |value: ExprId| {
        facts.within(value).any(|id| {
            facts.call(id).is_some_and(|call| {
                matches!(
                    call.name(),
                    "get_ident"
                        | "get_native_id"
                        | "current_thread"
                        | "currentThread"
                        | "current_task"
                        | "get_running_loop"
                        | "get_event_loop"
                )
            })
        })
    };
    names_runner(key) || facts.values(key).into_iter().any(names_runner)
}

/// One entry for each event, request or job that comes: an id of its own names it, and no other call uses that again.
fn is_by_occurrence(facts: &Facts, insertion: &Use) -> bool {
    let UseKind::Insert(key) = insertion.kind else {
        return false;
    };
    let is_occurrence = |name: &str| {
        [
            "event",
            "request",
            "job",
            "message",
            "session",
            "prediction",
            "call",
            "transaction",
        ]
        .iter()
        .any(|word| topic::says(name, word))
    };
    let is_id = |name: &str| topic::ends_in_word(name, "id uuid uid");
    let own = facts.last_name(key).unwrap_or("");
    let of = facts
        .attribute(key)
        .and_then(|(object, _)| facts.last_name(object));
    is_id(own) && (is_occurrence(own) || of.is_some_and(is_occurrence))
}

/// `self._waiting[number] = future`: one future, event or queue for each request, for whoever brings the answer.
fn keeps_mailbox(facts: &Facts, insertion: &Use) -> bool {
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(insertion.stmt).kind
    else {
        return false;
    };
    let is_mailbox = |value: ExprId| {
        facts.call(value).is_some_and(|call| {
            let of_call = call.scope() == facts.stmt(insertion.stmt).scope;
            let made = matches!(
                facts.constructs(&call),
                Some(
                    Kind::Future | Kind::Event | Kind::AsyncEvent | Kind::Queue | Kind::AsyncQueue
                )
            );
            of_call && (made || matches!(call.name(), "create_future" | "Future"))
        })
    };
    facts.values(value).into_iter().any(is_mailbox)
}

/// Words in the name of what outlives a call.
pub(super) const KEEPS: &[&str] = &[
    "cache",
    "caches",
    "cached",
    "registry",
    "manager",
    "pool",
    "history",
    "seen",
    "sessions",
    "tracks",
    "tracker",
    "trackers",
    "state",
    "states",
    "block",
    "clients",
    "connections",
    "buffers",
    "memo",
    "last",
    "previous",
    "collector",
    "rooms",
    "channels",
    "sockets",
    "subscribers",
    "subscriptions",
    "listeners",
    "waiters",
    "waiting",
    "pending",
    "inflight",
    "jobs",
    "results",
    "attempts",
    "buckets",
    "windows",
    "throttles",
    "quotas",
    "hits",
    "counts",
    "counters",
    "calls",
    "requests",
    "active",
];

fn has_lock(facts: &Facts, class: ScopeId) -> bool {
    facts.methods(class).any(|method| {
        facts
            .calls_within(facts.scope(method).span)
            .any(|call| facts.constructs(&call).is_some_and(Kind::is_lock))
    })
}

/// Made and filled in one function: the instance only shows the result.
fn makes_and_fills(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    facts.stmt(container.stmt).scope == facts.stmt(insertion.stmt).scope
}

/// A plug-in registry is filled by decorators and modules: as many entries as the program has parts.
fn is_registration(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let name = facts.function_name(insertion.stmt).unwrap_or("");
    let registers = topic::says(name, "register")
        || topic::says(name, "add")
        || topic::says(&container.name, "registry");
    let of_registry = facts
        .class_of(facts.stmt(insertion.stmt).scope)
        .and_then(|class| facts.scope_name(class))
        .is_some_and(|class| topic::says(class, "registry"));
    let stores_definition = match &facts.stmt(insertion.stmt).kind {
        StmtKind::Assign {
            value: Some(value), ..
        } => facts.last_name(*value).is_some_and(|name| {
            // What it makes when it is called is no definition: `cls._made[key] = cls(key)`.
            facts.call(*value).is_none()
                && matches!(
                    name,
                    "cls"
                        | "func"
                        | "fn"
                        | "function"
                        | "wrapper"
                        | "klass"
                        | "handler"
                        | "factory"
                )
        }),
        _ => false,
    };
    stores_definition
        || of_registry
        || (registers && matches!(container.owner, Owner::Module | Owner::Class(_)))
}
