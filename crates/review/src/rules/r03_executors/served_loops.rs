//! Threads that are no daemons and run an event loop or a server for ever: `Thread(target=loop.run_forever)`.

use super::started::is_never_started;
use super::thread_without_stop_flag::{CHECK, is_of_program, is_thread};
use super::{kept, processes};
use crate::facts::{Facts, Made};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for made in facts.made().iter().filter(|made| is_thread(made)) {
        if serves_for_ever(facts, made) && !facts.stops_a_server() && !is_excused(facts, made) {
            report(cx, made, out);
        }
    }
}

/// The target is the endless method of an object itself.
fn serves_for_ever(facts: &Facts, made: &Made) -> bool {
    let target = facts
        .call(made.call)
        .and_then(|call| facts.thread_function(&call));
    let method = target.and_then(|target| facts.attribute(target));
    method.is_some_and(|(_, method)| {
        matches!(
            method,
            "run_forever" | "serve_forever" | "loop_forever" | "start_consuming"
        )
    })
}

fn is_excused(facts: &Facts, made: &Made) -> bool {
    let is_daemon = facts
        .call(made.call)
        .is_some_and(|call| processes::is_daemon(facts, made, &call));
    is_daemon || is_of_program(facts, made) || is_never_started(facts, made)
}

fn report(cx: &Context<'_>, made: &Made, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = HitVerdict::sure_if(facts.document.whole);
    let anchor = Anchor {
        stmt: made.stmt,
        span: facts.expr(made.call).span,
    };
    let verdict = kept::unless_cold(cx, verdict);
    out.hits.push(Hit::new(&CHECK, anchor, verdict, word()));
}

fn word() -> Words {
    Words::new(
        "The thread serves for ever, and nothing shown ends what it runs.",
        "It is no daemon, so the interpreter waits for it at exit: the process does not end until it is killed.",
        "Give the owner a stop that ends it from outside (`loop.call_soon_threadsafe(loop.stop)`, `server.shutdown()`) and joins the thread; `daemon=True` at least lets the process end.",
    )
}
