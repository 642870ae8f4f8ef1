//! A downloaded database that is opened for ever, whatever came over the wire.

use super::CHECK;
use crate::facts::{Call, ExprId, Facts, Handler, Kind, ScopeId, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// What opens a database file and finds out later, or never, that it was cut.
const OPENERS: &[&str] = &[
    "sqlite3.connect",
    "aiosqlite.connect",
    "duckdb.connect",
    "lmdb.open",
    "geoip2.database.Reader",
    "maxminddb.open_database",
    "maxminddb.Reader",
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() || is_verified(facts) {
        return;
    }
    // A bare `open` is the builtin, whatever ends with that name.
    let opens = |call: &Call<'_>| call.callee() != "open" && call.is(OPENERS);
    for call in facts.calls().filter(opens) {
        let Some(path) = call.positional(0) else {
            continue;
        };
        let Some(fetch) = fetch_of(facts, &call, path) else {
            continue;
        };
        if !is_dropped(facts, path) && !is_survived(facts, &call) {
            let words = word(facts, &call);
            let hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
            let hit = hit.with_related(facts.stmt(fetch).head, "it is fetched here");
            out.hits.push(hit);
        }
    }
}

/// A digest is compared, or the database is asked whether it is whole.
fn is_verified(facts: &Facts) -> bool {
    let asks = |call: Call<'_>| {
        let says = |word: &str| topic::says(call.name(), word);
        call.callee().starts_with("hashlib.")
            || says("verify")
            || says("checksum")
            || says("digest")
            || call
                .positional(0)
                .is_some_and(|sql| facts.expr_text(sql).contains("integrity_check"))
    };
    facts.calls().any(asks)
}

/// The statement that puts what was downloaded under the path.
fn fetch_of(facts: &Facts, opener: &Call<'_>, path: ExprId) -> Option<StmtId> {
    let class = facts.class_of(opener.scope());
    let paths = meanings(facts, path);
    let is_it = |other: ExprId| paths.iter().any(|&path| facts.is_same_path(other, path));
    let downloads = |scope: ScopeId| {
        let mut calls = facts.calls_of(scope);
        calls.any(|call| {
            let by_session = || {
                let receiver = call.receiver();
                receiver.is_some_and(|of| facts.kind_of(of) == Some(Kind::HttpSession))
            };
            let http = ["requests.", "httpx.", "urllib.request."];
            http.iter().any(|module| call.callee().starts_with(module))
                || by_session()
                || facts.takes_download(&call)
        })
    };
    let moved = facts.moves().map(|moved| (moved.call, moved.to));
    let written = facts.writes().map(|write| (write.call, write.path));
    moved
        .chain(written)
        .filter(|(call, _)| facts.class_of(call.scope()) == class)
        .find(|(call, to)| is_it(*to) && downloads(call.scope()))
        .map(|(call, _)| call.stmt())
}

/// The path itself, and what a method of this file that is asked for it returns.
fn meanings(facts: &Facts, path: ExprId) -> Vec<ExprId> {
    let mut all = facts.values(path);
    all.push(path);
    let asked = facts
        .within(path)
        .filter_map(|id| facts.call(id))
        .filter_map(|call| facts.callee_scope(&call))
        .flat_map(|callee| facts.returns_of(callee));
    let asked: Vec<ExprId> = asked.collect();
    all.extend(facts.within(path));
    all.extend(asked);
    all
}

/// Somebody removes the file: then a damaged one can be got rid of.
fn is_dropped(facts: &Facts, path: ExprId) -> bool {
    let paths = meanings(facts, path);
    facts.deletions().any(|deletion| {
        paths
            .iter()
            .any(|&path| facts.is_same_path(deletion.path, path))
    })
}

/// A handler around the use, here or in a caller, that goes on: the second try behind it may fail.
fn is_survived(facts: &Facts, call: &Call<'_>) -> bool {
    let goes_on = |handler: &Handler| !facts.reraises(handler);
    let by_callers = || {
        let function = facts.function_of(call.scope())?;
        let mut callers = facts.calls_to(function);
        callers.find(|caller| facts.handlers_around(caller.stmt()).any(goes_on))
    };
    facts.handlers_around(call.stmt()).any(goes_on) || by_callers().is_some()
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let path = call.positional(0).map_or("", |path| facts.expr_text(path));
    Words::new(
        format!("A damaged download behind `{path}` fails each use of it, and nothing drops it."),
        "The file counts as there once it exists. One that was cut, or that an error page was saved as, raises at every look-up until somebody deletes it by hand.",
        "Compare a digest before the file gets its name, or catch the database's error here: remove the file, fetch it once more, and try again.",
    )
}
