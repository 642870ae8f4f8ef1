//! Clean-up that can raise: its failure replaces the result or the error of the work that it follows.

mod by_helper;
mod cancelled_tasks;
mod farewell;
mod unmade;

use crate::facts::{
    CacheProof, Call, CleanupPlace, ExprId, ExprKind, Facts, Failing, Handler, Heat, Leads, Part,
    Proof, REMOVAL_ERRORS, StmtId, StmtKind, TempKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "cleanup-propagates",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A removal, server or device call in clean-up can raise out of it.",
    detect,
};

/// What a signal to a child, or a timed wait for one, raises.
const CHILD_ERRORS: &[&str] = &[
    "TimeoutExpired",
    "ProcessLookupError",
    "OSError",
    "PermissionError",
    "SubprocessError",
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    farewell::detect(cx, out);
    by_helper::detect(cx, out);
    cancelled_tasks::detect(cx, out);
    for call in cx.facts.calls() {
        note_tolerance(cx.facts, &call, out);
        if unmade::judge(cx, &call, out) {
            continue;
        }
        let Some((failing, proof)) = cx.facts.failing(&call) else {
            continue;
        };
        let step = || drops_entry(cx, &call).then_some(CleanupPlace::Step);
        let Some(place) = cx.facts.cleanup_place(call.stmt()).or_else(step) else {
            continue;
        };
        if is_handled(cx.facts, &call, failing) {
            out.evidence(10, call.span(), "a failure here is caught");
        } else if is_own_temp(cx, &call, failing) {
            own_temp(cx, &call, place, out);
        } else if !releases_own_work(cx.facts, &call, failing)
            && !publishes(cx.facts, &call)
            && !is_last_word(cx.facts, &call, place, failing)
            && (place == CleanupPlace::Protocol || !is_the_answer(cx.facts, &call, failing))
        {
            let verdict = verdict(cx, &call, place, failing, proof);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word(&call, place, failing),
            ));
        }
    }
}

/// `rmtree(..., ignore_errors=True)` is a cure.
fn note_tolerance(facts: &Facts, call: &Call<'_>, out: &mut Outcome) {
    if call.is(&["shutil.rmtree"]) && facts.ignores_errors(call) {
        out.evidence(10, call.span(), "a failed removal is tolerated");
    }
}

/// A removal of a cached thing between other steps, none of which needs it to be gone.
fn drops_entry(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let Some(deletion) = facts.deletion(*call).filter(|found| !found.is_tolerant) else {
        return false;
    };
    let is_cached = matches!(
        facts.cache_proof(deletion.path, cx.profile),
        Some(CacheProof::Flows | CacheProof::Says)
    );
    let stmt = call.stmt();
    let is_the_job = facts
        .function_name(stmt)
        .is_some_and(|name| topic::words(name).any(|word| REMOVES.contains(&&*word)));
    is_cached
        && !is_the_job
        && facts.enclosing_handler(stmt).is_none()
        && facts.work_goes_on(stmt)
        && !facts.is_asked_or_refilled(&deletion)
}

/// Functions with these words are called for the removal: its failure is their answer.
const REMOVES: &[&str] = &[
    "delete", "remove", "drop", "unlink", "purge", "prune", "reset", "replace", "move", "rm",
];

fn is_handled(facts: &Facts, call: &Call<'_>, failing: Failing) -> bool {
    match failing {
        Failing::Removal => {
            facts.is_caught(call.stmt(), REMOVAL_ERRORS) || is_told_as_another(facts, call)
        }
        Failing::Child => facts.is_caught(call.stmt(), CHILD_ERRORS),
        Failing::Server | Failing::Device | Failing::Callback => facts
            .handlers_around(call.stmt())
            .any(|handler| !facts.reraises(handler)),
    }
}

/// A handler that makes an error of the caller's own kind of the failed removal: that it fails is meant.
fn is_told_as_another(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .handlers_around(call.stmt())
        .filter(|handler| facts.catches(handler, REMOVAL_ERRORS))
        .flat_map(|handler| &handler.body)
        .filter(|&&stmt| matches!(facts.stmt(stmt).kind, StmtKind::Raise))
        .any(|&stmt| facts.calls_in(stmt).next().is_some())
}

