//! Keys that say by themselves that ever new ones come: where heat and callers are not shown, they decide.

use crate::facts::{Container, Facts, ScopeId, Use, UseKind};

/// One entry for each client or session: they come as long as the program serves.
pub(super) fn is_by_visitor(facts: &Facts, insertion: &Use) -> bool {
    let UseKind::Insert(key) = insertion.kind else {
        return false;
    };
    facts
        .last_name(key)
        .is_some_and(|name| topic::has_word(name, "session client visitor tenant user"))
}

/// A public method, in a file of which only a part is shown, that nothing shown calls.
pub(super) fn asked_from_afar(facts: &Facts, insertion: &Use) -> bool {
    let function = facts.function_of(facts.stmt(insertion.stmt).scope);
    let is_public = |function: ScopeId| {
        let name = facts.scope_name(function).unwrap_or("_");
        !name.starts_with('_') && facts.callers(function).is_empty()
    };
    !facts.document.whole && function.is_some_and(is_public)
}

/// Ids of what came by once, kept to know them again: `self._seen.add(event_id)`. Who asks is not shown.
pub(super) fn remembers_ids(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let says = |name: &str, words: &[&str]| {
        let last = topic::words(name).last().unwrap_or_default();
        words.contains(&&*last)
    };
    let added = match insertion.kind {
        UseKind::Insert(key) => Some(key),
        _ => facts
            .calls_within(insertion.span)
            .find_map(|call| call.positional(0)),
    };
    let is_id = added
        .and_then(|added| facts.last_name(added))
        .is_some_and(|name| says(name, &["id", "uuid", "digest", "hash", "offset", "token"]));
    is_id
        && says(
            &container.name,
            &["seen", "processed", "handled", "delivered"],
        )
}
