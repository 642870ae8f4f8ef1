//! A handler takes back what was prepared and says nothing: the caller goes on as if the work had been done.

use crate::facts::{Call, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "failure-as-success",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A handler for all errors takes a step back and neither raises, logs nor returns: a failed call looks like one that succeeded.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = &facts.stmt(stmt).kind else {
            continue;
        };
        if !is_the_work(facts, stmt, body) {
            continue;
        }
        let stores = stores_for_good(cx, body);
        for handler in handlers.iter().filter(|one| hides(facts, one, stores)) {
            let verdict = verdict(cx, stmt, handler);
            let anchor = Anchor {
                stmt,
                span: handler.span,
            };
            let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, handler));
            let undone = handler.body.first().map(|&first| facts.stmt(first).head);
            hit.causes.extend(undone);
            out.hits.push(hit);
        }
    }
}

/// A call at the end of a function that is no clean-up itself: nothing behind it makes up for its failure.
fn is_the_work(facts: &Facts, stmt: StmtId, body: &[StmtId]) -> bool {
    let is_last = facts.following(stmt).is_empty()
        && facts
            .ancestors(stmt)
            .all(|around| facts.following(around.stmt).is_empty())
        && !facts.in_loop(stmt);
    let works = || {
        let inside = facts.statements_in(body);
        inside
            .iter()
            .any(|&inner| facts.calls_in(inner).next().is_some())
    };
    is_last
        && facts.function_of(facts.stmt(stmt).scope).is_some()
        && facts.cleanup_place(stmt).is_none()
        && facts.enclosing_handler(stmt).is_none()
        && works()
}

/// It catches everything, takes something back, and ends without a word.
fn hides(facts: &Facts, handler: &Handler, stores: bool) -> bool {
    let inside = facts.statements_in(&handler.body);
    let leaves = |stmt: &StmtId| {
        matches!(
            facts.stmt(*stmt).kind,
            StmtKind::Return(_) | StmtKind::Raise
        )
    };
    let removes = |call: Call<'_>| stores && facts.deletion(call).is_some();
    let takes_back = |stmt: &StmtId| {
        matches!(facts.stmt(*stmt).kind, StmtKind::Delete(_))
            || facts
                .calls_in(*stmt)
                .any(|call| undoes(&call) || removes(call))
    };
    facts.catches_all(handler)
        && inside.iter().any(takes_back)
        && !inside.iter().any(leaves)
        && !facts.tells(handler)
        && facts.scaffold_at(handler.span.start).is_none()
}

/// The body writes or moves files, none of which is an entry of a cache that could be made anew.
fn stores_for_good(cx: &Context<'_>, body: &[StmtId]) -> bool {
    let facts = cx.facts;
    let inside = facts.statements_in(body);
    let written = facts.writes().map(|write| (write.call, write.path));
    let moved = facts.moves().map(|moved| (moved.call, moved.to));
    let mut made = written
        .chain(moved)
        .filter(|(call, _)| inside.contains(&call.stmt()))
        .peekable();
    made.peek().is_some() && made.all(|(_, path)| facts.cache_proof(path, cx.profile).is_none())
}

/// Takes a thing out of where it was put before: `self._keys.remove(key)`.
fn undoes(call: &Call<'_>) -> bool {
    let undoes = matches!(
        call.name(),
        "remove"
            | "pop"
            | "popitem"
            | "discard"
            | "rollback"
            | "unregister"
            | "deregister"
            | "release"
    );
    undoes && call.receiver().is_some()
}

/// Proven where not even an interrupt comes through; else what is caught may be meant.
fn verdict(cx: &Context<'_>, stmt: StmtId, handler: &Handler) -> HitVerdict {
    let is_widest = handler.types.is_empty()
        || handler
            .types
            .iter()
            .any(|&class| cx.facts.last_name(class) == Some("BaseException"));
    match cx.facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody relies on it: {reason}.")),
        None if is_widest && cx.facts.sees_enclosure(stmt) => HitVerdict::Violation,
        None => HitVerdict::Look,
    }
}

fn word(facts: &Facts, handler: &Handler) -> Words {
    let line = facts.text(handler.span).trim_end_matches(':').trim();
    Words::new(
        format!(
            "`{line}` takes a step back and then lets the function end as if nothing had failed."
        ),
        "The caller is told of no error and goes on with something that is not there; the first use of it fails far from the cause.",
        "Raise again behind the step back (`raise`), or return an answer that the caller tests.",
    )
}
