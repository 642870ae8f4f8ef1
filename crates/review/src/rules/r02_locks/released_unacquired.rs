//! A `finally` gives a lock back that the acquire in its `try` may not have got.

use crate::facts::{Call, Facts, Kind, Part, Proof, StmtId, StmtKind, Taken};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "released-unacquired",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A lock is acquired with a limit inside a `try` whose `finally` releases it in any case.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts.held() {
        let Taken::Acquire(id) = held.taken else {
            continue;
        };
        let Some(acquire) = facts.call(id).filter(|call| can_fail(facts, call)) else {
            continue;
        };
        let Some(release) = release_in_finally(facts, &acquire) else {
            continue;
        };
        let is_thread = matches!(held.lock.kind, Kind::ThreadLock | Kind::ReentrantLock);
        let verdict = match facts.cold_file(cx.profile) {
            Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
            None if is_thread && held.lock.proof == Proof::Proven => HitVerdict::Violation,
            None => HitVerdict::Look,
        };
        let words = word(facts, &acquire);
        let mut hit = Hit::new(&CHECK, Anchor::call(&acquire), verdict, words)
            .with_related(release.span(), "given back here in any case");
        hit.causes.push(release.span());
        out.hits.push(hit);
    }
    super::deleted_unowned::detect(cx, out);
}

/// It has a limit, or does not wait: then there are two outcomes.
fn can_fail(facts: &Facts, acquire: &Call<'_>) -> bool {
    let named = ["timeout", "blocking_timeout", "blocking"]
        .iter()
        .any(|name| acquire.keyword(name).is_some());
    let placed = acquire.method() == Some("acquire") && acquire.positional(0).is_some();
    named || placed || facts.is_given_to(acquire.id, &["wait_for"])
}

/// The release in the `finally` of a `try` that the acquire stands in, asked for by nothing.
fn release_in_finally<'f>(facts: &'f Facts, acquire: &Call<'f>) -> Option<Call<'f>> {
    let lock = acquire.receiver().and_then(|lock| facts.dotted(lock))?;
    let outer = facts.ancestors(acquire.stmt()).find(|around| {
        around.part == Part::Body
            && matches!(
                facts.stmt(around.stmt).kind,
                StmtKind::Try {
                    has_finally: true,
                    ..
                }
            )
    })?;
    let StmtKind::Try { finally, .. } = &facts.stmt(outer.stmt).kind else {
        return None;
    };
    let releases = |call: &Call<'_>| {
        let of_it = call.receiver().and_then(|of| facts.dotted(of));
        call.method() == Some("release") && of_it.as_ref() == Some(&lock)
    };
    let plain = |&&stmt: &&StmtId| matches!(facts.stmt(stmt).kind, StmtKind::Expr(_));
    finally
        .iter()
        .filter(plain)
        .flat_map(|&stmt| facts.calls_in(stmt))
        .find(releases)
}

fn word(facts: &Facts, acquire: &Call<'_>) -> Words {
    let lock = acquire
        .receiver()
        .map_or("the lock".into(), |lock| facts.shown(lock));
    Words::new(
        format!("`{lock}` is released in the `finally` also where this acquire did not get it."),
        "Then the release raises `RuntimeError`, or takes the lock away from whoever holds it at that moment, and two are inside.",
        "Acquire before the `try`, and enter the `try` only with the lock in hand.",
    )
}
