//! Removals of an unreadable entry, which fail what the handler around them has saved.

use super::{PARSE_ERRORS, judge, reads_format, says_read};
use crate::facts::{CacheProof, Call, Facts, Part, REMOVAL_ERRORS};
use crate::rules::{Context, Outcome, Words};

/// Removals of an entry that raise where it is gone, or in a function of this file that the handler calls for it.
pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for deletion in facts.deletions().filter(|deletion| !deletion.is_tolerant) {
        let proof = facts.cache_proof(deletion.path, cx.profile);
        if proof.is_none_or(|proof| proof == CacheProof::Place) {
            continue;
        }
        if drops_unreadable(facts, &deletion.call) {
            judge(
                cx,
                &deletion.call,
                CacheProof::Flows,
                word(&deletion.call),
                out,
            );
        } else if let Some(call) = dropped_by(facts, &deletion.call) {
            judge(cx, &call, CacheProof::Flows, word(&call), out);
        }
    }
}

/// The call in such a handler of the function that the removal stands in, where nothing on the way catches.
fn dropped_by<'f>(facts: &'f Facts, removal: &Call<'_>) -> Option<Call<'f>> {
    let function = facts.function_of(removal.scope())?;
    let mut callers = facts.calls_to(function);
    let is_open = !facts.is_caught(removal.stmt(), REMOVAL_ERRORS);
    callers.find(|call| is_open && drops_unreadable(facts, call))
}

/// A removal in the handler that turns an unreadable entry into a miss: it fails what the handler has saved.
fn drops_unreadable(facts: &Facts, call: &Call<'_>) -> bool {
    let place = facts
        .ancestors(call.stmt())
        .find(|around| matches!(around.part, Part::Handler(_)));
    let Some((outer, handler)) = place
        .zip(facts.enclosing_handler(call.stmt()))
        .map(|(around, handler)| (around.stmt, handler))
    else {
        return false;
    };
    let body = facts.blocks(outer).into_iter().next();
    let body = body.map_or(Vec::new(), |(_, body)| facts.statements_in(body));
    let reads = body
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt))
        .any(|read| reads_format(facts, &read) || says_read(read.name()));
    reads && facts.catches(handler, PARSE_ERRORS) && !facts.reraises(handler)
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` can raise where an unreadable entry is dropped.",
            call.name()
        ),
        "Another worker may have dropped the same entry, or the disk refuses; then the request fails although the handler has just made a miss of it.",
        "Tolerate the failed removal with a log line, and fetch the entry again.",
    )
}
