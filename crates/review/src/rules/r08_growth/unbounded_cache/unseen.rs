//! Insertions into a container whose definition is not shown: what its name and place say is worth a look.

use super::keys::is_open;
use super::lifetime::KEEPS;
use crate::facts::{ExprId, Facts, Heat, Kind, StmtId, StmtKind};
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
        if let Some(name) = inserts(cx, stmt)
            && found.iter().all(|known| known.name != name)
            && !is_tended(facts, &name)
        {
            found.push(Unseen { stmt, name });
        }
    }
    found
}

/// What is put into what, under which key.
#[derive(Clone, Copy)]
struct Entry {
    object: ExprId,
    key: ExprId,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// `table[key] = value`
    Put,
    /// `table.setdefault(key, value)`
    Made,
    /// `seen.add(key)`
    Added,
}

fn entries(facts: &Facts, stmt: StmtId) -> Vec<Entry> {
    let put = facts.entries_put(stmt).map(|(object, key)| Entry {
        object,
        key,
        how: How::Put,
    });
    let by_call = facts.calls_in(stmt).filter_map(|call| {
        let (n_args, how) = match call.method()? {
            "setdefault" => (2, How::Made),
            "add" if call.is_dropped() => (1, How::Added),
            _ => return None,
        };
        let object = call.receiver().filter(|_| call.args.len() == n_args)?;
        let key = call.positional(0)?;
        Some(Entry { object, key, how })
    });
    put.chain(by_call).collect()
}

/// `_BY_TENANT[tenant] = settings`, `self._seen_cache[key] = value`: the container's name.
fn inserts(cx: &Context<'_>, stmt: StmtId) -> Option<String> {
    let facts = cx.facts;
    let counts = |entry: &Entry| {
        let grows = is_open(facts, entry.key) && !is_loop_counter(facts, entry.key);
        let is_hot = || facts.heat(stmt, cx.profile) == Heat::Hot;
        let is_cold = || matches!(facts.heat(stmt, cx.profile), Heat::Cold(_));
        let kept = || {
            (is_kept(facts, entry.object) && (is_hot() || is_by_visitor(facts, entry)))
                || (entry.how == How::Put && is_text(facts, entry) && is_hot())
        };
        grows
            && is_unbound(facts, entry.object)
            && (says_all(facts, stmt, entry) && !is_cold() || (entry.how != How::Added && kept()))
    };
    let found = entries(facts, stmt).into_iter().find(counts)?;
    facts.dotted(found.object)
}

/// Nothing shown makes it.
fn is_unbound(facts: &Facts, object: ExprId) -> bool {
    facts.bindings_behind(object).is_empty()
}

/// Key and value alone say that ever more come: one for each thread or loop, a lock for each id, what is kept for each
/// client, ids that were seen.
fn says_all(facts: &Facts, stmt: StmtId, entry: &Entry) -> bool {
    let last = || {
        let name = facts.last_name(entry.key)?;
        topic::words(name).last()
    };
    let is_field = facts.self_attribute(entry.object).is_some();
    let is_id = || last().is_some_and(|last| matches!(&*last, "id" | "uuid" | "url" | "token"));
    match entry.how {
        How::Put => {
            is_field && (is_runner(facts, entry.key) || (is_id() && makes_lock(facts, stmt)))
        }
        How::Made => is_field && is_by_visitor(facts, entry),
        How::Added => is_id() && facts.last_name(entry.object).is_some_and(says_seen),
    }
}

/// A field's key that spells out what a call brings, `f"{video}_{str(zones)}"`: each value of it makes another.
fn is_text(facts: &Facts, entry: &Entry) -> bool {
    let is_many = |id: ExprId| {
        let of_kind = matches!(facts.kind_of(id), Some(Kind::List | Kind::Dict));
        of_kind || facts.last_name(id).is_some_and(|name| name.ends_with('s'))
    };
    let spells = |id: ExprId| {
        let given = facts
            .call(id)
            .filter(|call| call.is(&["str", "repr", "json.dumps"]))
            .and_then(|call| call.positional(0));
        given.is_some_and(is_many)
    };
    let mut values = facts.values(entry.key).into_iter();
    facts.self_attribute(entry.object).is_some()
        && values.any(|value| facts.within(value).any(spells))
}

fn says_seen(name: &str) -> bool {
    topic::has_word(name, "seen processed handled delivered")
}

/// `threading.get_ident()`, `asyncio.get_running_loop()`.
fn is_runner(facts: &Facts, key: ExprId) -> bool {
    let values = facts.values(key).into_iter().chain([key]);
    values.into_iter().any(|value| {
        facts.call(value).is_some_and(|call| {
            matches!(
                call.name(),
                "get_ident"
                    | "get_native_id"
                    | "current_task"
                    | "get_running_loop"
                    | "get_event_loop"
            )
        })
    })
}

fn makes_lock(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(stmt).kind
    else {
        return false;
    };
    let made = facts.call(value).and_then(|call| facts.constructs(&call));
    made.is_some_and(Kind::is_lock)
}

/// An entry for each session, client or the like, which come and go as long as the program serves.
fn is_by_visitor(facts: &Facts, entry: &Entry) -> bool {
    facts.last_name(entry.key).is_some_and(|name| {
        topic::has_word(
            name,
            "session client visitor user request connection conversation tenant",
        )
    })
}

/// A constant or private name of a module, or a field that is named for keeping.
fn is_kept(facts: &Facts, object: ExprId) -> bool {
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
