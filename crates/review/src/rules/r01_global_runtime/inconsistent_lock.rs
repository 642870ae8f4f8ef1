//! What is used under a lock in one place is used without it in another.

use super::libraries::{bears_no_threads, is_guarded_library};
use super::torchscript::alone;
use super::uses::{Act, Use, uses};
use crate::facts::{ExprId, Facts, Home, Kind, Lock, Proof, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;
use rustc_hash::FxHashMap;

pub(super) const CHECK: Check = Check {
    id: "inconsistent-lock",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "An attribute, or a library that is not safe for threads, is used without the lock that guards its other uses in this file.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    super::libraries::detect_beside_lock(cx, out);
    if facts.held().is_empty() {
        return;
    }
    let uses = uses(facts);
    let mut together: FxHashMap<_, Vec<&Use<'_>>> = FxHashMap::default();
    for of in &uses {
        together.entry(&of.of).or_default().push(of);
    }
    for of in uses.iter().filter(|of| of.held.is_empty()) {
        let others = together.get(&of.of).map_or(&[][..], |others| others);
        if let Some((lock, guarded)) = usual_lock(facts, others, of) {
            judge(cx, of, lock, guarded, out);
        }
    }
}

/// The lock that guards the other uses of the same thing, and how many of them.
fn usual_lock<'u>(
    facts: &Facts,
    others: &[&'u Use<'u>],
    of: &Use<'_>,
) -> Option<(&'u Lock, usize)> {
    let all = others;
    let others = all.iter().copied();
    let same: Vec<&Use<'_>> = others.filter(|other| is_alike(of.act, other.act)).collect();
    let lock = same
        .iter()
        .flat_map(|other| other.held.iter())
        .map(|held| &held.lock)
        .find(|lock| guards_it(facts, lock, of))?;
    let guarded = same
        .iter()
        .filter(|other| other.held.iter().any(|held| held.lock.is_same(lock)))
        .filter(|other| other.act == of.act || is_wide(facts, lock))
        .count();
    let free = same.iter().filter(|other| other.held.is_empty()).count();
    let of_act = guarded > 0 && free <= guarded + 1;
    (of_act || guards_all_others(facts, all, of, lock)).then_some((lock, guarded))
}

