//! Keys that a default argument makes, once and for all, when the file is imported.

use super::{CHECK, VOLATILE};
use crate::facts::{ExprId, Facts, Param, ScopeId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let functions = facts.scope_ids();
    for function in functions.filter(|&function| !is_call_cut_off(facts, function)) {
        for param in &facts.scope(function).params {
            let Some(made) =
                made_once(facts, param).filter(|_| says_identity(facts.text(param.name)))
            else {
                continue;
            };
            let verdict = cx.where_shared(HitVerdict::Violation);
            let words = word(facts, function, param, made);
            let anchor = Anchor::expr(facts, made);
            let mut hit = Hit::new(&CHECK, anchor, verdict, words);
            hit.causes.push(facts.expr(made).span);
            out.hits.push(hit);
        }
    }
}

/// The rest of a call whose head is hidden, taken for that of a function: `id=id or new_id()` reads what no default can.
fn is_call_cut_off(facts: &Facts, function: ScopeId) -> bool {
    let mut params = facts.scope(function).params.iter();
    let reads = |param: &Param, id: ExprId| {
        let name = facts.name(id);
        name.is_some_and(|name| name == "self" || name == facts.text(param.name))
    };
    facts.scope_name(function).is_none()
        && params.any(|param| {
            let mut parts = param.default.into_iter().flat_map(|of| facts.within(of));
            parts.any(|id| reads(param, id))
        })
}

/// The default that calls a clock or makes a random id.
fn made_once(facts: &Facts, param: &Param) -> Option<ExprId> {
    let default = param.default?;
    let mut calls = facts.within(default).filter_map(|id| facts.call(id));
    let is_lazy = facts
        .call(default)
        .is_some_and(|call| call.keyword("default_factory").is_some());
    let mut made = calls
        .by_ref()
        .filter(|call| call.is(VOLATILE) && call.callee() != "id");
    made.next().filter(|_| !is_lazy).map(|_| default)
}

fn says_identity(name: &str) -> bool {
    topic::ends_in_word(
        name,
        "key prefix namespace id name uid uuid token identifier run suffix",
    )
}

fn word(facts: &Facts, function: ScopeId, param: &Param, made: ExprId) -> Words {
    let (name, made) = (facts.text(param.name), facts.shown(made));
    let function = match facts.scope_name(function) {
        Some("__init__") | None => "the constructor",
        Some(function) => function,
    };
    Words::new(
        format!("The default of `{name}` is made once, when the file is imported: `{made}`."),
        format!(
            "All calls of {function} without a `{name}` share it, in workers that were forked after the import too: what should tell them apart makes them the same, and they overwrite each other's entries."
        ),
        format!("Make it `None`, and build `{name}` inside of the function."),
    )
}
