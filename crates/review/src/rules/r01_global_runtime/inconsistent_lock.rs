//! What is used under a lock in one place is used without it in another.

use super::torchscript::alone;
use crate::facts::{ExprId, ExprKind, Facts, Held, Home, Kind, Lock, Proof, ScopeId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

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
    if facts.held().is_empty() {
        return;
    }
    let uses = uses(facts);
    for of in uses.iter().filter(|of| of.held.is_empty()) {
        if let Some((lock, guarded)) = usual_lock(facts, &uses, of) {
            judge(cx, of, lock, guarded, out);
        }
    }
}

/// A change of an attribute or library, or a call into it.
struct Use<'f> {
    /// The class and attribute, or the library's name.
    of: (Option<ScopeId>, String),
    expr: ExprId,
    act: Act<'f>,
    held: Vec<&'f Held>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Act<'f> {
    Call(&'f str),
    Write,
    /// A call of a function of an imported library.
    Library(&'f str),
}

fn uses(facts: &Facts) -> Vec<Use<'_>> {
    let of_attributes = facts.expr_ids().filter_map(|id| {
        let name = facts.self_attribute(id)?;
        let class = facts.class_of(facts.expr(id).scope)?;
        let act = act(facts, id)?;
        Some((id, (Some(class), name.to_string()), act))
    });
    let of_libraries = facts.calls().filter_map(|call| {
        let root = facts.imported_root(call.function)?;
        Some((call.function, (None, root), Act::Library(call.name())))
    });
    of_attributes
        .chain(of_libraries)
        .filter(|(id, _, _)| concerns(facts, *id))
        .map(|(expr, of, act)| Use {
            of,
            expr,
            act,
            held: facts.held_around(expr).collect(),
        })
        .collect()
}

/// Constructors and what they call run before anybody shares the object; `_locked` functions expect the lock to be held.
fn concerns(facts: &Facts, id: ExprId) -> bool {
    let Some(function) = facts.function_of(facts.expr(id).scope) else {
        return false;
    };
    let name = facts.scope_name(function).unwrap_or("");
    let early = matches!(
        name,
        "__init__" | "__new__" | "__post_init__" | "__del__" | "__setstate__" | "__repr__"
    );
    let says_so = topic::words(name).any(|word| {
        matches!(
            word.as_str(),
            "locked" | "unlocked" | "unsafe" | "nolock" | "init" | "reset" | "setup"
        )
    });
    !early && !says_so && !facts.builds(function) && facts.callers_hold(function) != Some(true)
}

/// What is done with `self.x`. Reading it alone is nothing.
fn act<'f>(facts: &'f Facts, id: ExprId) -> Option<Act<'f>> {
    if is_safe_for_threads(facts, id) {
        return None;
    }
    let parent = facts.expr(id).parent;
    if let Some(parent) = parent {
        if let Some((object, method)) = facts.attribute(parent)
            && object == id
        {
            let call = facts.call(facts.expr(parent).parent?)?;
            return (call.function == parent).then(|| of_method(facts, id, method))?;
        }
        if facts.call(parent).is_some_and(|call| call.function == id) {
            let class = facts.class_of(facts.expr(id).scope)?;
            let is_kept = !facts.bindings_of(class, facts.expr_text(id)).is_empty();
            return is_kept.then_some(Act::Call("()"));
        }
    }
    is_written(facts, id).then_some(Act::Write)
}

fn of_method<'f>(facts: &Facts, id: ExprId, method: &'f str) -> Option<Act<'f>> {
    let is_container = facts.type_of(id).is_some_and(|found| {
        found.depth > 0
            || matches!(
                found.kind,
                Kind::Dict | Kind::List | Kind::Set | Kind::Deque
            )
    });
    let changes = matches!(
        method,
        "append"
            | "appendleft"
            | "add"
            | "insert"
            | "extend"
            | "update"
            | "pop"
            | "popitem"
            | "popleft"
            | "remove"
            | "discard"
            | "clear"
            | "setdefault"
    );
    match (is_container || changes, changes) {
        (true, true) => Some(Act::Write),
        (true, false) => None,
        (false, _) => Some(Act::Call(method)),
    }
}

/// Queues, events, executors and the like guard themselves.
fn is_safe_for_threads(facts: &Facts, id: ExprId) -> bool {
    let by_name = facts.last_name(id).is_some_and(|name| {
        topic::words(name).any(|word| matches!(word.as_str(), "logger" | "log" | "local"))
    });
    by_name
        || facts.kind_of(id).is_some_and(|kind| {
            !matches!(
                kind,
                Kind::Dict
                    | Kind::List
                    | Kind::Set
                    | Kind::Deque
                    | Kind::OrtSession
                    | Kind::Capture
                    | Kind::VideoWriter
                    | Kind::MediaContainer
                    | Kind::Socket
                    | Kind::File
                    | Kind::Client
            )
        })
}

/// A target of an assignment or `del`, or an entry of one. A plain constant is a flag, read at any time.
fn is_written(facts: &Facts, id: ExprId) -> bool {
    let stmt = facts.expr(id).stmt;
    let top = match facts.expr(id).parent {
        Some(parent) => match facts.expr(parent).kind {
            ExprKind::Subscript { object, .. } if object == id => parent,
            _ => return false,
        },
        None => id,
    };
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            augmented,
            ..
        } => targets.contains(&top) && (*augmented || top != id || !is_constant(facts, *value)),
        StmtKind::Delete(exprs) => exprs.contains(&top),
        _ => false,
    }
}

fn is_constant(facts: &Facts, value: ExprId) -> bool {
    let is_time = facts.call(value).is_some_and(|call| {
        matches!(
            call.name(),
            "monotonic" | "time" | "perf_counter" | "now" | "utcnow"
        )
    });
    is_time
        || matches!(
            facts.expr(value).kind,
            ExprKind::True | ExprKind::False | ExprKind::None | ExprKind::Number | ExprKind::Str(_)
        )
}

/// The lock that guards the other uses of the same thing, and how many of them.
fn usual_lock<'u>(facts: &Facts, uses: &'u [Use<'u>], of: &Use<'_>) -> Option<(&'u Lock, usize)> {
    let same: Vec<&Use<'_>> = uses
        .iter()
        .filter(|other| other.of == of.of && is_alike(of.act, other.act))
        .collect();
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
    (guarded > 0 && free <= guarded + 1).then_some((lock, guarded))
}

fn is_alike(one: Act<'_>, other: Act<'_>) -> bool {
    matches!(
        (one, other),
        (Act::Call(_), Act::Call(_))
            | (Act::Write, Act::Write)
            | (Act::Library(_), Act::Library(_))
    )
}

/// A library has to be named by its lock: `pypdfium2_lock` and `pypdfium2`.
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
    let is_named_for = || {
        let name = facts.last_name(lock.expr).unwrap_or("");
        topic::words(name).any(|word| {
            word != "lock" && word.len() > 3 && topic::words(&of.of.1).any(|part| part == word)
        })
    };
    is_of_kind && (of.of.0.is_some() || (is_wide(facts, lock) && is_named_for()))
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
    let sure = lock.proof == Proof::Proven && guarded > 1 && facts.sees_enclosure(stmt);
    let verdict = if sure {
        HitVerdict::Violation
    } else {
        HitVerdict::Look
    };
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
        .stmts
        .iter()
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
