//! Streamers of the transformers library that are read without a limit: the thread that generates may die before its end.

use super::unbounded_queue_or_join::CHECK;
use crate::facts::{Bound, Call, ExprId, ExprKind, Facts, Holder, Keeper, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Iterators over a queue that another thread fills. Their `timeout` is the third argument.
const STREAMERS: &[&str] = &[
    "transformers.TextIteratorStreamer",
    "transformers.AsyncTextIteratorStreamer",
    "transformers.generation.streamers.TextIteratorStreamer",
    "transformers.generation.streamers.AsyncTextIteratorStreamer",
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| call.is(STREAMERS)) {
        match facts.bound(&call, 2, "timeout") {
            Bound::Given | Bound::Literal(_) => {
                out.evidence(4, call.span(), "the streamer is read with a timeout");
            }
            Bound::Forwarded => {}
            Bound::Unbounded => {
                if is_read(facts, &call)
                    && !is_ended_anyway(facts, &call)
                    && !may_be_limited(facts, &call)
                {
                    let verdict = cx.where_it_matters(call.stmt(), HitVerdict::Look);
                    let words = word(call.name());
                    let mut hit = Hit::new(&CHECK, Anchor::call(&call), verdict, words);
                    // The end of the stream is a sentinel that only a success puts in.
                    hit.also.push(3);
                    out.hits.push(hit);
                }
            }
        }
    }
}

/// Keywords of which not all are shown may hold a limit: `**options` of a parameter.
fn may_be_limited(facts: &Facts, call: &Call<'_>) -> bool {
    let may_hold = |value: ExprId| {
        let is_shown = matches!(
            facts.expr(value).kind,
            ExprKind::Dict(_) | ExprKind::Call { .. }
        );
        !is_shown || facts.expr_text(value).contains("timeout")
    };
    let mut splats = call.args.iter().filter(|arg| arg.stars > 0);
    splats.any(|arg| {
        let values = facts.values(arg.value);
        values.is_empty() || values.into_iter().any(may_hold)
    })
}

/// A loop in the same function goes through it.
fn is_read(facts: &Facts, made: &Call<'_>) -> bool {
    let Keeper::Holder(Holder::Local { .. }) = facts.keeper_of(made.id) else {
        return false;
    };
    let of_it = |iter: ExprId| facts.values(iter).contains(&made.id);
    facts.stmt_ids().any(|stmt| match facts.stmt(stmt).kind {
        StmtKind::For { iter, .. } => facts.within(iter).any(of_it),
        _ => false,
    })
}

/// Somebody puts the end into this stream by hand, as who catches the generator's error does.
fn is_ended_anyway(facts: &Facts, made: &Call<'_>) -> bool {
    let Keeper::Holder(holder) = facts.keeper_of(made.id) else {
        return false;
    };
    let is_it = |of: ExprId| facts.last_name(of) == Some(&*holder.text());
    let mut beside = facts.calls_beside(made.stmt());
    beside.any(|call| {
        let ends = matches!(call.name(), "end" | "on_finalized_text");
        ends && call.receiver().is_some_and(is_it)
    }) || facts.exprs_named("stop_signal").next().is_some()
}

fn word(streamer: &str) -> Words {
    Words::new(
        format!("`{streamer}` is read without a timeout."),
        "Its end is put in by `generate`, in another thread: if that raises, on a full device memory or a bad input, the loop over the streamer waits for ever and the request with it.",
        "Pass `timeout=` and handle what it raises, or end the stream in a `finally` of the thread's function.",
    )
}
