//! A cache server that is down fails the request that could do without it.

mod messages;
mod side_jobs;
mod store_back;
mod survived;
mod words;

use crate::facts::{Call, ExprId, Facts, Handler, Heat, Proof, ScopeId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Place, Words};
use messages::is_messaging;
use report::Severity;
use side_jobs::is_quiet_side_job;
use survived::{is_survived, shows_imports};
use words::word;

pub(super) const CHECK: Check = Check {
    id: "cache-outage-propagates",
    rule: 10,
    severity: Severity::Flag,
    references: &[2387],
    summary: "A Redis or cache call on the request path has no handler or fallback.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let mut open: Vec<Hit> = Vec::new();
    for call in cx.facts.calls() {
        let Some(proof) = server_call(cx, &call).filter(|_| !is_messaging(cx.facts, &call)) else {
            continue;
        };
        if let Some(handler) = names_builtins(cx.facts, &call) {
            let anchor = Anchor::call(&call);
            let hit = Hit::new(&CHECK, anchor, HitVerdict::Look, word_of_builtins());
            out.hits
                .push(hit.with_related(handler.span, "are these the client's own classes?"));
        } else if is_survived(cx, &call, proof) {
            out.evidence(10, call.span(), "an unreachable cache is survived");
        } else if stands_in_cut_try(cx.facts, &call)
            || (proof == Proof::Named && !cx.facts.sees_enclosure(call.stmt()))
        {
            // A `try` is shown around it, and what it catches is not: most likely just this.
        } else if !is_the_client_itself(cx.facts, &call) && !is_quiet_side_job(cx, &call) {
            let verdict = verdict(cx, &call, proof);
            let words = word(cx.facts, &call);
            open.push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
    out.hits.extend(one_a_function(cx.facts, open));
    store_back::detect(cx, out);
}

/// The calls of one function fall together when the server does: one of them is reported, a changed one before others, and
/// the sure before the unsure.
fn one_a_function(facts: &Facts, mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| {
        let is_old = !facts.is_changed(facts.stmt(hit.anchor.stmt).head);
        (
            is_old,
            hit.verdict != HitVerdict::Violation,
            hit.anchor.span,
        )
    });
    let mut kept: Vec<(ScopeId, Hit)> = Vec::new();
    for hit in hits {
        let scope = facts.canonical(facts.stmt(hit.anchor.stmt).scope);
        let is_excused = matches!(hit.verdict, HitVerdict::Excused(_));
        let same = kept.iter_mut().find(|(of, first)| {
            *of == scope && matches!(first.verdict, HitVerdict::Excused(_)) == is_excused
        });
        match same {
            Some((_, first)) => first.related.push(Place {
                span: hit.anchor.span,
                note: "so does this".to_string(),
            }),
            None => kept.push((scope, hit)),
        }
    }
    kept.into_iter().map(|(_, hit)| hit).collect()
}

/// A call that goes to a cache server, by type, by the profile's names, or by a method that only Redis has.
fn server_call(cx: &Context<'_>, call: &Call<'_>) -> Option<Proof> {
    // `self.get(key)` is a method of the class at hand; what it calls inside is judged there.
    let receiver = call
        .receiver()
        .filter(|&receiver| cx.facts.name(receiver) != Some("self"))?;
    let resolved = cx.facts.resolved(receiver)?;
    let by_profile = resolved.contains('.') && cx.profile.outage.is_client(&resolved);
    let acts = matches!(
        call.method()?,
        "get" | "set" | "delete" | "exists" | "keys" | "zadd" | "incr" | "hget" | "hset"
    );
    match cx.facts.redis_call(call) {
        Some(proof) => Some(proof),
        None => {
            let found = by_profile && acts && !cx.facts.is_in_process(receiver);
            found.then_some(Proof::Named)
        }
    }
}

/// The handler that alone has to survive an outage, where it names classes that the builtins have, too, and no shown line
/// says which ones are meant.
fn names_builtins<'f>(facts: &'f Facts, call: &Call<'_>) -> Option<&'f Handler> {
    let is_open = |&class: &ExprId| {
        let name = facts.name(class);
        matches!(name, Some("ConnectionError" | "TimeoutError"))
            && name.is_some_and(|name| !facts.imports_name(name))
    };
    let mut handlers = facts.handlers_around(call.stmt());
    let first = handlers.next()?;
    let only = handlers.next().is_none();
    let all = !first.types.is_empty() && first.types.iter().all(is_open);
    (only && all && !shows_imports(facts) && !facts.reraises(first)).then_some(first)
}

fn word_of_builtins() -> Words {
    Words::new(
        "This handler catches `ConnectionError` and `TimeoutError`, and what is shown does not say whose.",
        "The builtin classes of these names are not what a Redis client raises: then an outage of the cache fails the request all the same.",
        "Where do the names come from? Import them from the client (`redis.exceptions`), or catch its `RedisError`.",
    )
}

fn stands_in_cut_try(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .ancestors(call.stmt())
        .any(|ancestor| facts.is_cut_try(ancestor.stmt))
}

fn is_hot(cx: &Context<'_>, call: &Call<'_>) -> bool {
    cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot
}

/// The wrapper around the client passes errors on by design: its callers decide.
fn is_the_client_itself(facts: &Facts, call: &Call<'_>) -> bool {
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    class.is_some_and(|name| topic::says(name, "redis") && topic::says(name, "cache"))
}

fn verdict(cx: &Context<'_>, call: &Call<'_>, proof: Proof) -> HitVerdict {
    let facts = cx.facts;
    if let Heat::Cold(reason) = facts.heat(call.stmt(), cx.profile) {
        return HitVerdict::Excused(format!("Not on the request path: {reason}."));
    }
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    let fronts =
        class.is_some_and(|name| topic::says(name, "cached") || topic::says(name, "cache"));
    let hot = fronts || is_hot(cx, call);
    HitVerdict::sure_if(hot && proof == Proof::Proven && facts.sees_enclosure(call.stmt()))
}
