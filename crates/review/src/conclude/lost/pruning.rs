//! Removals that the change takes away while entries still go in.
//!
//! Where a diff deletes `self._pending.discard(task)` and keeps `self._pending.add(task)`, and nothing else that is shown
//! takes entries out, what is done stays.

use super::mentions::{REMOVES, filled, is_tended};
use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{ExprId, ExprKind, Facts, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Hit, HitVerdict, UNBOUNDED_CACHE, UNPRUNED_COLLECTOR, Words};

/// Hits at what still goes in, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let mut names: Vec<(String, StmtId)> = Vec::new();
    for stmt in old.changed_stmts() {
        for name in removed_from(old.facts, stmt) {
            if !names.iter().any(|(known, _)| *known == name) {
                names.push((name, stmt));
            }
        }
    }
    let is_told = |name: &str| {
        let mut told = sides.told(Told::ByRuleOf(UNBOUNDED_CACHE));
        told.any(|sighting| new.facts.text(sighting.head).contains(name))
    };
    let open = names.into_iter().filter(|(name, _)| !is_told(name));
    open.filter_map(|(name, deleted)| Some(Loss::with(deleted, hit(new.facts, &name)?)))
        .collect()
}

/// Hits at deleted removals of single entries, on the old side of a file of which the new side shows nothing of the
/// container: a diff shows every change, so what puts entries in is still there.
pub(super) fn unseen(old: &Half<'_>, new: &Half<'_>) -> Vec<Hit> {
    let unmade = |name: &str| {
        old.changed_stmts()
            .any(|stmt| match &old.facts.stmt(stmt).kind {
                StmtKind::Assign { targets, .. } => {
                    let mut targets = targets.iter();
                    targets.any(|&target| old.facts.dotted(target).as_deref() == Some(name))
                }
                _ => false,
            })
    };
    let gone = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let put = |id: ExprId| filled(new.facts, id).is_some() || is_tended(new.facts, id);
        !unmade(name)
            && !new.facts.exprs_named(last).any(put)
            && !old
                .facts
                .exprs_named(last)
                .any(|id| filled(old.facts, id).is_some())
    };
    let mut names: Vec<String> = Vec::new();
    let mut hits = Vec::new();
    for stmt in old.changed_stmts() {
        let taken = removed_from(old.facts, stmt).into_iter();
        for name in taken.filter(|name| gone(name) && is_of_one(old.facts, stmt)) {
            if !names.contains(&name) {
                hits.push(hit_at(stmt, old.facts, &name));
                names.push(name);
            }
        }
    }
    hits
}

/// `discard(task)`, `pop(key, None)`, `del x[key]`: the end of one entry, not a step of an algorithm.
fn is_of_one(facts: &Facts, stmt: StmtId) -> bool {
    let by_call = facts.calls_in(stmt).any(|call| {
        let key = call.positional(0);
        let is_open =
            key.is_some_and(|key| facts.string(key).is_none() && !facts.is_constant_name(key));
        let takes_one = match call.method() {
            Some("discard") => true,
            Some("pop") => call.args.len() == 2,
            _ => false,
        };
        takes_one && is_open
    });
    let handed = facts
        .calls_in(stmt)
        .any(|call| call.name() == "add_done_callback");
    (by_call && is_of_end(facts, stmt)) || handed
}

/// In a `finally`, or in a function that runs when something has ended.
fn is_of_end(facts: &Facts, stmt: StmtId) -> bool {
    let name = facts.function_name(stmt).unwrap_or_default();
    let ends = topic::has_word(
        name,
        "done finish finished settled complete completed end ended close closed \
         disconnect disconnected leave left gone release released unregister \
         unsubscribe expire expired forget drop dropped callback on",
    );
    ends || facts.in_finally(stmt)
}

fn hit_at(stmt: StmtId, facts: &Facts, name: &str) -> Hit {
    let anchor = Anchor::stmt(facts, stmt);
    Hit::new(check(Kind::Set), anchor, HitVerdict::Look, word(name))
}

/// The shared containers that a statement takes something out of: by a call, by `del`, or by a method that it hands to a
/// callback.
fn removed_from(facts: &Facts, stmt: StmtId) -> Vec<String> {
    let by_method = facts.exprs_of(stmt).filter_map(|id| {
        let (object, method) = facts.attribute(id)?;
        REMOVES.contains(&method).then_some(object)
    });
    let by_del: Vec<ExprId> = match &facts.stmt(stmt).kind {
        StmtKind::Delete(gone) => gone
            .iter()
            .filter_map(|&id| subscripted(facts, id))
            .collect(),
        _ => Vec::new(),
    };
    let shared = |id: &ExprId| is_shared(facts, *id);
    by_method
        .chain(by_del)
        .filter(shared)
        .filter_map(|id| facts.dotted(id))
        .collect()
}

fn subscripted(facts: &Facts, id: ExprId) -> Option<ExprId> {
    match facts.expr(id).kind {
        ExprKind::Subscript { object, .. } => Some(object),
        _ => None,
    }
}

/// A field, or a name of the module.
fn is_shared(facts: &Facts, id: ExprId) -> bool {
    facts.self_attribute(id).is_some()
        || (facts.name(id).is_some() && facts.reach(id).is_process_wide())
}

/// The first statement that still puts something in, where nothing shown takes it out, measures it, or starts it anew.
fn hit(facts: &Facts, name: &str) -> Option<Hit> {
    let last = name.rsplit('.').next()?;
    let mut mentions: Vec<ExprId> = facts
        .exprs_named(last)
        .filter(|&id| facts.dotted(id).as_deref() == Some(name))
        .collect();
    mentions.sort_unstable();
    if mentions.iter().any(|&id| is_tended(facts, id)) {
        return None;
    }
    let (at, kind) = mentions
        .iter()
        .find_map(|&id| Some((id, filled(facts, id)?)))?;
    let stmt = facts.expr(at).stmt;
    let anchor = Anchor::stmt(facts, stmt);
    let verdict = HitVerdict::sure_if(facts.document.whole);
    Some(Hit::new(check(kind), anchor, verdict, word(name)))
}

fn check(kind: Kind) -> &'static Check {
    match kind {
        Kind::Dict => UNBOUNDED_CACHE,
        _ => UNPRUNED_COLLECTOR,
    }
}

fn word(name: &str) -> Words {
    Words::new(
        format!("Entries still go into `{name}`, and the change deletes what took them out."),
        "Nothing else that is shown removes one: what is done stays referenced with all that it holds, for as long as the owner lives.",
        format!(
            "What takes an entry out of `{name}` now? If nothing does, keep the removal, in a `finally` or a callback that always runs."
        ),
    )
}
