//! An own recursive resolver of futures where the project has a shared one.

use crate::facts::{Call, Facts, Kind, Proof, ScopeId, ScopeKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: "bespoke-future-resolver",
    rule: 4,
    severity: Severity::Flag,
    references: &[],
    summary: "A function resolves futures in nested values by itself although the project has a helper for it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx
        .facts
        .calls()
        .filter(|call| cx.profile.futures.is_resolver(call.callee()))
    {
        out.evidence(4, call.span(), format!("uses the shared `{}`", call.name()));
    }
    if !helper_exists(cx) {
        return;
    }
    for function in cx
        .facts
        .scope_ids()
        .filter(|&scope| resolves_recursively(cx, scope) || asks_recursively(cx, scope))
    {
        if let Some(stmt) = cx.facts.scope(function).stmt {
            let anchor = Anchor::stmt(cx.facts, stmt);
            out.hits.push(Hit::new(
                &CHECK,
                anchor,
                HitVerdict::Violation,
                word(cx, function),
            ));
        }
    }
}

/// The helper is within reach: the profile says so for this path, or the file already imports the project's timeout.
fn helper_exists(cx: &Context<'_>) -> bool {
    let by_path = cx
        .profile
        .helpers_for(&cx.facts.path, Role::FutureResolver)
        .next()
        .is_some();
    by_path
        || cx
            .profile
            .futures
            .timeout_settings
            .iter()
            .any(|setting| cx.facts.imports_name(setting))
}

/// Calls itself and asks a proven future for its result; the profile's own helpers are judged like other code.
fn resolves_recursively(cx: &Context<'_>, function: ScopeId) -> bool {
    calls_itself(cx, function, is_result_of_future)
}

/// Calls itself and tests values for being futures: the question that the helper beside the resolver answers.
fn asks_recursively(cx: &Context<'_>, function: ScopeId) -> bool {
    let helps = cx.profile.helpers_for(&cx.facts.path, Role::FutureQuestion);
    helps.count() > 0 && calls_itself(cx, function, is_test_for_future)
}

fn calls_itself(cx: &Context<'_>, function: ScopeId, and: fn(&Facts, &Call<'_>) -> bool) -> bool {
    let facts = cx.facts;
    let scope = facts.scope(function);
    let Some(name) = facts
        .scope_name(function)
        .filter(|_| scope.kind == ScopeKind::Function)
    else {
        return false;
    };
    let calls = || facts.calls_within(scope.span);
    !cx.profile.is_shared_helper(name)
        && calls().any(|call| and(facts, &call))
        && calls().any(|call| call.name() == name)
}

/// `isinstance(value, Future)`.
fn is_test_for_future(facts: &Facts, call: &Call<'_>) -> bool {
    call.callee() == "isinstance"
        && call
            .positional(1)
            .is_some_and(|class| facts.is_one_of(class, &["concurrent.futures.Future"]))
}

fn is_result_of_future(facts: &Facts, call: &Call<'_>) -> bool {
    let proven = |call: &Call<'_>| {
        call.receiver()
            .and_then(|receiver| facts.type_of(receiver))
            .is_some_and(|found| found.is(Kind::Future) && found.proof == Proof::Proven)
    };
    call.method() == Some("result") && proven(call)
}

fn word(cx: &Context<'_>, function: ScopeId) -> Words {
    let name = cx.facts.scope_name(function).unwrap_or("this function");
    let resolves = resolves_recursively(cx, function);
    let role = match resolves {
        true => Role::FutureResolver,
        false => Role::FutureQuestion,
    };
    let helper = cx.profile.helpers_for(&cx.facts.path, role).next();
    let helper = helper.map(|helper| helper.name.as_str());
    let helper = helper.or(cx.profile.futures.resolvers.first().map(String::as_str));
    let does = match resolves {
        true => "resolves futures in",
        false => "looks for futures in",
    };
    Words::new(
        format!("`{name}` {does} nested values by itself."),
        "Each own resolver has its own idea of timeouts, containers and errors, and drifts from the shared one.",
        format!(
            "Use `{}`, or say what it cannot do here.",
            helper.unwrap_or("the shared helper")
        ),
    )
}
