//! A lock file that is made exclusively, and taken away where its holder looks dead.

use super::{CHECK, is_lock_file, own_class};
use crate::facts::{Call, ExprId, Facts, ScopeId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut opens = facts.calls_named("open");
    let is_exclusive = |call: Call<'_>| facts.opens_exclusively(&call);
    if facts.exprs_named("O_EXCL").next().is_none() && !opens.any(is_exclusive) {
        return;
    }
    let mut told: Vec<ScopeId> = Vec::new();
    // Of several in one function the last stands: the ones before it drop what cannot be read.
    let calls: Vec<Call<'_>> = facts.calls().collect();
    for call in calls.into_iter().rev() {
        let Some(path) = removed(facts, &call) else {
            continue;
        };
        let is_lock = is_made_exclusively(facts, path) && !own_class::judges(facts, path);
        if told.contains(&call.scope()) {
            continue;
        }
        if is_lock && looks_first(facts, &call) && !looks_again(facts, &call) {
            told.push(call.scope());
            let words = own_class::word_of_takeover(facts.expr_text(path));
            let verdict = cx.where_shared(HitVerdict::Look);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// The path that a call removes: itself, or by a method of the object that does nothing else.
fn removed(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    if let Some(deletion) = facts.deletion(*call) {
        return Some(deletion.path);
    }
    let function = facts.callee_scope(call).filter(|_| call.args.is_empty())?;
    let says = topic::has_word(call.name(), "remove unlink delete release unlock clear");
    let mut calls = facts.calls_of(function);
    let deletion = calls.find_map(|inner| facts.deletion(inner))?;
    (says && facts.self_attribute(deletion.path).is_some()).then_some(deletion.path)
}

/// `os.open(path, os.O_CREAT | os.O_EXCL)` or `open(path, "x")` of the same path.
fn is_made_exclusively(facts: &Facts, path: ExprId) -> bool {
    facts.calls_named("open").any(|call| {
        let exclusive = call.args.iter().any(|arg| {
            let values = facts.values(arg.value).into_iter().chain([arg.value]);
            values
                .flat_map(|value| facts.within(value))
                .any(|id| facts.last_name(id) == Some("O_EXCL"))
        });
        // `open(path, "x")` says no more than that the file is new, unless its name says what it is there for.
        let by_mode = || is_lock_file(facts, path) && facts.opens_exclusively(&call);
        let opened = match call.is(&["open", "io.open", "os.open"]) {
            true => call.positional(0).or_else(|| call.keyword("path")),
            false => call.receiver(),
        };
        opened.is_some_and(|opened| facts.is_same_path(opened, path)) && (exclusive || by_mode())
    })
}

/// Before it the function asks whether the holder lives, or how old the file is.
fn looks_first(facts: &Facts, call: &Call<'_>) -> bool {
    before(facts, call.scope(), call).any(|other| {
        topic::has_word(
            other.name(),
            "kill alive pid getmtime getctime stat stale age",
        )
    })
}

fn before<'f>(
    facts: &'f Facts,
    scope: ScopeId,
    call: &Call<'_>,
) -> impl Iterator<Item = Call<'f>> + use<'f> {
    let start = call.span().start;
    facts
        .calls_of(scope)
        .filter(move |other| other.span().end < start)
}

/// What was taken is compared with what was looked at, or another lock is held meanwhile.
fn looks_again(facts: &Facts, call: &Call<'_>) -> bool {
    let compares = facts.calls_of(call.scope()).any(|other| {
        matches!(other.name(), "samefile" | "samestat" | "fstat")
            || facts.system_lock(other).is_some()
    });
    let mut inodes = facts.exprs_named("st_ino");
    compares
        || inodes.any(|id| facts.expr(id).scope == call.scope())
        || facts.is_file_locked(call.stmt())
}
