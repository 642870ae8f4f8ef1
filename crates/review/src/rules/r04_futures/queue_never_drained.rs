//! `queue.join()`: a wait until every item of a queue was counted as done, with no limit that one could give. It never
//! ends where nobody counts, or where nobody takes out of the queue any more.

use super::takers::{self, Taker};
use crate::facts::{Call, CleanupPlace, ExprId, Facts, Heat, Kind, Span, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "queue-never-drained",
    rule: 4,
    severity: Severity::Flag,
    references: &[],
    summary: "A queue's `join` waits for items that nobody counts, or that nobody takes any more.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(queue) = drained(facts, &call) else {
            continue;
        };
        if !facts.is_given_to(call.id, &["wait_for"])
            && let Some(fault) = fault(facts, &call, queue)
        {
            report(cx, &call, queue, &fault, out);
        }
    }
}

/// The queue that `queue.join()` waits for.
pub(super) fn drained(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let queue = call.receiver().filter(|_| call.method() == Some("join"))?;
    (call.args.is_empty() && is_queue(facts, queue)).then_some(queue)
}

/// By its kind, or by what else is asked of it where its making is not shown.
fn is_queue(facts: &Facts, queue: ExprId) -> bool {
    let name = facts.dotted(queue);
    let asks = |method: &&str| {
        let mut calls = facts.calls_named(method);
        calls.any(|call| call.receiver().and_then(|of| facts.dotted(of)) == name)
    };
    let by_use = || {
        let only = ["task_done", "get_nowait", "put_nowait", "qsize", "empty"];
        name.is_some() && facts.rests_on_use(queue) && only.iter().any(asks)
    };
    matches!(facts.kind_of(queue), Some(Kind::Queue | Kind::AsyncQueue)) || by_use()
}

/// Why the wait does not end, and where one sees it.
struct Fault {
    why: Why,
    shown_at: Span,
    proven: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    NeverCounted,
    NeverTakes,
    ToldToEnd,
    NobodyLeft,
    Destructor,
}

fn fault(facts: &Facts, call: &Call<'_>, queue: ExprId) -> Option<Fault> {
    let takers = takers::of(facts, queue);
    let never_counted = || never_counted(facts, &takers);
    let never_takes = || takers.iter().find(|taker| taker.never_begins(facts));
    let told = || {
        takers
            .iter()
            .find(|taker| taker.was_told(facts, call, queue))
    };
    let fault = |why, shown_at, proven| Fault {
        why,
        shown_at,
        proven,
    };
    let of_loop = |taker: &Taker| facts.stmt(taker.outer).head;
    never_counted()
        .map(|span| fault(Why::NeverCounted, span, true))
        .or_else(|| never_takes().map(|taker| fault(Why::NeverTakes, of_loop(taker), true)))
        .or_else(|| {
            let taker = told()?;
            let proven = facts.sees_all_of(call.stmt()) && facts.sees_all_of(taker.outer);
            Some(fault(Why::ToldToEnd, of_loop(taker), proven))
        })
        .or_else(|| {
            Some(fault(
                Why::NobodyLeft,
                nobody_left(facts, call, queue)?,
                false,
            ))
        })
        .or_else(|| Some(fault(Why::Destructor, destructor(facts, call)?, false)))
}

/// The collector comes by when it likes, also at the end of the program, when the consumer has gone already.
fn destructor(facts: &Facts, call: &Call<'_>) -> Option<Span> {
    let is_it = facts.function_name(call.stmt()) == Some("__del__");
    is_it.then(|| facts.stmt(call.stmt()).head)
}

/// Items are taken out, and the file nowhere says of one that it is done.
fn never_counted(facts: &Facts, takers: &[Taker]) -> Option<Span> {
    let counts = facts.exprs_named("task_done").next().is_some();
    let taker = takers.first().filter(|_| facts.document.whole && !counts)?;
    Some(facts.expr(taker.get).span)
}