/// A handler that removes its own temporary file and raises again: the write's error is what counts,
/// and the removal failing beside it is rare enough.
fn releases_own_work(facts: &Facts, call: &Call<'_>, failing: Failing) -> bool {
    let in_handler = facts
        .enclosing_handler(call.stmt())
        .is_some_and(|handler| facts.reraises(handler));
    failing == Failing::Removal && in_handler
}

/// A temp file or folder that the code made itself: nobody else knows its name.
fn is_own_temp(cx: &Context<'_>, call: &Call<'_>, failing: Failing) -> bool {
    let deletion = cx
        .facts
        .deletion(*call)
        .filter(|_| failing == Failing::Removal);
    deletion.is_some_and(|deletion| {
        let made = cx.facts.temp(deletion.path);
        let is_kept = made.is_some_and(|made| made.kind != TempKind::Fixed);
        is_kept
            || cx.facts.leads(deletion.path, cx.profile) == Leads::Own
            || is_written_here(cx, deletion.path, call.stmt())
    })
}

/// A file outside of the cache that the same function wrote before.
fn is_written_here(cx: &Context<'_>, path: ExprId, before: StmtId) -> bool {
    let facts = cx.facts;
    let scope = facts.stmt(before).scope;
    let in_cache = matches!(facts.leads(path, cx.profile), Leads::Cache(_));
    !in_cache
        && facts.writes().any(|write| {
            let stmt = write.call.stmt();
            stmt < before && facts.stmt(stmt).scope == scope && facts.is_same_path(write.path, path)
        })
}

/// Removing one's own temp file hardly ever fails; where a request passes it still should not fail with it.
/// A folder fails more often: something in it is open, or is written meanwhile.
fn own_temp(cx: &Context<'_>, call: &Call<'_>, place: CleanupPlace, out: &mut Outcome) {
    let is_folder = call.name() == "rmtree";
    let heat = cx.facts.heat(call.stmt(), cx.profile);
    let verdict = match heat {
        Heat::Cold(reason) => HitVerdict::Excused(format!("Its own temp file; {reason}.")),
        Heat::Hot if is_folder && cx.facts.sees_enclosure(call.stmt()) => HitVerdict::Violation,
        Heat::Unknown if !is_folder => return,
        _ => HitVerdict::Look,
    };
    let words = word_of_own(call, place, is_folder);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words);
    hit.severity = (!is_folder).then_some(Severity::Nit);
    out.hits.push(hit);
}

/// A removal that is a step of the work: before a rename onto the same name, on the way that nothing went wrong,
/// or where a handler tidies up and raises again.
fn publishes(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(deletion) = facts.deletion(*call) else {
        return false;
    };
    let scope = facts.stmt(call.stmt()).scope;
    let makes_room = facts.moves().any(|moved| {
        let behind = moved.call.span().start > call.span().start;
        behind
            && facts.stmt(moved.call.stmt()).scope == scope
            && facts.is_same_path(moved.to, deletion.path)
    });
    let on_success =
        facts
            .ancestors(call.stmt())
            .any(|ancestor| match facts.stmt(ancestor.stmt).kind {
                StmtKind::If { test, .. } => {
                    ancestor.part == Part::Body && asks_for_no_error(facts, test)
                }
                _ => false,
            });
    let tidies = |handler: &Handler| {
        let mut stmts = facts.statements_in(&handler.body).into_iter();
        facts.reraises(handler)
            && stmts.any(|stmt| {
                facts
                    .calls_in(stmt)
                    .any(|call| facts.deletion(call).is_some())
            })
    };
    let raises_again =
        !facts.in_finally(call.stmt()) && facts.handlers_around(call.stmt()).any(tidies);
    makes_room || on_success || raises_again
}

