//! Objects that come and go, and that put a method of theirs into something handed in without ever taking it out again.

use super::opened;
use super::resource_not_closed::CHECK;
use crate::facts::{BindingKind, Call, ExprId, Facts, ScopeId, ends_object};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Calls that give an object something to call later.
const SUBSCRIBES: &[&str] = &[
    "subscribe",
    "add_listener",
    "add_observer",
    "add_callback",
    "add_handler",
    "add_subscriber",
    "add_hook",
    "addListener",
    "register_callback",
    "register_listener",
    "register_handler",
    "register_observer",
    "attach",
    "listen",
    "on",
    "observe",
];

/// Words in the names of calls that take it back.
const TAKES_BACK: &[&str] = &[
    "unsubscribe",
    "unregister",
    "deregister",
    "remove",
    "removeListener",
    "off",
    "detach",
    "unlisten",
    "unobserve",
    "discard",
    "dispose",
    "cancel",
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| subscribes(facts, call)) {
        let Some(class) = facts.class_of(call.scope()) else {
            continue;
        };
        let comes_and_goes = facts.is_visible(class) && !facts.is_servant(class);
        let end = end_of(facts, class).filter(|_| comes_and_goes && !takes_back(facts, class));
        if let Some(end) = end {
            report(cx, &call, class, end, out);
        }
    }
}

/// `bus.subscribe("news", self._on_news)` in a constructor, of a bus that was handed in and so outlives the object.
fn subscribes(facts: &Facts, call: &Call<'_>) -> bool {
    let known = call.method().is_some_and(|name| SUBSCRIBES.contains(&name));
    let starts = matches!(
        facts.function_name(call.stmt()),
        Some("__init__" | "__enter__" | "__aenter__" | "start" | "open" | "connect")
    );
    let own = |id: ExprId| facts.self_attribute(id).is_some() || facts.name(id) == Some("self");
    let gives_itself = || call.args.iter().any(|arg| own(arg.value));
    let dropped = call.is_dropped();
    known
        && starts
        && dropped
        && gives_itself()
        && call.receiver().is_some_and(|of| is_handed_in(facts, of))
}

/// A parameter, or a field that the constructor takes from one.
fn is_handed_in(facts: &Facts, of: ExprId) -> bool {
    let given = |value: ExprId| facts.parameter(value).is_some();
    let by_field = || {
        let bindings = facts.bindings_behind(of);
        let from_outside = bindings.iter().all(|binding| match binding.kind {
            BindingKind::Value { value, index: None } => given(value),
            _ => false,
        });
        facts.self_attribute(of).is_some() && !bindings.is_empty() && from_outside
    };
    facts.name(of) != Some("self") && (given(of) || by_field())
}

fn takes_back(facts: &Facts, class: ScopeId) -> bool {
    facts.calls_of_class(class).any(|call| {
        let name = call.name();
        TAKES_BACK
            .iter()
            .any(|word| topic::says(name, word) || name == *word)
    })
}

/// The method that ends the object: without one it is meant to stay.
fn end_of(facts: &Facts, class: ScopeId) -> Option<ScopeId> {
    facts.methods(class).find(|&method| {
        let says = |name| {
            ends_object(name) || matches!(name, "__exit__" | "__aexit__" | "finish" | "leave")
        };
        facts.scope_name(method).is_some_and(says)
    })
}

fn report(cx: &Context<'_>, call: &Call<'_>, class: ScopeId, end: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = opened::unless_cold(cx, HitVerdict::Look);
    let end_name = facts.scope_name(end).unwrap_or("close");
    let class = facts.scope_name(class).unwrap_or("the object");
    let words = word(&facts.shown(call.function), class, end_name);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words);
    if let Some(stmt) = facts.scope(end).stmt {
        hit = hit.with_related(
            facts.stmt(stmt).head,
            "ends the object, and leaves it registered",
        );
    }
    hit.causes.push(facts.scope(end).span);
    out.hits.push(hit);
}

fn word(subscribes: &str, class: &str, end: &str) -> Words {
    Words::new(
        format!(
            "`{subscribes}` is given a method of `{class}`, and `{end}` does not take it back."
        ),
        "What was handed in keeps the object for as long as it lives itself, and goes on calling it after its end: one more for each that was made.",
        format!(
            "Does it live longer than one `{class}`? If so, take the registration back in `{end}`, or let it hold the method weakly."
        ),
    )
}
