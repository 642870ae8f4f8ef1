//! A package's shared helper, written again: the same finding under whichever rule the helper serves.

use super::{Anchor, Check, Context, Hit, HitVerdict, Words};
use crate::facts::{Facts, ScopeId, ScopeKind, Span, StmtId};
use topic::{Role, SharedHelper};

/// The id that the checks of all rules share.
pub(super) const ID: &str = "own-instead-of-shared-helper";

/// The helper that code of this file should reuse; none where the file defines it or its like.
pub(super) fn helper<'a>(cx: &Context<'a>, role: Role) -> Option<&'a SharedHelper> {
    let path = &cx.facts.path;
    let mut helpers = cx.profile.helpers_for(path, role).peekable();
    let first = *helpers.peek()?;
    helpers
        .all(|helper| helper.defined_in != *path)
        .then_some(first)
}

/// The functions of the file that are not themselves among the shared helpers.
pub(super) fn own_functions<'f>(cx: &Context<'f>) -> impl Iterator<Item = ScopeId> + use<'f> {
    let (facts, profile) = (cx.facts, cx.profile);
    facts.scope_ids().filter(move |&scope| {
        facts.scope(scope).kind == ScopeKind::Function
            && facts
                .scope_name(scope)
                .is_some_and(|name| !profile.is_shared_helper(name))
    })
}

/// Whether a function's name has one of these phrases.
pub(super) fn says(facts: &Facts, function: ScopeId, phrases: &[&str]) -> bool {
    facts
        .scope_name(function)
        .is_some_and(|name| phrases.iter().any(|phrase| topic::says(name, phrase)))
}

/// A helper of the profile as a sentence names it after a plain cure: "`helper` does that". The reviewed revision can be
/// older than the helper, unless the file shows it.
pub(super) fn does(facts: &Facts, helper: &str) -> String {
    if is_shown(facts, helper) {
        format!("`{helper}` does that")
    } else {
        format!("`{helper}` does that, where this revision has it")
    }
}

/// Whether the file imports or defines a helper.
pub(super) fn is_shown(facts: &Facts, helper: &str) -> bool {
    let mut scopes = facts.scope_ids();
    facts.imports_name(helper) || scopes.any(|scope| facts.scope_name(scope) == Some(helper))
}

/// A hit at a definition, with the statement that does the helper's work beside it.
pub(super) fn hit(
    cx: &Context<'_>,
    check: &'static Check,
    (scope, work): (ScopeId, StmtId),
    helper: &SharedHelper,
    verdict: HitVerdict,
) -> Option<Hit> {
    let facts = cx.facts;
    let anchor = Anchor {
        stmt: facts.scope(scope).stmt?,
        span: facts.scope(scope).name?,
    };
    let words = word(facts.scope_name(scope)?, helper);
    let head: Span = facts.stmt(work).head;
    let mut hit = Hit::new(check, anchor, verdict, words)
        .with_related(head, "the same step as in the helper");
    hit.causes.push(head);
    Some(hit)
}

fn word(name: &str, helper: &SharedHelper) -> Words {
    Words::new(
        format!(
            "`{name}` does by itself what `{}` is there for.",
            helper.name
        ),
        "A second version of the same steps drifts: the next fix reaches one of them, and readers have to learn both.",
        format!(
            "Use `{}`, where this revision has it in `{}`, or say what it cannot do here.",
            helper.name, helper.defined_in
        ),
    )
}
