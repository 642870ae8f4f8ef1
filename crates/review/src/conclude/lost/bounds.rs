//! Containers that bound themselves, and that the change replaces by plain ones.
//!
//! Whoever wrote `LRUCache(maxsize=100)` or `WeakValueDictionary()` knew that entries keep coming. Where a diff makes a
//! plain dict of it and shows nothing that takes entries out, they stay now.

use super::Loss;
use super::mentions::{filled, is_tended};
use crate::conclude::seen::{Half, Seen};
use crate::facts::{ExprId, ExprKind, Facts, Kind, StmtId, StmtKind};
use crate::plan::Plan;
use crate::rules::{self, Anchor, Hit, HitVerdict, Words};

/// Classes whose objects give entries up by themselves.
const BOUNDED: &[&str] = &[
    "LRUCache",
    "TTLCache",
    "LFUCache",
    "FIFOCache",
    "RRCache",
    "TLRUCache",
    "LRU",
    "ExpiringDict",
    "LimitedSizeDict",
    "WeakValueDictionary",
    "WeakKeyDictionary",
    "WeakSet",
];

/// Hits at the plain containers, on the new side of a file.
pub(super) fn lost(plan: &Plan, file: &Seen<'_>) -> Vec<Loss> {
    let Some((old, new)) = file.warm_sides(&plan.profile) else {
        return Vec::new();
    };
    let limited = old.changed.iter().filter_map(|&(stmt, _)| {
        let hit = unlimited(old.facts, new, stmt)?;
        Some(Loss { hit, deleted: stmt })
    });
    let bounded = old
        .changed
        .iter()
        .filter_map(|&(stmt, _)| Some((stmt, bounded(old.facts, stmt)?)));
    bounded
        .filter_map(|(deleted, (name, class))| {
            let (stmt, kind) = plain(new, &name)?;
            let hit = hit(new, stmt, kind, &name, &class)?;
            Some(Loss { hit, deleted })
        })
        .chain(limited)
        .collect()
}

/// Arguments that bound what a call makes.
const LIMITS: &[&str] = &[
    "maxsize",
    "maxlen",
    "max_size",
    "max_entries",
    "max_items",
    "capacity",
    "ttl",
];

/// `Queue(maxsize=100)` became `Queue()`: the call that gives the same name the like without its limit.
fn unlimited(old: &Facts, new: &Half<'_>, stmt: StmtId) -> Option<Hit> {
    let (target, value) = assigned(old, stmt)?;
    let (name, made) = (old.dotted(target)?, old.call(value)?);
    let limit = LIMITS.iter().find(|limit| made.keyword(limit).is_some())?;
    let facts = new.facts;
    let (now, call) = new.changed.iter().find_map(|&(now, _)| {
        let (target, value) = assigned(facts, now)?;
        let call = facts.call(value)?;
        let same = facts.dotted(target)? == name && call.name() == made.name();
        (same && call.keyword(limit).is_none() && call.args.len() < made.args.len())
            .then_some((now, call))
    })?;
    let told = new
        .sightings
        .iter()
        .any(|sighting| sighting.hit.check.rule == GROWTH && sighting.hit.anchor.stmt == now);
    let queue = matches!(
        facts.constructs(&call),
        Some(Kind::Queue | Kind::AsyncQueue | Kind::Deque)
    );
    let id = if queue {
        "unbounded-queue"
    } else {
        "unbounded-cache"
    };
    let check = rules::checks().find(|check| check.id == id)?;
    let words = Words::new(
        format!("`{name}` has lost its `{limit}`."),
        "What goes in faster than it comes out, or is never asked for again, stays in memory from now on.",
        format!("What bounds `{name}` now? If nothing does, keep the `{limit}`."),
    );
    (!told).then(|| Hit::new(check, Anchor::stmt(facts, now), HitVerdict::Look, words))
}

/// The name and class of a bounded container that a statement makes.
fn bounded(facts: &Facts, stmt: StmtId) -> Option<(String, String)> {
    let (target, value) = assigned(facts, stmt)?;
    let class = facts.call(value)?.name();
    let name = facts.dotted(target)?;
    BOUNDED.contains(&class).then(|| (name, class.to_owned()))
}

fn assigned(facts: &Facts, stmt: StmtId) -> Option<(ExprId, ExprId)> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            augmented: false,
            ..
        } => Some((*targets.first()?, *value)),
        _ => None,
    }
}

/// The changed statement of the new side that gives the same name a plain container, which is filled and not tended.
fn plain(new: &Half<'_>, name: &str) -> Option<(StmtId, Kind)> {
    let facts = new.facts;
    let made = new.changed.iter().find_map(|&(stmt, _)| {
        let (target, value) = assigned(facts, stmt)?;
        let kind = match facts.expr(value).kind {
            ExprKind::Dict(_) => Kind::Dict,
            ExprKind::List(_) => Kind::List,
            ExprKind::Set(_) => Kind::Set,
            _ => facts.constructs(&facts.call(value)?)?,
        };
        let same = facts.dotted(target).as_deref() == Some(name);
        let is_plain = matches!(kind, Kind::Dict | Kind::List | Kind::Set);
        (same && is_plain).then_some((stmt, kind))
    })?;
    let last = name.rsplit('.').next()?;
    let others = || {
        facts.exprs_named(last).filter(|&id| {
            facts.dotted(id).as_deref() == Some(name) && facts.expr(id).stmt != made.0
        })
    };
    let tended = others().any(|id| is_tended(facts, id));
    let grows = others().any(|id| filled(facts, id).is_some());
    (grows && !tended).then_some(made)
}

fn hit(new: &Half<'_>, stmt: StmtId, kind: Kind, name: &str, class: &str) -> Option<Hit> {
    let head = new.facts.stmt(stmt).head;
    let told = new
        .sightings
        .iter()
        .any(|sighting| sighting.hit.check.rule == GROWTH && sighting.head == head);
    let id = match kind {
        Kind::List => "unpruned-collector",
        _ => "unbounded-cache",
    };
    let check = rules::checks().find(|check| check.id == id)?;
    let verdict = match new.facts.document.whole {
        true => HitVerdict::Violation,
        false => HitVerdict::Look,
    };
    let words = Words::new(
        format!("`{name}` was a `{class}`, which gives entries up; now nothing shown does."),
        "Each entry stays for as long as the owner lives, with all that it holds.",
        format!(
            "What bounds `{name}` now? If nothing does, keep the `{class}`, or take entries out where they are done."
        ),
    );
    (!told).then(|| Hit::new(check, Anchor::stmt(new.facts, stmt), verdict, words))
}

/// The rule of what grows.
const GROWTH: u8 = 8;
