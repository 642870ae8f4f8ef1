//! Two structures keep the same keys and only one of them evicts; or the thread that evicts never starts.

use super::removal::put_key;
use super::{noted_too_early, swapped_keys};
use crate::facts::{Call, Container, ExprId, Facts, Kind, Owner, ScopeId, Span, StmtKind, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "eviction-misses-structure",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "Of structures that keep the same keys only one evicts, or the thread that should evict is never started.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    swapped_keys::detect(cx, out);
    unstarted_evictors(cx, out);
    uneven_pairs(cx, out);
    noted_too_early::detect(cx, out);
}

fn unstarted_evictors(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx
        .facts
        .calls()
        .filter(|call| cx.facts.constructs(call) == Some(Kind::Thread))
    {
        let target = call
            .keyword("target")
            .and_then(|target| cx.facts.last_name(target));
        let evicts = target.is_some_and(|name| {
            [
                "expire", "evict", "purge", "prune", "cleanup", "clean", "expiry",
            ]
            .iter()
            .any(|word| topic::says(name, word))
        });
        if let Some(name) = target.filter(|_| evicts && !is_started(cx.facts, &call)) {
            let verdict = HitVerdict::sure_if(owner_is_visible(cx.facts, &call));
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word_thread(name),
            ));
        }
    }
}

/// `Thread(...).start()`, or `.start()` on the name or attribute that it is kept in.
fn is_started(facts: &Facts, call: &Call<'_>) -> bool {
    let chained = facts
        .expr(call.id)
        .parent
        .and_then(|up| facts.attribute(up))
        .is_some_and(|(_, name)| name == "start");
    let kept = match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign { targets, .. } => {
            targets.first().and_then(|&target| facts.dotted(target))
        }
        _ => return true,
    };
    chained
        || facts.calls_named("start").any(|other| {
            other.method().is_some() && other.receiver().and_then(|r| facts.dotted(r)) == kept
        })
}

fn owner_is_visible(facts: &Facts, call: &Call<'_>) -> bool {
    match facts.class_of(call.scope()) {
        Some(class) => facts.is_visible(class),
        None => facts.sees_all_of(call.stmt()),
    }
}

/// Structures of one owner that are filled under the same key in one function, where one gives keys up and the other does not.
fn uneven_pairs(cx: &Context<'_>, out: &mut Outcome) {
    let containers = cx.facts.containers();
    for kept in containers
        .iter()
        .filter(|one| matches!(one.kind, Kind::Dict) && !one.is_bounded())
    {
        let pair = containers.iter().find(|other| {
            other.name != kept.name
                && other.owner == kept.owner
                && gives_up_keys(cx.facts, other)
                && filled_together(cx.facts, kept, other)
        });
        if let Some((other, span)) =
            pair.and_then(|other| Some((other, shrink_of(cx.facts, other)?)))
        {
            let anchor = Anchor::stmt(cx.facts, kept.stmt);
            let verdict = HitVerdict::sure_if(cx.facts.sees_all_uses(kept));
            let mut hit = Hit::new(&CHECK, anchor, verdict, word_pair(kept, other));
            hit.causes.extend(
                kept.uses
                    .iter()
                    .filter(|of| matches!(of.kind, UseKind::Insert(_)))
                    .map(|of| of.span),
            );
            out.hits
                .push(hit.with_related(span, "only this one gives the key up"));
        }
    }
}

fn gives_up_keys(facts: &Facts, container: &Container) -> bool {
    matches!(container.kind, Kind::Dict | Kind::List | Kind::Deque)
        && shrink_of(facts, container).is_some()
        && !matches!(container.owner, Owner::Module if container.uses.is_empty())
}

/// Where it gives something up: a removal, or its making with a maximum length.
fn shrink_of(facts: &Facts, container: &Container) -> Option<Span> {
    let made = facts.call(container.value);
    let limit = made
        .and_then(|made| made.arg(1, "maxlen"))
        .filter(|_| container.kind == Kind::Deque);
    let removal = container.uses.iter().find(|of| of.kind == UseKind::Shrink);
    removal
        .map(|of| of.span)
        .or(limit.map(|limit| facts.expr(limit).span))
}

/// Both get an entry for the same key in one function; a list or deque gets the key itself.
fn filled_together(facts: &Facts, one: &Container, other: &Container) -> bool {
    let keys = |container: &Container| -> Vec<(ScopeId, String)> {
        let inserts = container.uses.iter().filter_map(|of| {
            let key = match (of.kind, container.kind) {
                (UseKind::Insert(key), _) => key,
                (UseKind::Append, Kind::List | Kind::Deque) => put_key(facts, of)?,
                _ => return None,
            };
            Some((facts.stmt(of.stmt).scope, key_text(facts, key)))
        });
        inserts.collect()
    };
    let mine = keys(one);
    keys(other)
        .iter()
        .any(|key| !key.1.starts_with(['"', '\'']) && mine.contains(key))
}

fn key_text(facts: &Facts, key: ExprId) -> String {
    facts.expr_text(key).to_string()
}

fn word_thread(name: &str) -> Words {
    Words::new(
        format!("The thread that runs `{name}` is made but never started."),
        "Nothing is evicted: what has expired stays until somebody happens to ask for it.",
        "Start the thread where it is made, and give it a way to stop.",
    )
}

fn word_pair(kept: &Container, other: &Container) -> Words {
    Words::new(
        format!(
            "`{}` keeps the keys that `{}` gives up.",
            kept.name, other.name
        ),
        "Both are filled under the same key, so the one without eviction grows with every key that is ever seen.",
        format!(
            "Remove the key from `{}` wherever `{}` lets it go.",
            kept.name, other.name
        ),
    )
}
