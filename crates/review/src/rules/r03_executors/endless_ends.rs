//! Joins without a limit at the end of an object: of a queue whose consumer may die before it has counted its item, and
//! of a thread that sends over the network.

use super::kept;
use super::thread_not_joined::CHECK;
use crate::facts::{Call, CleanupPlace, ExprId, Facts, Kind, Resource, ScopeId, StmtId, Wait};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| joins_at_end(facts, call)) {
        let told = |hit: &Hit| hit.check.id == CHECK.id && hit.anchor.stmt == call.stmt();
        if out.hits.iter().any(told) {
            continue;
        }
        let Some(receiver) = call.receiver() else {
            continue;
        };
        match facts.kind_of(receiver) {
            Some(Kind::Queue) => {
                if let Some(counted) = counted_on_success(facts, receiver) {
                    report(cx, &call, word_of_queue(), Some(counted), out);
                }
            }
            Some(Kind::Thread) if sends(cx, receiver) => {
                report(cx, &call, word_of_sender(), None, out);
            }
            _ => {}
        }
    }
}

/// `self._jobs.join()` in a method that ends the object.
fn joins_at_end(facts: &Facts, call: &Call<'_>) -> bool {
    let of_field = call
        .receiver()
        .is_some_and(|of| facts.self_attribute(of).is_some());
    let place = facts.cleanup_place(call.stmt());
    let at_end = matches!(place, Some(CleanupPlace::Closer | CleanupPlace::Protocol));
    call.method() == Some("join") && call.args.is_empty() && of_field && at_end
}

/// The `task_done` of a queue's consumer, which an error in the work before it passes by.
fn counted_on_success(facts: &Facts, queue: ExprId) -> Option<StmtId> {
    let name = facts.dotted(queue);
    let counts: Vec<Call<'_>> = facts
        .calls_named("task_done")
        .filter(|call| call.receiver().and_then(|of| facts.dotted(of)) == name)
        .collect();
    let safe = counts.iter().any(|call| facts.in_finally(call.stmt()));
    counts.first().filter(|_| !safe).map(|call| call.stmt())
}

/// Whether the thread's function asks a server, or, where that is not shown, its name says so.
fn sends(cx: &Context<'_>, thread: ExprId) -> bool {
    let facts = cx.facts;
    let named = || {
        facts.last_name(thread).is_some_and(|name| {
            let words = [
                "sender",
                "uploader",
                "publisher",
                "poster",
                "reporter",
                "exporter",
            ];
            words.iter().any(|word| topic::says(name, word))
        })
    };
    match target(facts, thread) {
        Some(target) => matches!(
            facts.blocks_inside(target, cx.profile),
            Some((call, Wait::Network)) if !is_timed(facts, call)
        ),
        None => named(),
    }
}

fn is_timed(facts: &Facts, call: ExprId) -> bool {
    facts
        .call(call)
        .is_some_and(|call| call.keyword("timeout").is_some() || call.has_splat())
}

/// The function that the thread of a field runs.
fn target(facts: &Facts, thread: ExprId) -> Option<ScopeId> {
    let field = facts.holder_of(thread)?;
    let mut made = facts.made().iter();
    let made = made.find(|made| {
        made.resource == Resource::Object(Kind::Thread)
            && facts.field_of(made).as_ref() == Some(&field)
    })?;
    facts.thread_target(&facts.call(made.call)?)
}

fn report(
    cx: &Context<'_>,
    call: &Call<'_>,
    words: Words,
    counted: Option<StmtId>,
    out: &mut Outcome,
) {
    let verdict = kept::unless_cold(cx, HitVerdict::Look);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words);
    if let Some(counted) = counted {
        let head = cx.facts.stmt(counted).head;
        hit.causes.push(head);
        hit = hit.with_related(head, "reached only where the work before it does not raise");
    }
    out.hits.push(hit);
}

fn word_of_queue() -> Words {
    Words::new(
        "The stop waits without a limit until each item of the queue was counted as done.",
        "`Queue.join` takes no timeout: one item whose work raised, or a consumer that died or never ran, and the shutdown hangs.",
        "Is `task_done` reached whatever happens? Put it into a `finally`, or join the consumer with a timeout instead.",
    )
}

fn word_of_sender() -> Words {
    Words::new(
        "The stop waits without a limit for a thread that sends over the network.",
        "While a server does not answer, the thread does not see that it should end, and the process cannot exit.",
        "Give the join a timeout, and each request of the thread one, too.",
    )
}
