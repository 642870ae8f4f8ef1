//! Connections that are taken out of a pool and given back only when nothing raises.

use super::closed_only_on_success::CHECK;
use super::opened::unless_cold;
use crate::facts::{Call, ExprId, ExprKind, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// What takes something out of a pool, and what gives it back as an argument.
const PAIRS: &[(&str, &[&str])] = &[
    ("getconn", &["putconn"]),
    ("acquire", &["release"]),
    (
        "get_connection",
        &["release_connection", "return_connection", "release"],
    ),
    ("checkout", &["checkin", "release"]),
    ("borrow", &["give_back", "return_object", "release"]),
    ("get", &["put"]),
    ("reserve", &["free", "release", "unreserve"]),
    ("allocate", &["free", "release", "deallocate"]),
    ("alloc", &["free", "release", "dealloc"]),
    ("lease", &["release", "give_back", "return_lease"]),
    ("claim", &["unclaim", "release", "give_up"]),
    ("take", &["give_back", "put_back"]),
    // A variable of the context, whose token restores what was there.
    ("set", &["reset"]),
];

/// What keeps such things until somebody takes one.
const POOLS: &[&str] = &["pool", "connections", "free", "idle", "available", "spare"];

/// Names that need a pool to mean a taking out.
const COMMON: &[&str] = &["acquire", "get", "get_connection", "checkout", "borrow"];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(taken) = taken(facts, &call) else {
            continue;
        };
        let backs = given_back(facts, &taken);
        let asks = |stmt: StmtId| asks_for(facts, stmt, taken.name);
        let ends: Vec<StmtId> = backs.iter().map(Call::stmt).collect();
        match skipping_step(facts, taken.call.stmt(), &ends, asks) {
            Some(step) => report(cx, &taken, &backs, step, out),
            None if !backs.is_empty() => {
                out.evidence(9, call.span(), "is given back to its pool on every path");
            }
            None => {}
        }
    }
}

/// Something that a local name has of a pool.
struct Taken<'f> {
    call: Call<'f>,
    name: &'f str,
    pool: ExprId,
    closers: &'static [&'static str],
}

/// `connection = self._pool.getconn()`, `session = await pool.acquire()`.
fn taken<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<Taken<'f>> {
    let pool = call.receiver()?;
    let (_, closers) = PAIRS.iter().find(|(takes, _)| *takes == call.name())?;
    let says_pool = || {
        let last = facts.last_name(pool).unwrap_or_default();
        topic::words(last).any(|word| POOLS.contains(&&*word))
    };
    if COMMON.contains(&call.name()) && !says_pool() {
        return None;
    }
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(call.stmt()).kind
    else {
        return None;
    };
    let is_value = match facts.expr(*value).kind {
        ExprKind::Await(inner) => inner == call.id,
        _ => *value == call.id,
    };
    let [target] = targets.as_slice() else {
        return None;
    };
    let name = facts.name(*target).filter(|_| is_value)?;
    Some(Taken {
        call: *call,
        name,
        pool,
        closers,
    })
}

/// The calls of the same function that give it back, in source order.
fn given_back<'f>(facts: &'f Facts, taken: &Taken<'f>) -> Vec<Call<'f>> {
    let pool = facts.dotted(taken.pool);
    let gives = |call: &Call<'_>| {
        let of_pool = call.receiver().and_then(|of| facts.dotted(of)) == pool;
        let given = call.positional(0).and_then(|given| facts.name(given));
        let closes = taken.closers.contains(&call.name());
        closes && of_pool && given == Some(taken.name) && call.stmt() > taken.call.stmt()
    };
    facts.calls_of(taken.call.scope()).filter(gives).collect()
}

/// The first step between the two that can leave, with nothing around that gives it back then.
pub(super) fn skipping_step(
    facts: &Facts,
    start: StmtId,
    backs: &[StmtId],
    is_harmless: impl Fn(StmtId) -> bool,
) -> Option<StmtId> {
    let last = *backs.iter().max()?;
    let mut between = facts
        .statements_of(facts.stmt(start).scope)
        .filter(|&stmt| stmt > start && stmt < last);
    between.find(|&stmt| {
        let leaves = matches!(facts.stmt(stmt).kind, StmtKind::Return(_)) || facts.can_fail(stmt);
        leaves && !is_covered(facts, stmt, backs) && !is_harmless(stmt)
    })
}

fn is_covered(facts: &Facts, stmt: StmtId, backs: &[StmtId]) -> bool {
    let holds = |block: &[StmtId]| {
        let inside = facts.statements_in(block);
        backs.iter().any(|back| inside.contains(back))
    };
    let handles = |handler: &Handler| {
        let goes_on = !facts.always_leaves(&handler.body);
        facts.catches_all(handler) && (holds(&handler.body) || goes_on)
    };
    let before = |&back: &StmtId| back == stmt || facts.always_before(back, stmt);
    backs.iter().any(before)
        || facts.in_finally(stmt)
        || facts.finally_blocks(stmt).any(|block| holds(block))
        || facts.handlers_around(stmt).any(handles)
}

/// `if connection is None: raise`: there is nothing to give back.
fn asks_for(facts: &Facts, stmt: StmtId, name: &str) -> bool {
    facts.ancestors(stmt).any(|around| {
        let StmtKind::If { test, .. } = facts.stmt(around.stmt).kind else {
            return false;
        };
        facts.within(test).any(|id| facts.name(id) == Some(name))
    })
}

fn report(
    cx: &Context<'_>,
    taken: &Taken<'_>,
    backs: &[Call<'_>],
    step: StmtId,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let Some(back) = backs.last() else {
        return;
    };
    let take = taken.call.stmt();
    let sure = facts.sees_all_of(take) && facts.sees_enclosure(take);
    let verdict = HitVerdict::sure_if(sure);
    let anchor = Anchor::call(&taken.call).or_where_changed(facts, Anchor::call(back));
    let words = word(facts, taken, back);
    let mut hit = Hit::new(&CHECK, anchor, unless_cold(cx, verdict), words)
        .with_related(facts.stmt(step).head, "can leave before it is given back")
        .with_related(back.span(), "gives it back");
    hit.causes.extend([facts.stmt(step).head, back.span()]);
    out.hits.push(hit);
}

fn word(facts: &Facts, taken: &Taken<'_>, back: &Call<'_>) -> Words {
    let (name, pool) = (taken.name, facts.shown(taken.pool));
    let closer = facts.shown(back.function);
    if back.name() == "reset" {
        return Words::new(
            format!(
                "`{pool}` keeps its new value when something raises before `{name}` restores the old one."
            ),
            "Whatever runs in this context next, another request on the same thread or task for instance, sees the value of this one.",
            format!(
                "Put `{closer}({name})` into a `finally` that begins right behind the setting."
            ),
        );
    }
    Words::new(
        format!("`{name}` goes back to `{pool}` only when nothing raises before."),
        "Each error takes one out of the pool for good; after as many errors as it has places the pool is empty, and every caller fails or waits.",
        format!("Put `{closer}({name})` into a `finally` that begins right behind the taking."),
    )
}
