//! Archives of somebody else that are unpacked by the names of their members.

use super::CHECK;
use crate::facts::{Call, ExprId, Facts, ScopeId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.is_test() {
        return;
    }
    for call in facts.calls() {
        let unpacks = unpacks_tar(facts, &call) && !is_filtered(cx, &call);
        if !unpacks || !comes_from_afar(facts, &call) {
            continue;
        }
        let words = word(facts, &call);
        let mut hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
        hit.severity = Some(Severity::Flag);
        out.hits.push(hit);
    }
}

/// `tar.extract(member, folder)`, `tar.extractall(folder)`. A zip file takes `..` and roots out of names by itself.
fn unpacks_tar(facts: &Facts, call: &Call<'_>) -> bool {
    let unpacks = matches!(call.method(), Some("extract" | "extractall"));
    let of = call.receiver().filter(|_| unpacks);
    of.is_some_and(|archive| {
        let bindings = facts.bindings_behind(archive).into_iter();
        let mut makers = bindings.flat_map(|binding| facts.calls_in(binding.stmt));
        makers.any(|maker| maker.is(&["tarfile.open", "tarfile.TarFile", "tarfile.TarFile.open"]))
    })
}

/// A filter, chosen members, or something in the function that looks at names before.
fn is_filtered(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let by_argument = ["filter", "members"]
        .iter()
        .any(|name| call.keyword(name).is_some())
        || call.has_splat();
    let mut others = facts.calls_of(call.scope());
    let checks = others.any(|other| {
        let says = topic::has_word(
            other.name(),
            "startswith isabs safe validate check within allowed relative",
        );
        says || cx.profile.keys.is_containment_check(other.callee())
    });
    by_argument || checks || sets_filter(facts)
}

/// `tar.extraction_filter = ...`.
fn sets_filter(facts: &Facts) -> bool {
    facts.stmt_ids().any(|stmt| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .any(|&target| facts.last_name(target) == Some("extraction_filter")),
        _ => false,
    })
}

/// Whether the function says or shows that it fetches what it unpacks, or one that calls it does.
fn comes_from_afar(facts: &Facts, call: &Call<'_>) -> bool {
    let function = facts.function_of(call.scope());
    let callers = function
        .into_iter()
        .flat_map(|function| facts.calls_to(function));
    let mut around = callers.map(|caller| caller.scope()).chain([call.scope()]);
    around.any(|scope| fetches_in(facts, scope))
}

fn fetches_in(facts: &Facts, scope: ScopeId) -> bool {
    let by_name = facts.scope_name(scope).is_some_and(fetches);
    let object_is = |id: ExprId| facts.last_name(id).is_some_and(fetches);
    let mut calls = facts.calls_of(scope);
    by_name || calls.any(|other| fetches(other.callee()) || object_is(other.function))
}

fn fetches(name: &str) -> bool {
    topic::has_word(
        name,
        "download downloaded fetch pull urlopen urlretrieve requests upload \
         uploaded url response",
    )
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let text = facts.shown(call.id);
    Words::new(
        format!("`{text}` unpacks members of a fetched archive by their own names."),
        "Before Python 3.14 a member named `../x` or `/x`, or one behind a symlink, is written outside of the folder.",
        "Does only a trusted side make these archives? If not, give `filter=\"data\"`, or refuse members whose resolved path leaves the folder.",
    )
}
