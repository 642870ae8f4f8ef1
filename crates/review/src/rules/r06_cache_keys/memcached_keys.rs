//! Free text in a key of memcached, which takes no blanks, no control characters and at most 250 bytes.

use super::libraries::is_memcached;
use super::path_too_long::CHECK;
use super::raw_id_in_path::is_long_text;
use crate::facts::{Call, ExprId, Facts, Piece};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen: Vec<ExprId> = Vec::new();
    for call in facts.calls() {
        let Some((composed, text)) = asked_key(facts, &call).and_then(|key| free_text(facts, key))
        else {
            continue;
        };
        if seen.contains(&composed) {
            continue;
        }
        seen.push(composed);
        let anchor = Anchor::expr(facts, composed);
        let verdict = cx.where_shared(HitVerdict::Violation);
        let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, text));
        hit.causes.push(facts.stmt(call.stmt()).head);
        out.hits.push(hit);
    }
}

/// The key that a client of memcached is given.
fn asked_key(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let by_key = matches!(
        call.method(),
        Some("get" | "set" | "gets" | "cas" | "add" | "replace" | "delete" | "incr" | "touch")
    );
    let receiver = call.receiver().filter(|_| by_key)?;
    is_memcached(facts, receiver).then(|| call.arg(0, "key"))?
}

/// The composition that is the key, and the text of any length that it takes in as it came.
fn free_text(facts: &Facts, key: ExprId) -> Option<(ExprId, ExprId)> {
    facts.values(key).into_iter().find_map(|composed| {
        let pieces = facts.pieces(composed)?;
        let mut values = pieces.into_iter().filter_map(|piece| match piece {
            Piece::Value(value) => Some(value),
            Piece::Text(_) => None,
        });
        values
            .find(|&value| is_given(facts, value) && is_long_text(facts, value))
            .map(|value| (composed, value))
    })
}

/// A name that nothing made short: a parameter, or a field of one.
fn is_given(facts: &Facts, value: ExprId) -> bool {
    let of = facts.attribute(value).map_or(value, |(object, _)| object);
    facts.parameter(of).is_some()
}

fn word(facts: &Facts, text: ExprId) -> Words {
    let text = facts.expr_text(text);
    Words::new(
        format!("`{text}` is a part of a memcached key as it came."),
        "Memcached takes no blanks or control characters in a key, and no more than 250 bytes: the client refuses it, or cuts the protocol in two, so that such a value is never kept.",
        format!("Put a digest of `{text}` into the key instead."),
    )
}