/// The lock is there for this object: all that other functions call on it stands under the lock, as far as is shown, and
/// nothing else does.
fn guards_all_others(facts: &Facts, all: &[&Use<'_>], of: &Use<'_>, lock: &Lock) -> bool {
    let scope = |one: &Use<'_>| facts.stmt(facts.expr(one.expr).stmt).scope;
    let others = || all.iter().filter(|other| scope(other) != scope(of));
    let mut functions: Vec<ScopeId> = others().map(|other| scope(other)).collect();
    functions.dedup();
    let ends = matches!(of.act, Act::Call(method) if ENDS.contains(&method));
    matches!(of.act, Act::Call(_))
        && !ends
        && functions.len() > 1
        && others().any(|other| is_only_work(facts, other, lock))
        && others().all(|other| is_only_work(facts, other, lock) || may_be_guarded(facts, other))
}

fn may_be_guarded(facts: &Facts, of: &Use<'_>) -> bool {
    let stmt = facts.expr(of.expr).stmt;
    of.held.is_empty() && !facts.sees_enclosure(stmt)
}

/// A use under the lock, in a region each statement of which has to do with the object.
fn is_only_work(facts: &Facts, of: &Use<'_>, lock: &Lock) -> bool {
    let (_, name) = &of.of;
    let mentions = |stmt: StmtId| {
        facts
            .exprs_of(stmt)
            .any(|id| facts.self_attribute(id) == Some(name))
    };
    of.held.iter().any(|held| {
        let own = held.lock.is_same(lock);
        own && held.body.iter().all(|&stmt| mentions(stmt))
    })
}

/// Methods that begin or end an object's life.
const ENDS: &[&str] = &[
    "close",
    "stop",
    "shutdown",
    "terminate",
    "release",
    "join",
    "start",
    "open",
    "connect",
    "disconnect",
    "is_alive",
    "is_open",
    "fileno",
];

fn is_alike(one: Act<'_>, other: Act<'_>) -> bool {
    matches!(
        (one, other),
        (Act::Call(_), Act::Call(_))
            | (Act::Write, Act::Write)
            | (Act::Library(_), Act::Library(_))
    )
}

/// A library has to be named by its lock (`pypdfium2_lock` and `pypdfium2`), or to be known for not bearing threads.
fn guards_it(facts: &Facts, lock: &Lock, of: &Use<'_>) -> bool {
    let is_of_kind = !lock.is_async()
        && matches!(
            lock.home,
            Home::Module | Home::Class | Home::Instance | Home::Given | Home::Unknown
        )
        && matches!(
            lock.kind,
            Kind::ThreadLock | Kind::ReentrantLock | Kind::Condition
        );
    is_of_kind
        && !says_making(facts, lock)
        && (of.of.0.is_some()
            || (is_wide(facts, lock) && is_guarded_library(facts, lock, &of.of.1)))
}

/// `_init_lock`, `_model_load_lock`: held while the object is made, not while it is used.
fn says_making(facts: &Facts, lock: &Lock) -> bool {
    facts.last_name(lock.expr).is_some_and(|name| {
        topic::has_word(
            name,
            "init initialization load loading create creation setup",
        )
    })
}

/// A lock of the module or of another one: it guards a library, not one object.
fn is_wide(facts: &Facts, lock: &Lock) -> bool {
    matches!(lock.home, Home::Module | Home::Unknown) && facts.name(lock.expr).is_some()
}

fn judge(cx: &Context<'_>, of: &Use<'_>, lock: &Lock, guarded: usize, out: &mut Outcome) {
    let facts = cx.facts;
    let stmt = facts.expr(of.expr).stmt;
    let runs_later = facts.expr(of.expr).scope != facts.stmt(stmt).scope;
    if runs_later || is_optional(facts, of, lock) || is_first_check(facts, of, lock) {
        return;
    }
    // Where neither the function's name nor what encloses the use is shown, a lock may well be held.
    if facts.function_name(stmt).is_none() && !facts.sees_enclosure(stmt) {
        return;
    }
    let is_usual = guarded > 1 || bears_no_threads(&of.of.1);
    let sure = lock.proof == Proof::Proven && is_usual && facts.sees_enclosure(stmt);
    let verdict = HitVerdict::sure_if(sure);
    let verdict = alone(cx, stmt).map_or(verdict, HitVerdict::Excused);
    let span = facts.expr(of.expr).span;
    let words = word(facts, of, lock);
    let hit = Hit::new(&CHECK, Anchor { stmt, span }, verdict, words).with_related(
        facts.expr(lock.expr).span,
        "the lock is held for such a use here",
    );
    out.hits.push(hit);
}

/// `if self._lock: with self._lock: ...` beside the same without: where there is no lock nobody shares the object.
fn is_optional(facts: &Facts, of: &Use<'_>, lock: &Lock) -> bool {
    let scope = facts.stmt(facts.expr(of.expr).stmt).scope;
    let tests_lock = |test: ExprId| {
        facts
            .within(test)
            .any(|id| facts.dotted(id).is_some() && facts.dotted(id) == facts.dotted(lock.expr))
    };
    facts
        .statements_of(scope)
        .map(|stmt| facts.stmt(stmt))
        .filter(|stmt| stmt.scope == scope)
        .any(|stmt| match stmt.kind {
            StmtKind::If { test, .. } => tests_lock(test),
            _ => false,
        })
}

/// `if not self.model.ready():` in front of the block that takes the lock and asks again.
fn is_first_check(facts: &Facts, of: &Use<'_>, lock: &Lock) -> bool {
    let stmt = facts.expr(of.expr).stmt;
    let StmtKind::If { body, .. } = &facts.stmt(stmt).kind else {
        return false;
    };
    let inside = facts.statements_in(body);
    facts
        .held()
        .iter()
        .any(|held| held.lock.is_same(lock) && inside.contains(&held.stmt))
}

fn word(facts: &Facts, of: &Use<'_>, lock: &Lock) -> Words {
    let what = facts.expr_text(of.expr);
    let lock = facts.shown(lock.expr);
    let does = match of.act {
        Act::Write => "is changed",
        Act::Call(_) | Act::Library(_) => "is used",
    };
    Words::new(
        format!(
            "`{what}` {does} without `{lock}`, which is held for such uses elsewhere in this file."
        ),
        "A lock protects only if everybody takes it: this use can meet one of the guarded ones half-way.",
        format!("Take `{lock}` here, too, or say why no other thread can be at it."),
    )
}
