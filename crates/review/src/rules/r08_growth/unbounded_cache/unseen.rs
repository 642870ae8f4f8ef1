//! Insertions into a container whose definition is not shown: what its name and place say is worth a look.

use super::keys::is_open;
use super::lifetime::KEEPS;
use crate::facts::{ExprId, Facts, Heat, StmtId, StmtKind};
use crate::rules::Context;

/// An entry that goes into something long-lived by its name, on a hot path, where nothing shown takes one out.
pub(super) struct Unseen {
    pub(super) stmt: StmtId,
    pub(super) name: String,
}

/// The first insertion into each such container.
pub(super) fn unseen(cx: &Context<'_>) -> Vec<Unseen> {
    let facts = cx.facts;
    let mut found: Vec<Unseen> = Vec::new();
    if facts.document.whole {
        return found;
    }
    for stmt in facts.stmt_ids() {
        if let Some(name) = inserts(facts, stmt)
            && found.iter().all(|known| known.name != name)
            && (facts.heat(stmt, cx.profile) == Heat::Hot || is_by_visitor(facts, stmt))
            && !is_tended(facts, &name)
        {
            found.push(Unseen { stmt, name });
        }
    }
    found
}

/// `_BY_TENANT[tenant] = settings`, `self._seen_cache[key] = value`: the container's name.
fn inserts(facts: &Facts, stmt: StmtId) -> Option<String> {
    let mut entries = facts.entries_put(stmt).chain(entries_made(facts, stmt));
    entries.find_map(|(object, key)| {
        (is_kept(facts, object) && is_open(facts, key) && !is_loop_counter(facts, key))
            .then(|| facts.dotted(object))
            .flatten()
    })
}

/// `turns = _by_session.setdefault(session_id, [])`.
fn entries_made(facts: &Facts, stmt: StmtId) -> impl Iterator<Item = (ExprId, ExprId)> {
    facts.calls_in(stmt).filter_map(|call| {
        let object = call
            .receiver()
            .filter(|_| call.method() == Some("setdefault"))?;
        Some((object, call.positional(0).filter(|_| call.args.len() == 2)?))
    })
}

/// An entry for each session, client or the like, which come and go as long as the program serves.
fn is_by_visitor(facts: &Facts, stmt: StmtId) -> bool {
    let says = |key: ExprId| {
        facts.last_name(key).is_some_and(|name| {
            topic::words(name).any(|word| {
                matches!(
                    &*word,
                    "session"
                        | "client"
                        | "visitor"
                        | "user"
                        | "request"
                        | "connection"
                        | "conversation"
                        | "tenant"
                )
            })
        })
    };
    let mut entries = facts.entries_put(stmt).chain(entries_made(facts, stmt));
    entries.any(|(_, key)| says(key))
}

/// A constant or private name of a module, or a field that is named for keeping, that nothing shown makes.
fn is_kept(facts: &Facts, object: ExprId) -> bool {
    if !facts.bindings_behind(object).is_empty() {
        return false;
    }
    match facts.self_attribute(object) {
        Some(field) => KEEPS.iter().any(|word| topic::says(field, word)),
        None => facts.name(object).is_some_and(|name| {
            let is_constant =
                name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
            (is_constant || name.starts_with('_')) && !facts.imports_name(name)
        }),
    }
}

/// A place in a list is no key.
fn is_loop_counter(facts: &Facts, key: ExprId) -> bool {
    let name = facts.expr_text(key);
    matches!(name, "i" | "j" | "k" | "n" | "idx" | "index")
}

/// Something shown takes entries out of it, measures it, or hands it on.
fn is_tended(facts: &Facts, name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    facts
        .exprs_named(last)
        .any(|id| facts.dotted(id).as_deref() == Some(name) && is_tending(facts, id))
}

fn is_tending(facts: &Facts, id: ExprId) -> bool {
    let stmt = facts.expr(id).stmt;
    let deletes = matches!(facts.stmt(stmt).kind, StmtKind::Delete(_));
    let rebinds =
        matches!(&facts.stmt(stmt).kind, StmtKind::Assign { targets, .. } if targets.contains(&id));
    let parent = facts.expr(id).parent;
    let by_method = parent
        .and_then(|parent| facts.attribute(parent))
        .is_some_and(|(_, method)| {
            matches!(
                method,
                "pop" | "popitem" | "clear" | "move_to_end" | "remove" | "discard"
            )
        });
    let is_given = parent.is_some_and(|parent| facts.call(parent).is_some());
    deletes || rebinds || by_method || is_given
}
