//! `map(Future.result, jobs)`: the results of many futures, each waited for without a limit.

use super::unbounded_result::{CHECK, yields_finished};
use crate::facts::{Call, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls().filter(|call| asks_each(cx.facts, call)) {
        let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Violation);
        out.hits
            .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word()));
    }
}

/// The builtin `map`, over futures that need not be done.
fn asks_each(facts: &Facts, call: &Call<'_>) -> bool {
    let asks = call
        .positional(0)
        .is_some_and(|method| facts.is_one_of(method, &["concurrent.futures.Future.result"]));
    let is_done = call
        .positional(1)
        .is_some_and(|futures| yields_finished(facts, futures));
    call.callee() == "map" && asks && !is_done
}

fn word() -> Words {
    Words::new(
        "`map` asks each future for its result and gives it no timeout.",
        "If the work behind one of them stalls (a hung GPU, a dead worker), this thread waits for ever, and a handler for `TimeoutError` around it is never reached.",
        "Ask in a comprehension, `future.result(timeout=...)`, or collect with `as_completed(..., timeout=...)`, and handle the TimeoutError.",
    )
}
