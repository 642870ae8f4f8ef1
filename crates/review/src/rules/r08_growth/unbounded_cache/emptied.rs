//! Members go out of what stands under a key, and the key stays: the last one to leave a room leaves an empty set.

use crate::facts::{Container, ExprId, Facts, Use, UseKind};

/// The removal of one member, where no key is ever taken out and ever new keys come.
pub(super) fn emptied<'c>(
    facts: &Facts,
    container: &'c Container,
    insertion: &Use,
) -> Option<&'c Use> {
    let key = match insertion.kind {
        UseKind::Insert(key) | UseKind::Inner(key) | UseKind::Keyed(key) => key,
        _ => return None,
    };
    let mut inner = container.inner_uses.iter();
    inner
        .find(|of| !container.is_bounded() && comes_and_goes(facts, key) && takes_member(facts, of))
}

/// `self.rooms[room].discard(client)`.
fn takes_member(facts: &Facts, of: &Use) -> bool {
    let mut calls = facts.calls_within(of.span);
    let takes = calls.any(|call| {
        matches!(call.method(), Some("discard" | "remove")) && call.positional(0).is_some()
    });
    of.kind == UseKind::Shrink && takes
}

/// What people, clients and their work name, unlike the names of events, which the program has.
fn comes_and_goes(facts: &Facts, key: ExprId) -> bool {
    let name = facts.last_name(key).unwrap_or("");
    topic::has_word(
        name,
        "room channel session user client tenant game chat conversation document \
         group job task id uuid",
    )
}
