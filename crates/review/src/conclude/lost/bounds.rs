//! Containers that bound themselves, and that the change replaces by plain ones.
//!
//! Whoever wrote `LRUCache(maxsize=100)` or `WeakValueDictionary()` knew that entries keep coming. Where a diff makes a
//! plain dict of it and shows nothing that takes entries out, they stay now.

use super::mentions::{filled, is_tended};
use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{ExprId, ExprKind, Facts, Kind, StmtId, StmtKind};
use crate::rules::{
    Anchor, Hit, HitVerdict, UNBOUNDED_CACHE, UNBOUNDED_QUEUE, UNPRUNED_COLLECTOR, Words,
};

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
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let unbounded = old.changed_stmts().filter_map(|deleted| {
        let (name, class) = bounded(old.facts, deleted)?;
        let (stmt, kind) = plain(new, &name)?;
        Some(Loss::with(
            deleted,
            hit(new.facts, stmt, kind, &name, &class),
        ))
    });
    let unlimited = old.changed_stmts().filter_map(|deleted| {
        let hit = unlimited(old.facts, new, deleted)?;
        Some(Loss::with(deleted, hit))
    });
    let is_told = |loss: &Loss| {
        let growth = Told::ByRuleOf(UNBOUNDED_CACHE);
        sides.is_told(growth, loss.hit.anchor.stmt)
    };
    unbounded
        .chain(unlimited)
        .filter(|loss| !is_told(loss))
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
    let (now, call) = new.changed_stmts().find_map(|now| {
        let (target, value) = assigned(facts, now)?;
        let call = facts.call(value)?;
        let same = facts.dotted(target)? == name && call.name() == made.name();
        (same && call.keyword(limit).is_none() && call.args.len() < made.args.len())
            .then_some((now, call))
    })?;
    let check = match facts.constructs(&call) {
        Some(Kind::Queue | Kind::AsyncQueue | Kind::Deque) => UNBOUNDED_QUEUE,
        _ => UNBOUNDED_CACHE,
    };
    let words = Words::new(
        format!("`{name}` has lost its `{limit}`."),
        "What goes in faster than it comes out, or is never asked for again, stays in memory from now on.",
        format!("What bounds `{name}` now? If nothing does, keep the `{limit}`."),
    );
    Some(Hit::new(
        check,
        Anchor::stmt(facts, now),
        HitVerdict::Look,
        words,
    ))
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
    let made = new.changed_stmts().find_map(|stmt| {
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

fn hit(facts: &Facts, stmt: StmtId, kind: Kind, name: &str, class: &str) -> Hit {
    let check = match kind {
        Kind::List => UNPRUNED_COLLECTOR,
        _ => UNBOUNDED_CACHE,
    };
    let verdict = HitVerdict::sure_if(facts.document.whole);
    let words = Words::new(
        format!("`{name}` was a `{class}`, which gives entries up; now nothing shown does."),
        "Each entry stays for as long as the owner lives, with all that it holds.",
        format!(
            "What bounds `{name}` now? If nothing does, keep the `{class}`, or take entries out where they are done."
        ),
    );
    Hit::new(check, Anchor::stmt(facts, stmt), verdict, words)
}
