//! Locks of threads that processes take: each process has a copy of its own.

use super::lock_object_not_shared::CHECK;
use crate::facts::{Call, ExprId, Facts, Held, Home, Kind, Proof, ScopeId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts
        .held()
        .iter()
        .filter(|held| is_of_threads(facts, held))
    {
        if let Some(call) = facts
            .calls()
            .find(|call| runs_in_process(facts, call, held.scope))
        {
            judge(cx, held, &call, out);
        }
    }
}

/// Made by `threading`, and by the module or an object that goes over as a copy.
fn is_of_threads(facts: &Facts, held: &Held) -> bool {
    let kind = matches!(held.lock.kind, Kind::ThreadLock | Kind::ReentrantLock);
    let home = matches!(held.lock.home, Home::Module | Home::Class);
    let mut made = facts.values(held.lock.expr).into_iter();
    let by_threading = made.any(|value| {
        facts
            .call(value)
            .is_some_and(|call| call.is(&["threading.Lock", "threading.RLock"]))
    });
    kind && home && by_threading && held.lock.proof == Proof::Proven
}

/// `pool.map(work, rows)` of a process pool, `Process(target=work)`, where it is done for many.
fn runs_in_process(facts: &Facts, call: &Call<'_>, function: ScopeId) -> bool {
    let given = match call.method() {
        Some("submit" | "map" | "apply_async" | "imap" | "imap_unordered" | "starmap") => {
            let of_processes = call
                .receiver()
                .is_some_and(|pool| is_process_pool(facts, pool));
            call.positional(0).filter(|_| of_processes)
        }
        _ => call.keyword("target").filter(|_| {
            facts.constructs(call) == Some(Kind::Process) && facts.in_loop(call.stmt())
        }),
    };
    let run = given.and_then(|given| facts.function_given(given));
    run.is_some_and(|run| facts.canonical(run) == facts.canonical(function))
}

fn is_process_pool(facts: &Facts, pool: ExprId) -> bool {
    facts.makers_of(pool).into_iter().any(|made| {
        made.is(&[
            "concurrent.futures.ProcessPoolExecutor",
            "multiprocessing.Pool",
            "multiprocessing.pool.Pool",
            "torch.multiprocessing.Pool",
        ])
    })
}

fn judge(cx: &Context<'_>, held: &Held, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        None => HitVerdict::Violation,
    };
    let lock = facts.shown(held.lock.expr);
    let words = Words::new(
        format!("`{lock}` is a lock of threads, and processes take it."),
        "Each process has a copy of its own, so no two of them wait for each other: what it guards is not guarded.",
        "Use a lock that processes share: one of `multiprocessing` that is handed over when they start, or a file lock.",
    );
    let anchor = Anchor {
        stmt: held.stmt,
        span: held.span,
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
        .with_related(call.span(), "processes run it from here");
    hit.causes.push(call.span());
    out.hits.push(hit);
}
