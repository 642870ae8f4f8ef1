//! Whether what keeps a container is itself dropped as a whole: then the container goes with it.

use crate::facts::{Container, Facts, Kind, Lifespan, Owner, ScopeId};
use crate::rules::HitVerdict;

/// What the life of its owner makes of a container that only grows; `None` where it is bounded by it.
pub(super) fn weighed(
    facts: &Facts,
    container: &Container,
    verdict: HitVerdict,
) -> Option<HitVerdict> {
    let Owner::Instance(class) = container.owner else {
        return Some(verdict);
    };
    match (facts.lifespan(class), verdict) {
        (Lifespan::Passing, _) => None,
        (Lifespan::Unseen, HitVerdict::Violation) if is_value(facts, class) => {
            Some(HitVerdict::Look)
        }
        (_, verdict) => Some(verdict),
    }
}

/// The question where the owner may be made for one occasion only.
pub(super) fn owner_ask(facts: &Facts, container: &Container) -> String {
    let class = match container.owner {
        Owner::Instance(class) => facts.scope_name(class),
        _ => None,
    };
    let class = class.map_or_else(|| "object".to_string(), |name| format!("`{name}`"));
    format!(
        "Who makes this {class}, and is it dropped when its window, session or job ends? If so, nothing is to do; if it stays, bound `{}`.",
        container.name
    )
}

/// A state, an aggregate, a job's own record: something that code makes for one occasion. What starts threads or
/// guards itself against them, or has been named a service before, is none, unless its name says so.
fn is_value(facts: &Facts, class: ScopeId) -> bool {
    let says = |name: &str| {
        VALUES
            .iter()
            .any(|word| topic::words(name).any(|of| of == *word))
    };
    let named = facts.scope_name(class).is_some_and(says) || facts.base_names(class).any(says);
    let serves = facts.calls_of_class(class).any(|call| {
        let made = facts.constructs(&call);
        made.is_some_and(|kind| {
            kind.is_lock() || matches!(kind, Kind::Thread | Kind::Executor | Kind::Process)
        })
    });
    !facts.is_servant(class) && (named || (!serves && aggregates(facts, class)))
}

/// Takes values in by one method and gives what they come to by another.
fn aggregates(facts: &Facts, class: ScopeId) -> bool {
    let has = |words: &[&str]| {
        let mut names = facts.methods(class).filter_map(|of| facts.scope_name(of));
        names.any(|name| {
            topic::words(name)
                .next()
                .is_some_and(|first| words.contains(&&*first))
        })
    };
    has(&[
        "update",
        "add",
        "observe",
        "accumulate",
        "feed",
        "ingest",
        "push",
    ]) && has(&[
        "result", "results", "finish", "merge", "value", "summary", "snapshot", "finalize",
    ])
}

/// Words in the names of classes that are made for one window, session, job or key.
const VALUES: &[&str] = &[
    "state",
    "aggregate",
    "aggregation",
    "accumulator",
    "reducer",
    "window",
    "bucket",
    "batch",
    "counter",
    "stats",
    "statistics",
    "summary",
    "histogram",
    "record",
    "entry",
    "session",
    "job",
    "run",
    "transaction",
    "track",
    "snapshot",
    "progress",
];