/// The end of an object waits for its thread first, and then for the queue, with nothing in between that empties it, and no
/// other thread that is shown takes out of it.
fn nobody_left(facts: &Facts, call: &Call<'_>, queue: ExprId) -> Option<Span> {
    let place = facts.cleanup_place(call.stmt());
    let at_end = matches!(place, Some(CleanupPlace::Closer | CleanupPlace::Protocol));
    let is_unnamed = facts.function_name(call.stmt()).is_none();
    facts
        .self_attribute(queue)
        .filter(|_| at_end || is_unnamed)?;
    let is_thread = |join: &Call<'_>| {
        let thread = join.receiver().filter(|_| join.method() == Some("join"));
        thread.is_some_and(|thread| facts.kind_of(thread) == Some(Kind::Thread))
            && join.receiver().and_then(|of| facts.dotted(of)) != facts.dotted(queue)
    };
    let mut joins = facts.calls_of(call.scope()).filter(is_thread);
    let join = joins.find(|join| facts.always_before(join.stmt(), call.stmt()))?;
    let between = |stmt: StmtId| stmt > join.stmt() && stmt < call.stmt();
    let deals = |stmt: StmtId| {
        let name = facts.dotted(queue);
        facts.exprs_of(stmt).any(|id| facts.dotted(id) == name)
    };
    let drained = facts
        .statements_of(call.scope())
        .any(|stmt| between(stmt) && deals(stmt));
    let ended = join
        .receiver()
        .and_then(|thread| takers::run_by(facts, thread));
    let taken = takers::of_threads(facts, queue, ended);
    (!drained && !taken).then(|| join.span())
}

fn report(cx: &Context<'_>, call: &Call<'_>, queue: ExprId, fault: &Fault, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match (facts.heat(call.stmt(), cx.profile), fault.proven) {
        (Heat::Cold(reason), _) => HitVerdict::Excused(format!("Not on a hot path: {reason}.")),
        (_, true) => HitVerdict::Violation,
        (_, false) => HitVerdict::Look,
    };
    let words = word(&facts.shown(queue), fault.why);
    let note = match fault.why {
        Why::NeverCounted => "takes an item, and does not count it as done",
        Why::NeverTakes => "this loop never begins",
        Why::ToldToEnd => "ends before the queue is empty",
        Why::NobodyLeft => "has ended by then",
        Why::Destructor => "the collector decides when this runs",
    };
    let mut hit =
        Hit::new(&CHECK, Anchor::call(call), verdict, words).with_related(fault.shown_at, note);
    // The same wait elsewhere is a thread's own affair.
    hit.subject = matches!(fault.why, Why::Destructor).then(|| "destructor".to_string());
    hit.causes.push(fault.shown_at);
    out.hits.push(hit);
}

fn word(queue: &str, why: Why) -> Words {
    let message = match why {
        Why::NeverCounted => format!(
            "`{queue}.join()` waits for a count that nobody keeps: `task_done` is never called."
        ),
        Why::NeverTakes => {
            format!("`{queue}.join()` waits for a consumer whose loop never begins.")
        }
        Why::ToldToEnd => {
            format!("`{queue}.join()` waits for a consumer that was told to end before.")
        }
        Why::NobodyLeft => format!(
            "`{queue}.join()` waits until somebody has taken all items, behind the end of the thread."
        ),
        Why::Destructor => {
            format!("The collector waits in `{queue}.join()` until somebody has taken all items.")
        }
    };
    let ask = match why {
        Why::NeverCounted => {
            "Call `task_done` in a `finally` for each item that was taken, or wait for the consumer instead, with a timeout."
        }
        Why::NeverTakes => "Let the loop begin: its condition is false from the start.",
        Why::ToldToEnd => {
            "Wait for the queue first and tell the consumer to end then, or let the consumer take what is left and count it."
        }
        Why::NobodyLeft => {
            "Who takes what is left in the queue when this runs? If nobody does for sure, empty it here first."
        }
        Why::Destructor => {
            "Does anybody still take items when the object goes? Release what it holds without waiting, and wait in a method that its owner calls."
        }
    };
    Words::new(
        message,
        "The join of a queue takes no timeout: an item that nobody takes and counts, and this stop never returns.",
        ask,
    )
}