/// `if exc_type is None:` in an exit, by whatever name it gets the error's class; elsewhere the name has to say it.
fn asks_for_no_error(facts: &Facts, test: ExprId) -> bool {
    let ExprKind::Compare {
        operands,
        operators,
    } = &facts.expr(test).kind
    else {
        return false;
    };
    let ([error, none], [operator]) = (&operands[..], &operators[..]) else {
        return false;
    };
    let says = |name: &str| {
        let first = topic::words(name).next();
        matches!(first.as_deref(), Some("exc" | "exception"))
    };
    let of_exit = facts.parameter(*error).is_some_and(|(function, _)| {
        let name = facts.scope_name(function);
        matches!(name, Some("__exit__" | "__aexit__"))
    });
    let is_error = of_exit || facts.name(*error).is_some_and(says);
    is_error && facts.text(*operator) == "is" && matches!(facts.expr(*none).kind, ExprKind::None)
}

/// `unload_model` of a client sends a request, and what the server answers is its result: no clean-up at all.
fn is_the_answer(facts: &Facts, call: &Call<'_>, failing: Failing) -> bool {
    failing == Failing::Server
        && !call.is_dropped()
        && !facts.in_finally(call.stmt())
        && facts.redis_call(call).is_none()
}

/// A callback at the end of a closing method: nothing is left to skip, and its caller learns of the error.
fn is_last_word(facts: &Facts, call: &Call<'_>, place: CleanupPlace, failing: Failing) -> bool {
    let goes_on = facts.in_loop(call.stmt())
        || !facts.following(call.stmt()).is_empty()
        || facts
            .ancestors(call.stmt())
            .any(|around| !facts.following(around.stmt).is_empty());
    failing == Failing::Callback && place == CleanupPlace::Closer && !goes_on
}

fn verdict(
    cx: &Context<'_>,
    call: &Call<'_>,
    place: CleanupPlace,
    failing: Failing,
    proof: Proof,
) -> HitVerdict {
    if let Heat::Cold(reason) = cx.facts.heat(call.stmt(), cx.profile)
        && cx.facts.idle_file(cx.profile).is_some()
    {
        return HitVerdict::Excused(format!("Nobody waits for this clean-up: {reason}."));
    }
    let sure_place = matches!(
        place,
        CleanupPlace::Finally | CleanupPlace::Protocol | CleanupPlace::CacheClear
    );
    let sure = failing == Failing::Removal
        && proof == Proof::Proven
        && (sure_place || cx.facts.sees_all_of(call.stmt()))
        && place != CleanupPlace::Step;
    HitVerdict::sure_if(sure && cx.facts.sees_enclosure(call.stmt()))
}

fn origin(place: CleanupPlace) -> &'static str {
    match place {
        CleanupPlace::Finally => "a `finally` block",
        CleanupPlace::Protocol => "an exit or delete method",
        CleanupPlace::Closer => "a method that closes",
        CleanupPlace::CacheClear => "the clearing of a cache",
        CleanupPlace::Step => "a step that only tidies the cache",
    }
}

fn word_of_own(call: &Call<'_>, place: CleanupPlace, is_folder: bool) -> Words {
    let (name, from) = (call.name(), origin(place));
    let (what, fails) = if is_folder {
        ("folder", "Something in it can still be open or be written")
    } else {
        (
            "file",
            "It seldom fails (still open on Windows, a broken disk)",
        )
    };
    Words::new(
        format!("`{name}` of its own temp {what} can raise out of {from}."),
        format!("{fails}; then a request fails whose work is done, or its first error is lost."),
        format!(
            "Catch `OSError` here and log it: a temp {what} that stays behind is no reason to fail."
        ),
    )
}

fn word(call: &Call<'_>, place: CleanupPlace, failing: Failing) -> Words {
    let name = call.name();
    let from = origin(place);
    let fails = match failing {
        Failing::Removal => "another process may hold or have removed the path",
        Failing::Server => "the server may be gone",
        Failing::Device => "the device may be gone",
        Failing::Child => "the child is gone already or does not end in time",
        Failing::Callback => "the code that was handed in raises",
    };
    Words::new(
        format!("`{name}` can raise out of {from}."),
        format!(
            "When {fails}, the error replaces the result, or the first error, of the work that was done."
        ),
        "Catch the failure here, log it, and let the outcome of the work stand.",
    )
}
